package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"referent/inference/process"
	"referent/rag"
	"referent/rag/extract"
)

// How a worker ended over a file, for errors.Is. The extraction that comes with
// them holds the status and the sentence.
var (
	ErrTimedOut = errors.New("the file took longer than its deadline")
	ErrMemory   = errors.New("the file needed more memory than its cap")
	ErrDied     = errors.New("the parse worker ended while reading the file")
	ErrClosed   = errors.New("the parse workers are closed")
	// ErrPreparing comes with ErrMemory or ErrDied where the worker had not begun
	// with the file: it was making the PDF module ready.
	ErrPreparing = errors.New("the parse worker ended while it was made ready")
)

// Config says how files are read. The zero value works.
type Config struct {
	Exe         string        // executable with the role; empty: the running one
	Role        string        // empty: Role
	Env         []string      // changes to the environment, see process.Spec
	Workers     int           // files at a time; default 1
	Deadline    time.Duration // for a small file; default 10 s
	PerMB       time.Duration // more for each megabyte; default 2 s
	MaxDeadline time.Duration // default 120 s
	PerPicture  time.Duration // at least so long from each picture whose words are recognised; default 30 s
	MemoryLimit int64         // resident bytes at which a worker is killed; default 540 MiB
	Idle        time.Duration // a worker that rested so long is ended; default 2 min
}

// grace is how long a worker that was asked to end may take.
const grace = 2 * time.Second

// heavy is the resident memory after a document above which a worker is
// replaced: the PDF module's memory never shrinks.
const heavy = 300 << 20

func (c Config) withDefaults() Config {
	if c.Role == "" {
		c.Role = Role
	}
	if c.Workers <= 0 {
		c.Workers = 1
	}
	if c.Deadline <= 0 {
		c.Deadline = 10 * time.Second
	}
	if c.PerMB <= 0 {
		c.PerMB = 2 * time.Second
	}
	if c.MaxDeadline <= 0 {
		c.MaxDeadline = 120 * time.Second
	}
	if c.PerPicture <= 0 {
		c.PerPicture = 30 * time.Second
	}
	if c.MemoryLimit <= 0 {
		c.MemoryLimit = 540 << 20 // under 600 MB with what it takes between two looks
	}
	if c.Idle <= 0 {
		c.Idle = 2 * time.Minute
	}
	return c
}

// Pool owns the parse workers. Its methods may be called from any goroutine.
type Pool struct {
	config Config
	slots  chan struct{} // one token a file being read
	ctx    context.Context
	stop   context.CancelFunc
	ending sync.WaitGroup // workers being ended

	mu     sync.Mutex
	idle   []*resting
	closed bool
}

// resting is a worker without work and the timer that will end it.
type resting struct {
	child *process.Child
	timer *time.Timer
}

// New makes a pool. No worker is started before the first file.
func New(config Config) *Pool {
	config = config.withDefaults()
	ctx, stop := context.WithCancel(context.Background())
	return &Pool{config: config, slots: make(chan struct{}, config.Workers), ctx: ctx, stop: stop}
}

// Extract reads a file in a worker. A file's own fault is a status, as in
// extract.File. The error is the context's, ErrClosed, a failure to start a
// worker, or one that wraps ErrTimedOut, ErrMemory or ErrDied; with these three
// the extraction has a status and a reason. What Options asks to be told is told
// from the calling goroutine. What is made ready before a file may take as long as
// it takes.
func (p *Pool) Extract(ctx context.Context, path string, opts extract.Options) (rag.Extraction, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return rag.Extraction{}, ctx.Err()
	case <-p.ctx.Done():
		return rag.Extraction{}, ErrClosed
	}
	// A worker has a working folder of its own.
	for _, name := range []*string{&path, &opts.FontDir, &opts.PDFCacheDir} {
		if abs, err := filepath.Abs(*name); err == nil && *name != "" {
			*name = abs
		}
	}
	child, err := p.take()
	if err != nil {
		return rag.Extraction{}, err
	}
	bounded, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped := context.AfterFunc(bounded, child.Kill)
	allowed := p.deadline(path)
	deadline := newLimit(allowed, cancel)
	defer deadline.stop()
	preparing := false
	ex, err := read(child, path, opts, func(kind byte) {
		switch kind {
		case framePicture:
			deadline.atLeast(p.config.PerPicture)
		case framePreparing:
			preparing = true
			deadline.stop()
			tell(opts.Preparing)
		case frameReady:
			preparing = false
			deadline.anew(allowed)
			tell(opts.Ready)
		}
	})
	stopped()
	if preparing {
		tell(opts.Ready) // whoever was told of the beginning hears of the end
	}
	if err == nil && bounded.Err() == nil {
		p.rest(child)
		return ex, nil
	}
	child.Kill()
	p.end(child)
	death := child.Death()
	switch {
	case ctx.Err() != nil:
		return rag.Extraction{}, ctx.Err()
	case p.ctx.Err() != nil:
		return rag.Extraction{}, ErrClosed
	case bounded.Err() != nil:
		return failed(path, rag.FileTimedOut, "Reading the file took too long and was stopped. Try again, or save it in a simpler form."), fmt.Errorf("%w: %v", ErrTimedOut, &death)
	case preparing:
		cause := ErrDied
		if death.Kind == process.DeathMemory {
			cause = ErrMemory
		}
		return failed(path, rag.FileParked, "The reader of PDF files could not be made ready. The file is not to blame. Close other programs, then retry."), fmt.Errorf("%w: %w: %v", ErrPreparing, cause, &death)
	case death.Kind == process.DeathMemory:
		return failed(path, rag.FileTooLarge, "Reading the file needs more memory than one file may take. Split it, or save it in a simpler form."), fmt.Errorf("%w: %v", ErrMemory, &death)
	}
	return failed(path, rag.FileDamaged, "The file made its reader fail. Open it in the program that made it and save it again."), fmt.Errorf("%w: %v (%v)", ErrDied, err, &death)
}

func tell(whom func()) {
	if whom != nil {
		whom()
	}
}

func failed(path string, status rag.FileStatus, reason string) rag.Extraction {
	return rag.Extraction{Status: status, Reason: reason, Title: filepath.Base(path), TitleSource: "file_name"}
}

// deadline follows the size of the file.
func (p *Pool) deadline(path string) time.Duration {
	c := p.config
	limit := c.Deadline
	if info, err := os.Stat(path); err == nil {
		limit += time.Duration(float64(info.Size()) / (1 << 20) * float64(c.PerMB))
	}
	return min(limit, c.MaxDeadline)
}

// limit is a deadline that can move away. Its methods are called from one
// goroutine.
type limit struct {
	end   time.Time
	timer *time.Timer
}

// newLimit calls over when d has passed.
func newLimit(d time.Duration, over func()) *limit {
	return &limit{time.Now().Add(d), time.AfterFunc(d, over)}
}

// atLeast gives d from now, if that is later than the end so far.
func (l *limit) atLeast(d time.Duration) {
	if end := time.Now().Add(d); end.After(l.end) {
		l.end = end
		l.timer.Reset(d)
	}
}

// anew gives d from now, whatever the end so far was, also after stop.
func (l *limit) anew(d time.Duration) {
	l.end = time.Now().Add(d)
	l.timer.Reset(d)
}

func (l *limit) stop() { l.timer.Stop() }

// read sends the request and puts the answer together.
func read(child *process.Child, path string, opts extract.Options, moves func(kind byte)) (rag.Extraction, error) {
	if err := sendJSON(child, frameRequest, request{[]byte(path), opts}); err != nil {
		return rag.Extraction{}, err
	}
	var a assembly
	for !a.done {
		kind, payload, err := child.Receive()
		if err != nil {
			return rag.Extraction{}, err
		}
		if err := a.take(kind, payload, opts.Progress, moves); err != nil {
			return rag.Extraction{}, err
		}
	}
	return a.ex, nil
}
