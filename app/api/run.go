package api

import (
	"context"
	"errors"
	"io"
	"net"

	"referent/app"
	"referent/app/api/public"
	"referent/rag"
)

// Run listens at the address (empty: that of the settings) and answers until
// ctx is done, or returns why it no longer can. ready gets the address once
// programs can ask. Meanwhile the library is kept in step with the disk, as a
// window would.
func Run(ctx context.Context, c Config, address string, ready func(net.Addr)) error {
	if address == "" {
		var err error
		if address, err = storedAddress(ctx, c); err != nil {
			return err
		}
	}
	s, at, err := start(c, address)
	if err != nil {
		return err
	}
	return s.run(ctx, func() { ready(at) })
}

// run waits until ctx is done or the server fails, and closes it.
func (s *Server) run(ctx context.Context, ready func()) error {
	ctx, cancel := context.WithCancel(ctx)
	s.follow(ctx, s.config.Use)
	ready()
	var failed error
	select {
	case <-ctx.Done():
	case err := <-s.failed:
		failed = &rag.Error{Code: rag.CodeNotAvailable, Message: "The server for other programs ended unexpectedly.", Hint: "Start it again.", Cause: err}
	}
	cancel()
	return errors.Join(failed, s.Close())
}

// start makes the token, so that it is there when the first program asks, and a
// server that listens.
func start(c Config, address string) (*Server, net.Addr, error) {
	if _, err := app.Token(c.Dir); err != nil {
		return nil, nil, err
	}
	l, err := Listen(c.Dir, address)
	if err != nil {
		return nil, nil, err
	}
	s := New(c)
	s.Serve(l)
	return s, l.Addr(), nil
}

func storedAddress(ctx context.Context, c Config) (string, error) {
	all, err := c.Use.Settings(ctx)
	for _, row := range all {
		if row.Key == AddressKey {
			return row.Value, err
		}
	}
	return DefaultAddress, err
}

// follow keeps the library in step with the disk until ctx is done; Close waits
// for it.
func (s *Server) follow(ctx context.Context, use app.UseCases) {
	s.wait.Go(func() {
		if err := use.Sync(ctx, nil); err != nil && ctx.Err() == nil {
			s.config.Log("the library was not compared with the disk: " + err.Error())
		}
	})
}

// RunMCP speaks MCP over two streams until the assistant ends or ctx is done.
// No token is asked for: whoever starts the program may read the data folder.
// change, if any, brings other use cases after the owner of the folder has
// ended; the assistant's session goes on with them.
func RunMCP(ctx context.Context, c Config, in io.Reader, out io.Writer, change <-chan app.UseCases) error {
	s := New(c)
	ctx, cancel := context.WithCancel(ctx)
	s.follow(ctx, c.Use)
	s.wait.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case use := <-change:
				s.mcp.Change(public.New(use, c.Limits, s.config.Log))
				s.follow(ctx, use)
			}
		}
	})
	err := s.mcp.Serve(ctx, io.NopCloser(in), writer{out})
	cancel()
	if e := s.Close(); err == nil {
		err = e
	}
	return err
}

// writer is an output that stays open.
type writer struct{ io.Writer }

func (writer) Close() error { return nil }
