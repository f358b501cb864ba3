package api

import (
	"context"
	"io"
	"net"

	"referent/app"
	"referent/app/api/mcp"
	"referent/app/api/public"
)

// Run listens at the address (empty: that of the settings) and answers until
// ctx is done. ready gets the address once programs can ask. Meanwhile the
// library is kept in step with the disk, as a window would.
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
	s.follow(ctx)
	ready(at)
	<-ctx.Done()
	return s.Close()
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
func (s *Server) follow(ctx context.Context) {
	s.wait.Go(func() {
		if err := s.config.Use.Sync(ctx, nil); err != nil && ctx.Err() == nil {
			s.config.Log("the library was not compared with the disk: " + err.Error())
		}
	})
}

// RunMCP speaks MCP over two streams until the assistant ends or ctx is done.
// No token is asked for: whoever starts the program may read the data folder.
func RunMCP(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	s := New(c)
	ctx, cancel := context.WithCancel(ctx)
	s.follow(ctx)
	err := mcp.New(public.New(c.Use, c.Limits, s.config.Log), c.Version).Serve(ctx, io.NopCloser(in), writer{out})
	cancel()
	if e := s.Close(); err == nil {
		err = e
	}
	return err
}

// writer is an output that stays open.
type writer struct{ io.Writer }

func (writer) Close() error { return nil }
