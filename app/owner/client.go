package owner

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"sync"

	"referent/app"
	"referent/rag"
)

// Client is app.UseCases over the socket of the owner.
type Client struct {
	conn     net.Conn
	greeting hello
	encoder  *json.Encoder
	write    sync.Mutex

	mu      sync.Mutex
	next    uint64
	calls   map[uint64]chan reply
	gone    error // set once the connection has ended
	stopped chan struct{}
}

var _ app.UseCases = (*Client)(nil)

// newClient reads the greeting and starts the reader.
func newClient(conn net.Conn) (*Client, error) {
	lines := bufio.NewReaderSize(conn, 64<<10)
	first, err := lines.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("no greeting from the owner: %w", err)
	}
	c := &Client{conn: conn, encoder: json.NewEncoder(conn), calls: map[uint64]chan reply{}, stopped: make(chan struct{})}
	if err := json.Unmarshal(first, &c.greeting); err != nil {
		return nil, fmt.Errorf("not a greeting: %w", err)
	}
	if c.greeting.Protocol != protocol {
		return nil, &rag.Error{Code: rag.CodeLibraryBusy, Message: "Another version of Referent holds this library.", Hint: "Close it and try again."}
	}
	go c.read(lines)
	return c, nil
}

// Front tells what kind of process the owner is: window or command.
func (c *Client) Front() string { return c.greeting.Front }

// Close ends the connection; running calls fail.
func (c *Client) Close() error {
	err := c.conn.Close()
	<-c.stopped
	return err
}

func (c *Client) read(lines *bufio.Reader) {
	defer close(c.stopped)
	decoder := json.NewDecoder(lines)
	for {
		var r reply
		err := decoder.Decode(&r)
		c.mu.Lock()
		if err != nil {
			c.gone = err
			for _, ch := range c.calls {
				close(ch)
			}
			c.calls = map[uint64]chan reply{}
			c.mu.Unlock()
			return
		}
		ch := c.calls[r.ID]
		c.mu.Unlock()
		if ch != nil {
			ch <- r // the caller drains until its result, so this never blocks for good
		}
	}
}

// call runs a method; each gets its events. When ctx ends, the owner is told to
// cancel and its verdict is awaited, so that the caller knows what was stored.
func (c *Client) call(ctx context.Context, method string, params any, each func(json.RawMessage), result any) error {
	body, err := json.Marshal(params)
	if err != nil {
		return public(err)
	}
	ch := make(chan reply, 64)
	c.mu.Lock()
	if c.gone != nil {
		c.mu.Unlock()
		return ownerGone(c.gone)
	}
	c.next++
	id := c.next
	c.calls[id] = ch
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.calls, id)
		c.mu.Unlock()
	}()
	if err := c.send(request{ID: id, Method: method, Params: body}); err != nil {
		return ownerGone(err)
	}
	done := ctx.Done()
	for {
		select {
		case <-done:
			done = nil
			if err := c.send(request{ID: id, Cancel: true}); err != nil {
				return ctx.Err()
			}
		case r, ok := <-ch:
			switch {
			case !ok:
				return ownerGone(c.gone)
			case r.Event != nil:
				if each != nil {
					each(r.Event)
				}
			case r.Error != nil:
				return r.Error
			default:
				if result == nil {
					return nil
				}
				return json.Unmarshal(r.Result, result)
			}
		}
	}
}

func (c *Client) send(r request) error {
	c.write.Lock()
	defer c.write.Unlock()
	return c.encoder.Encode(r)
}

func ownerGone(cause error) error {
	return &rag.Error{Code: rag.CodeLibraryBusy, Message: "The Referent process that holds this library has ended.", Hint: "Run the command again.", Cause: cause}
}

// ask is call for methods with a result and without events.
func ask[R any](ctx context.Context, c *Client, method string, params any) (R, error) {
	var r R
	err := c.call(ctx, method, params, nil, &r)
	return r, err
}
