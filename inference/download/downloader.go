package download

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// DefaultStall is how long a transfer may stand still before it is tried again.
const DefaultStall = 30 * time.Second

// DefaultTries is how many tries in a row may bring no new byte.
const DefaultTries = 6

// longestPause bounds the wait between two tries, which doubles from one second.
const longestPause = 30 * time.Second

// Downloader fetches files. A zero field but Client has the default that its
// comment names. Fetch may be called from several goroutines, for different
// paths.
type Downloader struct {
	Client *http.Client                    // makes the connections, with permission
	Check  func(path string) error         // judges a file whose hash is right; nil: not judged
	Free   func(dir string) (int64, error) // nil: FreeSpace
	Stall  time.Duration                   // 0: DefaultStall
	Tries  int                             // 0: DefaultTries
	Clock  Clock                           // nil: the system's
}

// Fetch brings the file of a request to its path. progress may be nil; it is
// called from this goroutine. When ctx ends, what has arrived stays for the next
// Fetch and the error is ctx's. Other errors are *inference.Error.
func (d *Downloader) Fetch(ctx context.Context, req Request, progress func(Progress)) (Result, error) {
	if u, err := url.Parse(req.URL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return Result{}, fail(ErrServer, err, "The address of the file makes no sense. It must begin with https://.")
	}
	if err := os.MkdirAll(filepath.Dir(req.Path), 0o700); err != nil {
		return Result{}, diskError(err)
	}
	t := &transfer{Downloader: *d, req: req, sum: sha256.New(), report: progress}
	t.defaults()
	if err := t.open(ctx); err != nil {
		return Result{}, err
	}
	defer func() { _ = t.file.Close() }()
	if err := t.receive(ctx); err != nil {
		if t.done == 0 {
			err = errors.Join(err, t.drop()) // nothing came that is worth keeping
		}
		return Result{}, err
	}
	return t.finish(ctx)
}

func (d *Downloader) defaults() {
	if d.Free == nil {
		d.Free = FreeSpace
	}
	if d.Stall <= 0 {
		d.Stall = DefaultStall
	}
	if d.Tries <= 0 {
		d.Tries = DefaultTries
	}
	if d.Clock == nil {
		d.Clock = systemClock{}
	}
}

// receive tries until every byte is there.
func (t *transfer) receive(ctx context.Context) error {
	most := t.done
	for idle := 0; ; {
		t.tell(PhaseConnecting, "")
		err := t.attempt(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var transient again
		if !errors.As(err, &transient) {
			return err
		}
		if idle++; t.done > most {
			idle, most = 0, t.done
		}
		if idle >= t.Tries {
			return transient.error
		}
		t.tell(PhaseWaiting, transient.Error())
		if err := pause(ctx, t.Clock, min(longestPause, time.Second<<max(0, idle-1))); err != nil {
			return err
		}
	}
}

// open opens the part and hashes what it holds already.
func (t *transfer) open(ctx context.Context) (err error) {
	if t.file, err = os.OpenFile(t.req.Path+partSuffix, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return diskError(err)
	}
	defer func() {
		if err != nil {
			_ = t.file.Close()
		}
	}()
	s, known := readState(t.req.Path)
	if !known || s.URL != t.req.URL || s.Validator == "" || t.req.Bytes > 0 && s.Size > 0 && s.Size != t.req.Bytes {
		return t.restart()
	}
	t.state = s
	t.tell(PhaseResuming, "")
	buffer := make([]byte, blockSize)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := t.file.Read(buffer)
		t.sum.Write(buffer[:n])
		t.done += int64(n)
		t.moved(PhaseResuming)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return diskError(err)
		}
	}
	if t.size() > 0 && t.done > t.size() {
		return t.restart()
	}
	t.meter = meter{} // reading the disk tells nothing about the network
	return nil
}

// restart throws the part away.
func (t *transfer) restart() error {
	t.done, t.state = 0, state{}
	t.sum.Reset()
	t.meter = meter{}
	if err := t.file.Truncate(0); err != nil {
		return diskError(err)
	}
	if _, err := t.file.Seek(0, io.SeekStart); err != nil {
		return diskError(err)
	}
	return nil
}

// diskError turns an error of the file system into a sentence.
func diskError(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fail(ErrNoSpace, err, "The disk is full. What has arrived is kept; free some space and start the download again.")
	case errors.Is(err, os.ErrPermission):
		return fail(ErrDisk, err, "The folder for models may not be written to. Change its permissions.")
	}
	return fail(ErrDisk, err, "The download could not be stored. Look at the disk and try again.")
}

// sameHash compares two hashes in hex.
func sameHash(a, b string) bool { return strings.EqualFold(a, b) }
