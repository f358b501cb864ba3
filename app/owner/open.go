package owner

import (
	"context"
	"errors"
	"net"
	"os"
	"time"

	"referent/app"
	"referent/rag"
	"referent/storage"
)

// Fronts that an owner may have.
const (
	FrontWindow  = "window"
	FrontCommand = "command"
	FrontServe   = "serve" // answers other programs, and stays; a window may be its client
)

// Options say which folder to hold and how to begin.
type Options struct {
	Dir     string // data folder; made if missing
	Version string
	Front   string
	Log     func(string) // one line a fault; nil: dropped
	// Start opens the use cases; called only by the process that gets the lock.
	Start func(ctx context.Context) (Closer, error)
	// Patience is how long an owner that holds the lock without answering is
	// waited for (it is starting or ending). 0: 10 s.
	Patience time.Duration
}

// Closer is use cases that hold things open.
type Closer interface {
	app.UseCases
	Close() error
}

// Handle is the use cases, here or over the socket.
type Handle struct {
	app.UseCases
	// Owned: this process is the owner. Else Front says what the owner is.
	Owned bool
	Front string
	close func() error
}

// Close gives the folder back, or ends the connection. In the owner it waits
// until every client's call has ended.
func (h *Handle) Close() error { return h.close() }

// Open returns the use cases of a data folder: as a client of its owner, or as
// the owner. Errors: *storage.Error about the folder, *rag.Error with
// CodeLibraryBusy when an owner holds it and does not answer.
func Open(ctx context.Context, o Options) (*Handle, error) {
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	ctx, cancel := context.WithTimeout(ctx, o.Patience)
	defer cancel()
	retry := time.NewTicker(50 * time.Millisecond)
	defer retry.Stop()
	for {
		client, err := dial(o.Dir)
		if err == nil {
			return &Handle{UseCases: client, Front: client.Front(), close: client.Close}, nil
		}
		if errors.Is(err, &rag.Error{Code: rag.CodeLibraryBusy}) {
			return nil, err
		}
		lock, err := storage.LockFolder(o.Dir)
		if err == nil {
			return own(context.WithoutCancel(ctx), o, lock)
		}
		if !errors.Is(err, storage.ErrLocked) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, &rag.Error{Code: rag.CodeLibraryBusy, Message: "Another Referent holds this library and does not answer.",
				Hint: "Close it and try again.", Cause: err}
		case <-retry.C:
		}
	}
}

// own starts the use cases and then the socket, so that a client that gets
// through finds everything ready.
func own(ctx context.Context, o Options, lock *storage.Lock) (*Handle, error) {
	use, err := o.Start(ctx)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	listener, err := listen(o.Dir)
	if err != nil {
		return nil, errors.Join(storage.Explain(err), use.Close(), lock.Close())
	}
	server := Serve(listener, use, o.Version, o.Front, o.Log)
	return &Handle{UseCases: use, Owned: true, Front: o.Front, close: func() error {
		return errors.Join(server.Close(), use.Close(), lock.Close())
	}}, nil
}

// listen makes the socket anew; the lock is held, so an old one is a leftover.
func listen(dir string) (net.Listener, error) {
	path, release, err := address(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false) // the path may go through a descriptor that is closed by then
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

func dial(dir string) (*Client, error) {
	path, release, err := address(dir)
	if err != nil {
		return nil, err
	}
	defer release()
	conn, err := net.Dial("unix", path)
	if err != nil {
		return nil, err
	}
	client, err := newClient(conn)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return client, nil
}
