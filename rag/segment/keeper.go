package segment

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"referent/rag/segment/disk"
	"referent/storage/index"
)

// Manifest is the list of segments; *index.Store is one.
type Manifest interface {
	Segments(ctx context.Context) ([]index.Segment, error)
	NextSegment(ctx context.Context) (int64, error)
	// CommitSegments is one step that survives a power cut when it returns.
	CommitSegments(ctx context.Context, put []index.Segment, remove []int64) error
	Meta(ctx context.Context, key string) (string, error)
	SetMeta(ctx context.Context, key, value string) error
}

// Files says where an index keeps its files.
type Files struct {
	Dir      string
	Manifest Manifest
	// SealFrom is the number of chunks in memory that become a segment; 0: 4096.
	SealFrom int
	// Spares tells whether merges and other upkeep that can wait do wait now, as
	// on battery. What came in is written all the same, and Settle waits for
	// nothing. nil: never.
	Spares func() bool
	// Notice hears a sentence for people when something had to be built again
	// or cannot be kept. May be nil.
	Notice func(sentence string)

	again time.Duration // how long an answer of Spares holds; 0: sparedFor
}

// sparedFor is how long an answer of Files.Spares holds.
const sparedFor = 30 * time.Second

// keeper writes the blocks of an index to files in the background, merges them
// and removes what is replaced.
type keeper struct {
	folder   *disk.Folder
	manifest Manifest
	source   StoredSource
	notice   func(string)
	sealFrom int

	ctx    context.Context
	cancel context.CancelFunc
	done   sync.WaitGroup
	due    chan struct{}
	settle chan chan error

	spares    func() bool
	again     time.Duration
	asked     time.Time // when spares was asked
	spared    bool      // what it said
	postponed bool      // something waits until it says no

	unread  []int64     // segments whose files were opened without a look at their checksum
	checked atomic.Bool // there are none any more
	packed  atomic.Bool // the columns were packed since the start

	measured      int // vectors at the last calibration, which only run does
	measuredModel string

	mu      sync.Mutex
	problem string  // the last sentence, so that it is said once
	lost    []int64 // documents that damaged files held, to be read again
	old     []int64 // documents that were analysed by an older version
}

func newKeeper(src StoredSource, f Files) (*keeper, error) {
	folder, err := disk.Open(f.Dir)
	if err != nil {
		return nil, err
	}
	k := &keeper{folder: folder, manifest: f.Manifest, source: src, notice: f.Notice, spares: f.Spares, again: f.again, due: make(chan struct{}, 1), settle: make(chan chan error)}
	if k.sealFrom = f.SealFrom; k.sealFrom <= 0 {
		k.sealFrom = sealFrom
	}
	if k.notice == nil {
		k.notice = func(string) {}
	}
	if k.spares == nil {
		k.spares = func() bool { return false }
	}
	if k.again <= 0 {
		k.again = sparedFor
	}
	k.ctx, k.cancel = context.WithCancel(context.Background())
	return k, nil
}

// wake asks for a look at what can be written or merged. It never waits.
func (k *keeper) wake() {
	select {
	case k.due <- struct{}{}:
	default: // a look is due already
	}
}

// calm is how long after a start from files nothing is done for its own sake, so
// that reading them whole does not stand beside the first question.
const calm = time.Second

// packTime is how long an end may wait for the columns to be packed.
const packTime = 5 * time.Second

// run works until the keeper is closed. What is postponed is looked at again
// when the answer about the power is old.
func (k *keeper) run(x *Index) {
	lowPriority()
	due, begin := k.due, make(<-chan time.Time)
	if len(k.unread) > 0 {
		due, begin = nil, time.After(calm)
	}
	for {
		var later <-chan time.Time
		if k.postponed {
			later = time.After(k.again)
		}
		select {
		case <-k.ctx.Done():
			return
		case <-begin:
			due = k.due
		case <-due:
			_ = k.work(x, false) // it was said
		case <-later:
			_ = k.work(x, false)
		case reply := <-k.settle:
			reply <- k.work(x, true)
		}
	}
}

// work does what there is to do; all of it when somebody waits. An error ends
// it until the next change.
func (k *keeper) work(x *Index, waited bool) error {
	k.postponed = false
	for {
		more, err := x.step(k.ctx, waited)
		if err != nil && k.ctx.Err() == nil {
			k.say("The search index cannot be kept on the disk now: " + sentence(err) + " Search works; the next start takes longer.")
			return err
		}
		if err != nil || !more {
			return err
		}
	}
}

// waits tells whether upkeep that is due has to wait, and notes it.
func (k *keeper) waits() bool {
	if now := time.Now(); k.asked.IsZero() || now.Sub(k.asked) >= k.again {
		k.spared, k.asked = k.spares(), now
	}
	k.postponed = k.spared
	return k.spared
}

// say tells a sentence unless it was the last one.
func (k *keeper) say(sentence string) {
	k.mu.Lock()
	again := k.problem == sentence
	k.problem = sentence
	k.mu.Unlock()
	if !again {
		k.notice(sentence)
	}
}

// discard takes segments off the list and deletes their files: they hold what
// may not be kept. Where the list cannot be written the files go all the same;
// the next start finds them missing.
func (k *keeper) discard(rows []index.Segment) {
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	_ = k.manifest.CommitSegments(context.WithoutCancel(k.ctx), nil, ids)
	for _, row := range rows {
		k.folder.Remove(fileNames(row)...)
	}
}

// Settle returns when everything that can be written or merged now is, with the
// error that stopped it. An index without files is always settled.
func (x *Index) Settle(ctx context.Context) error {
	if x.files == nil {
		return nil
	}
	reply := make(chan error, 1)
	select {
	case x.files.settle <- reply:
	case <-x.files.ctx.Done():
		return errors.New("segment: the index is closed")
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tailFrom is the number of chunks in memory that Close writes: analysing fewer
// at the next start is quicker than a file of their own would ever be again.
const tailFrom = 64

// Close writes what is in memory only, ends the work in the background and waits
// for it. What cannot be written, and what a killed program did not write, is
// built again at the next start.
func (x *Index) Close() error {
	if x.files == nil {
		return nil
	}
	x.stop()
	s := x.current.Load()
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), packTime)
		defer cancel()
		_ = x.files.source.PackColumns(ctx) // the next start reads longer, and that is all
	}()
	if tail := toSeal(s.blocks, min(tailFrom, x.files.sealFrom)); len(tail) > 0 {
		_ = disk.Guard(s.broken, func() error { return x.compact(context.Background(), tail, s.model) })
	}
	return nil
}

// stop ends the work in the background and waits for it.
func (x *Index) stop() {
	x.files.cancel()
	x.files.done.Wait()
}
