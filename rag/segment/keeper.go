package segment

import (
	"context"
	"errors"
	"sync"

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
	// Notice hears a sentence for people when something had to be built again
	// or cannot be kept. May be nil.
	Notice func(sentence string)
}

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

	measured      int // vectors at the last calibration, which only run does
	measuredModel string

	mu      sync.Mutex
	problem string  // the last sentence, so that it is said once
	lost    []int64 // documents that damaged files held, to be read again
}

func newKeeper(src StoredSource, f Files) (*keeper, error) {
	folder, err := disk.Open(f.Dir)
	if err != nil {
		return nil, err
	}
	k := &keeper{folder: folder, manifest: f.Manifest, source: src, notice: f.Notice, due: make(chan struct{}, 1), settle: make(chan chan error)}
	if k.sealFrom = f.SealFrom; k.sealFrom <= 0 {
		k.sealFrom = sealFrom
	}
	if k.notice == nil {
		k.notice = func(string) {}
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

// run works until the keeper is closed.
func (k *keeper) run(x *Index) {
	lowPriority()
	for {
		select {
		case <-k.ctx.Done():
			return
		case <-k.due:
			k.work(x)
		case reply := <-k.settle:
			reply <- k.work(x)
		}
	}
}

// work does what there is to do. An error ends it until the next change.
func (k *keeper) work(x *Index) error {
	for {
		more, err := x.step(k.ctx)
		if err != nil && k.ctx.Err() == nil {
			k.say("The search index cannot be kept on the disk now: " + sentence(err) + " Search works; the next start takes longer.")
			return err
		}
		if err != nil || !more {
			return err
		}
	}
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

// Close ends the work in the background and waits for it. What is in memory
// only is built again at the next start.
func (x *Index) Close() error {
	if x.files != nil {
		x.files.cancel()
		x.files.done.Wait()
	}
	return nil
}
