package library

import (
	"context"
	"errors"
	"sync"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/extract"
	"referent/rag/segment"
	"referent/storage/index"
)

// Index is the searchable state that follows the library; *segment.Index is one.
type Index interface {
	Add(cols index.DocumentColumns, chunks []index.Chunk)
	Remove(documents ...int64)
	Mask(documents ...int64)
	Unmask(documents ...int64)
	SetColumns(all ...index.DocumentColumns)
	SetVectors(model string, vectors []segment.ChunkVector) error
}

// Deps is what a Library works with. Store, Extract and Index are needed.
type Deps struct {
	Store *index.Store
	// Extract reads a file; *worker.Pool behind a closure. Its error is the
	// context's, one of worker's errors about how a worker ended, or a failure
	// to start a worker.
	Extract func(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error)
	Index   Index
	// Embedder and Tokenizer are asked again for each batch, so that models may
	// come and go. Nil, or an error: words only, nothing counted.
	Embedder  func() (inference.Embedder, error)
	Tokenizer func() (inference.Tokenizer, error)
	// Serves is the key of the model whose vectors the search holds; nil or
	// empty: the embedder's.
	Serves func() string
	// Notify hears of every change, from the goroutine that made it; it must be
	// quick. May be nil.
	Notify func(Event)
	// Forget erases stored passages of documents from old turns. May be nil.
	Forget func(ctx context.Context, documents []int64) error
	// Battery tells whether work in the background should spare the battery;
	// nil: never. Passwords holds those of protected files; nil: none are kept.
	Battery   func() bool
	Passwords Passwords
	Clock     Clock // nil: the system's
	// Workers is how many files are read at a time; 0: 1.
	Workers int
}

// Times and sizes of the library.
const (
	quietTime       = 2 * time.Second  // a path must rest so long before it is read
	restlessTime    = 30 * time.Second // a path that never rests is read all the same
	graceTime       = 10 * time.Second // between the two halves of a move
	lookInterval    = 250 * time.Millisecond
	reconcileAge    = 30 * time.Minute // a watched folder is compared with the disk so often
	pollAge         = 5 * time.Minute  // a folder without live updates
	offlineInterval = 5 * time.Second  // a folder that is away
	maxFileSize     = 100 << 20        // bytes
)

// Library keeps the index in step with the files. All methods may be called
// from any goroutine.
type Library struct {
	deps  Deps
	store *index.Store
	clock Clock

	// publish makes "what the store says of a document" and "what the search
	// sees of it" one step, so that a late Add cannot undo a Mask.
	publish sync.Mutex
	scan    sync.Mutex // one reconcile at a time
	roots   rootSet
	watch   *watch
	signal  *signal // something changed
	work    *signal // files wait
	meaning *signal // vectors or counts may be missing
	eased   *signal // somebody who waited has what he waited for
	measure measure // what the work takes
	power   power

	mu        sync.Mutex
	paused    bool
	easy      int     // how many wait for something else
	waited    int     // how many wait for all files
	wanted    []int64 // documents to be read before all others
	reading   map[string]bool
	passwords map[string]string // by path; in memory only
	keep      map[string]bool   // paths whose password is to be kept when it opens the file
	ignored   map[int64]int     // by folder, at the last reconcile
	run       tally             // of files since the queue was last empty
	vectors   tally
	preparing string // what is made ready before a file; a sentence
	trouble   string // why files cannot be read now; a sentence
	passed    bool   // everything that could be embedded is
	mute      string // why there is no search by meaning now; a sentence

	cancel context.CancelFunc
	done   sync.WaitGroup
}

// New makes a Library. Nothing happens before Start.
func New(deps Deps) *Library {
	if deps.Clock == nil {
		deps.Clock = SystemClock{}
	}
	if deps.Workers <= 0 {
		deps.Workers = 1
	}
	if deps.Notify == nil {
		deps.Notify = func(Event) {}
	}
	l := &Library{deps: deps, store: deps.Store, clock: deps.Clock, signal: newSignal(), work: newSignal(), meaning: newSignal(), eased: newSignal(),
		reading: map[string]bool{}, passwords: map[string]string{}, keep: map[string]bool{}, ignored: map[int64]int{}}
	l.watch = newWatch(l)
	return l
}

// Start puts interrupted files back into the queue and begins to watch, read
// and embed. Every root is compared with the disk in the background. It may be
// called once; ctx only bounds the start itself.
func (l *Library) Start(ctx context.Context) error {
	if l.cancel != nil {
		return errors.New("library: started twice")
	}
	if _, err := l.store.RequeueInterrupted(ctx); err != nil {
		return err
	}
	if _, err := l.store.RequeueOutdated(ctx, extract.Version); err != nil {
		return err
	}
	if err := l.loadRoots(ctx); err != nil {
		return err
	}
	running, cancel := context.WithCancel(context.Background())
	l.cancel = cancel
	l.watch.open()
	l.watch.reconcileAll()
	l.done.Go(func() { l.watch.drain(running) })
	l.done.Go(func() { l.watch.look(running) })
	l.done.Go(func() { l.embedAndCount(running) })
	for range l.deps.Workers {
		l.done.Go(func() { l.readFiles(running) })
	}
	return nil
}

// Close ends all work and waits for it. What was being read waits again at the
// next start.
func (l *Library) Close() {
	if l.cancel == nil {
		return
	}
	l.cancel()
	l.done.Wait()
	l.saveMeasured(context.Background())
	l.watch.close()
}

// Pause stops reading and embedding after what is in hand; watching goes on.
func (l *Library) Pause() { l.setPaused(true) }

// Resume goes on.
func (l *Library) Resume() { l.setPaused(false) }

func (l *Library) setPaused(on bool) {
	l.mu.Lock()
	l.paused = on
	l.mu.Unlock()
	l.work.raise()
	l.wakeMeaning()
	l.changed(Event{Kind: EventProgress})
}

func (l *Library) isPaused() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.paused
}

// changed tells everyone who waits or listens.
func (l *Library) changed(e Event) {
	l.signal.raise()
	l.deps.Notify(e)
}
