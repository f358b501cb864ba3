package owner

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"sync"

	"referent/app"
	"referent/rag"
)

// Server lets other processes use the owner's use cases.
type Server struct {
	use      app.UseCases
	greeting hello
	listener net.Listener
	log      func(string)

	ctx    context.Context
	cancel context.CancelFunc
	wait   sync.WaitGroup
}

// Serve accepts clients on the listener until Close. log gets one line for
// each fault; it never holds text of documents or questions.
func Serve(listener net.Listener, use app.UseCases, version, front string, log func(string)) *Server {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{use: use, greeting: hello{protocol, version, front}, listener: listener, log: log, ctx: ctx, cancel: cancel}
	s.wait.Go(s.accept)
	return s
}

// Close stops listening, cancels the clients' calls and waits for them.
func (s *Server) Close() error {
	s.cancel()
	err := s.listener.Close()
	s.wait.Wait()
	return err
}

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return // closed
		}
		s.wait.Go(func() {
			defer func() { _ = conn.Close() }()
			if !samePerson(conn) {
				return
			}
			if err := s.serve(conn); err != nil && !errors.Is(err, io.EOF) && s.ctx.Err() == nil {
				s.log("client ended: " + err.Error())
			}
		})
	}
}

// serve runs one client's calls, each in its own goroutine, and returns when
// the client is gone and all of them have ended.
func (s *Server) serve(conn net.Conn) error {
	ctx, cancel := context.WithCancel(s.ctx)
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // wakes the reader
	defer stop()
	var calls sync.WaitGroup
	defer calls.Wait()
	defer cancel()

	var write sync.Mutex
	encoder := json.NewEncoder(conn)
	send := func(v any) error {
		write.Lock()
		defer write.Unlock()
		return encoder.Encode(v)
	}
	if err := send(s.greeting); err != nil {
		return err
	}

	var mu sync.Mutex
	running := map[uint64]context.CancelFunc{}
	lines := bufio.NewScanner(conn)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		var req request
		if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
			return fmt.Errorf("not a request: %w", err)
		}
		if req.Cancel {
			mu.Lock()
			if stop, ok := running[req.ID]; ok {
				stop()
			}
			mu.Unlock()
			continue
		}
		callCtx, callCancel := context.WithCancel(ctx)
		mu.Lock()
		running[req.ID] = callCancel
		mu.Unlock()
		calls.Go(func() {
			defer func() {
				mu.Lock()
				delete(running, req.ID)
				mu.Unlock()
				callCancel()
			}()
			_ = send(s.call(callCtx, req, send)) // a client that is gone needs no answer
		})
	}
	return lines.Err()
}

func (s *Server) call(ctx context.Context, req request, send func(any) error) (r reply) {
	r.ID = req.ID
	defer func() {
		if p := recover(); p != nil {
			s.log(fmt.Sprintf("panic in %s: %v\n%s", req.Method, p, debug.Stack()))
			r = reply{ID: req.ID, Error: public(fmt.Errorf("panic: %v", p))}
		}
	}()
	run, ok := methods[req.Method]
	if !ok {
		r.Error = &rag.Error{Code: rag.CodeNotAvailable, Message: fmt.Sprintf("The running Referent does not know %q.", req.Method),
			Hint: "Close it and start the newer version."}
		return r
	}
	result, err := run(ctx, s.use, req.Params, func(event any) error {
		b, err := json.Marshal(event)
		if err != nil {
			return err
		}
		return send(reply{ID: req.ID, Event: b})
	})
	if err != nil {
		r.Error = public(err)
		return r
	}
	if r.Result, err = json.Marshal(result); err != nil {
		r.Error = public(err)
	}
	return r
}
