package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/extract"
	"referent/rag/lexical"
	"referent/rag/segment"
	"referent/storage/index"
)

// fakeClock stands still until it is moved. It begins an hour ahead of the
// system, so that files written by a test are old.
type fakeClock struct {
	mu     sync.Mutex
	now    time.Time
	timers map[*fakeTimer]bool
}

type fakeTimer struct {
	at time.Time
	c  chan time.Time
}

func newFakeClock() *fakeClock {
	return &fakeClock{now: time.Now().Add(time.Hour), timers: map[*fakeTimer]bool{}}
}

func (c *fakeClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) After(d time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{at: c.now.Add(d), c: make(chan time.Time, 1)}
	c.timers[t] = true
	return t.c, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.timers, t)
	}
}

func (c *fakeClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for t := range c.timers {
		if !t.at.After(c.now) {
			t.c <- c.now
			delete(c.timers, t)
		}
	}
}

// fakeReader reads a text file: each line is a paragraph. It counts what it
// reads. A file whose text begins with "!" ends as that word says.
type fakeReader struct {
	mu      sync.Mutex
	reads   []string                                                                  // base names
	ends    func(text string, file extract.FileOptions) (rag.Extraction, error, bool) // true: it ends so
	holdOn  chan struct{}                                                             // not nil: every reading waits for it
	reading chan string                                                               // not nil: gets the base name of each
}

func (f *fakeReader) extract(ctx context.Context, path string, file extract.FileOptions) (rag.Extraction, error) {
	f.mu.Lock()
	f.reads = append(f.reads, filepath.Base(path))
	hold, ends, reading := f.holdOn, f.ends, f.reading
	f.mu.Unlock()
	if reading != nil {
		reading <- filepath.Base(path)
	}
	if hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
			return rag.Extraction{}, ctx.Err()
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return rag.Extraction{Status: rag.FileDamaged, Reason: "The file is damaged."}, nil
	}
	if ends != nil {
		if ex, err, ok := ends(string(b), file); ok {
			return ex, err
		}
	}
	ex := rag.Extraction{Status: rag.FileIndexed, Kind: "text", Title: fileTitle(path), TitleSource: "file_name", Language: "en", Encoding: "utf-8", Text: string(b)}
	offset := 0
	for line := range strings.Lines(string(b)) {
		text := strings.TrimSuffix(line, "\n")
		if text != "" {
			ex.Blocks = append(ex.Blocks, rag.Block{Kind: rag.BlockParagraph, Text: text, Offset: offset})
		}
		offset += len([]rune(line))
	}
	return ex, nil
}

func (f *fakeReader) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.reads)
}

// fakeEmbedder gives every text the vector {1, its length} of unit length, and
// counts texts. It fails while down, and on a text that holds "poison".
type fakeEmbedder struct {
	mu    sync.Mutex
	texts int
	calls []int // texts in each call that came to an end
	down  error
}

func (f *fakeEmbedder) Info() inference.ModelInfo {
	return inference.ModelInfo{Hash: "model", Dimensions: 2}
}

func (f *fakeEmbedder) Embed(_ context.Context, kind inference.TextKind, texts []string, priority inference.Priority) ([][]float32, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if kind != inference.KindPassage || priority != inference.PriorityIndexing && !slices.Equal(texts, []string{harmless}) {
		return nil, errors.New("not as passages of an index")
	}
	if f.down != nil {
		return nil, f.down
	}
	var vectors [][]float32
	for _, t := range texts {
		if strings.Contains(t, "poison") {
			return nil, &inference.Error{Kind: inference.ErrWorkerDied, Message: "The model worker ended."}
		}
		vectors = append(vectors, []float32{0.6, 0.8})
	}
	f.texts += len(texts)
	f.calls = append(f.calls, len(texts))
	return vectors, nil
}

func (f *fakeEmbedder) CountTokens(_ context.Context, texts []string) ([]int, error) {
	counts := make([]int, len(texts))
	for i, t := range texts {
		counts[i] = len(strings.Fields(t))
	}
	return counts, nil
}

func (f *fakeEmbedder) set(down error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = down
}

func (f *fakeEmbedder) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.texts
}

// shelf is the driver of these tests: a folder with files, and a library.
type shelf struct {
	t        *testing.T
	data     string
	dir      string // resolved
	clock    *fakeClock
	reader   *fakeReader
	embedder *fakeEmbedder
	*Library
	index  *segment.Index
	mu     sync.Mutex
	events []Event
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{t: t, data: t.TempDir(), dir: dir, clock: newFakeClock(), reader: &fakeReader{}, embedder: &fakeEmbedder{}}
	s.start()
	t.Cleanup(func() { s.stop() })
	return s
}

func (s *shelf) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) start() {
	s.t.Helper()
	store, err := index.Open(s.t.Context(), s.data)
	s.ok(err)
	s.index, err = segment.Open(s.t.Context(), store, "model")
	s.ok(err)
	s.Library = New(Deps{Store: store, Extract: s.reader.extract, Index: s.index, Clock: s.clock,
		Embedder:  func() (inference.Embedder, error) { return s.embedder, nil },
		Tokenizer: func() (inference.Tokenizer, error) { return s.embedder, nil },
		Notify: func(e Event) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.events = append(s.events, e)
		}})
	s.ok(s.Start(s.t.Context()))
}

func (s *shelf) stop() {
	s.Library.Close()
	_ = s.store.Close()
}

func (s *shelf) restart() {
	s.t.Helper()
	s.stop()
	s.start()
}

func (s *shelf) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *shelf) write(name, text string) {
	s.t.Helper()
	s.ok(os.MkdirAll(filepath.Dir(s.path(name)), 0o700))
	s.ok(os.WriteFile(s.path(name), []byte(text), 0o600))
}

func (s *shelf) rename(from, to string) {
	s.t.Helper()
	s.ok(os.MkdirAll(filepath.Dir(s.path(to)), 0o700))
	s.ok(os.Rename(s.path(from), s.path(to)))
}

func (s *shelf) remove(name string) {
	s.t.Helper()
	s.ok(os.RemoveAll(s.path(name)))
}

func (s *shelf) add(name string) index.Folder {
	s.t.Helper()
	f, err := s.AddFolder(s.t.Context(), s.path(name), AddOptions{})
	s.ok(err)
	return f
}

// until moves the clock, slowly enough for the system's events to arrive, until
// the condition holds.
func (s *shelf) until(what string, condition func() bool) {
	s.t.Helper()
	deadline := time.After(60 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-deadline:
			s.t.Fatalf("it never came true: %s\nfiles: %v\nstate: %+v", what, s.states(), s.progress())
		case <-tick.C:
			s.clock.advance(50 * time.Millisecond)
		}
	}
}

// sync waits with Sync while the clock moves.
func (s *shelf) sync() {
	s.t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.Sync(s.t.Context(), nil) }()
	s.until("sync ends", func() bool {
		select {
		case err := <-done:
			s.ok(err)
			return true
		default:
			return false
		}
	})
}

// finds returns the names of the files whose chunks hold a word, as the search
// sees it.
func (s *shelf) finds(word string) []string {
	s.t.Helper()
	snapshot := s.index.Snapshot()
	allow, err := snapshot.Allowed(rag.Scope{}, nil, nil)
	s.ok(err)
	hits, err := snapshot.Lexical().Search(s.t.Context(), lexical.NewQuery(word, snapshot.Languages()), allow, 1000)
	s.ok(err)
	names := []string{}
	for _, h := range hits {
		chunks, err := s.store.Chunks(s.t.Context(), []int64{h.Chunk})
		s.ok(err)
		name := "?" // the search has it and the store has not
		if len(chunks) == 1 {
			name = chunks[0].FileName
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (s *shelf) finding(word string, names ...string) func() bool {
	return func() bool { return reflect.DeepEqual(s.finds(word), append([]string{}, names...)) }
}

// states is every file with its status.
func (s *shelf) states() map[string]string {
	s.t.Helper()
	docs, err := s.Files(s.t.Context(), index.DocumentQuery{})
	s.ok(err)
	states := map[string]string{}
	for _, d := range docs {
		name, err := filepath.Rel(s.dir, d.Path)
		s.ok(err)
		states[filepath.ToSlash(name)] = d.Status
	}
	return states
}

func (s *shelf) stateIs(name, status string) func() bool {
	return func() bool { return s.states()[name] == status }
}

func (s *shelf) document(name string) index.Document {
	s.t.Helper()
	d, ok, err := s.store.DocumentByPath(s.t.Context(), s.path(name))
	s.ok(err)
	if !ok {
		s.t.Fatalf("%s is not in the library", name)
	}
	return d
}

func (s *shelf) progress() Progress {
	s.t.Helper()
	p, err := s.Progress(s.t.Context())
	s.ok(err)
	return p
}

func (s *shelf) idle() bool {
	p := s.progress()
	return p.FilesTotal == p.FilesDone && len(p.Reading) == 0 && p.VectorsDone == p.VectorsTotal && s.watch.quiet()
}
