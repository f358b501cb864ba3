package segment

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/lexical"
	"referent/storage/index"
)

// library is a Source in memory, and the verbs of the stories below.
type library struct {
	chunks  []index.Chunk
	columns []index.DocumentColumns
	vectors map[int64][]float32
	err     error
}

func (l *library) EachChunk(_ context.Context, after int64, fn func(index.Chunk) error) error {
	for _, c := range l.chunks {
		if c.ID > after {
			if err := fn(c); err != nil {
				return err
			}
		}
	}
	return l.err
}

func (l *library) EachDocumentColumns(_ context.Context, fn func(index.DocumentColumns) error) error {
	for _, c := range l.columns {
		if err := fn(c); err != nil {
			return err
		}
	}
	return nil
}

func (l *library) EachVector(_ context.Context, model string, fn func(int64, []float32) error) error {
	if model != "e5" {
		return nil
	}
	for _, c := range l.chunks {
		if v := l.vectors[c.ID]; v != nil {
			if err := fn(c.ID, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func columns(id int64, change ...func(*index.DocumentColumns)) index.DocumentColumns {
	c := index.DocumentColumns{ID: id, Path: "/home/ada/doc.md", Kind: "markdown", Language: "en", Label: "public",
		ModTime: time.Date(2024, 3, 1, 12, 0, 0, 0, time.Local), Searchable: true}
	for _, f := range change {
		f(&c)
	}
	return c
}

func chunk(id, document int64, text string) index.Chunk {
	return index.Chunk{ID: id, Document: document, Text: text, Language: "en"}
}

func opened(t *testing.T, l *library) *Index {
	t.Helper()
	x, err := Open(context.Background(), l, "e5")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// found returns the chunks that hold a word, hidden documents aside.
func found(t *testing.T, s *Snapshot, text string) []int64 {
	t.Helper()
	allow, err := s.Allowed(rag.Scope{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := s.Lexical().Search(context.Background(), lexical.NewQuery(text, s.Languages()), allow, 100)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.Chunk)
	}
	slices.Sort(ids)
	return ids
}

func near(t *testing.T, s *Snapshot, v ...float32) []int64 {
	t.Helper()
	hits, err := s.Dense().Search(context.Background(), v, nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.Chunk)
	}
	return ids
}

func TestIndex_FollowsADocumentFromAddToRemove(t *testing.T) {
	x := opened(t, &library{})
	before := x.Snapshot()
	x.Add(columns(1), []index.Chunk{chunk(10, 1, "the pump hums"), chunk(11, 1, "the boiler rests")})
	x.Add(columns(2), []index.Chunk{chunk(12, 2, "a second pump")})
	if got := found(t, x.Snapshot(), "pumps"); !slices.Equal(got, []int64{10, 12}) {
		t.Fatalf("after two adds: %v", got)
	}
	if before.Chunks() != 0 {
		t.Fatal("an older snapshot changed")
	}
	if err := x.SetVectors("e5", []ChunkVector{{10, []float32{1, 0}}, {11, []float32{0, 1}}, {12, []float32{1, 1}}}); err != nil {
		t.Fatal(err)
	}
	if got := near(t, x.Snapshot(), 1, 0); !slices.Equal(got, []int64{10, 12, 11}) {
		t.Fatalf("by meaning: %v", got)
	}
	// Chunk 11 keeps its id and so its vector; chunk 10 went away.
	x.Add(columns(1), []index.Chunk{chunk(11, 1, "the boiler rests"), chunk(13, 1, "the valve opens")})
	if got := found(t, x.Snapshot(), "pump"); !slices.Equal(got, []int64{12}) {
		t.Fatalf("after the replacement: %v", got)
	}
	if got := near(t, x.Snapshot(), 1, 0); !slices.Equal(got, []int64{12, 11}) {
		t.Fatalf("vectors after the replacement: %v", got)
	}
	x.Remove(1)
	if s := x.Snapshot(); s.Chunks() != 1 || s.Dense().Count() != 1 || s.DocumentFrequency("boiler") != 0 {
		t.Fatalf("%d chunks, %d vectors, boiler in %d", s.Chunks(), s.Dense().Count(), s.DocumentFrequency("boiler"))
	}
}

func TestIndex_MasksAndUnmasks(t *testing.T) {
	x := opened(t, &library{})
	x.AddAll([]Addition{{columns(1), []index.Chunk{chunk(1, 1, "pump")}}, {columns(2), []index.Chunk{chunk(2, 2, "pump")}}})
	x.Mask(1, 77)
	if got := found(t, x.Snapshot(), "pump"); !slices.Equal(got, []int64{2}) {
		t.Fatalf("masked: %v", got)
	}
	if _, ok := x.Snapshot().Document(1); ok || x.Snapshot().Holds(1, 1) {
		t.Fatal("a masked document can be seen")
	}
	x.Unmask(1)
	if got := found(t, x.Snapshot(), "pump"); !slices.Equal(got, []int64{1, 2}) {
		t.Fatalf("unmasked: %v", got)
	}
}

func TestP68_ARestrictedDocumentHasNoPostingAndNoVector(t *testing.T) {
	l := &library{
		columns: []index.DocumentColumns{columns(1), columns(2, func(c *index.DocumentColumns) { c.Label = "restricted"; c.Searchable = false })},
		chunks:  []index.Chunk{chunk(1, 1, "public pigeon"), chunk(2, 2, "secret falcon")}, // a source that leaks
		vectors: map[int64][]float32{1: {1, 0}, 2: {0, 1}},
	}
	x := opened(t, l)
	gone := func(s *Snapshot, chunk int64, word string) {
		t.Helper()
		if s.DocumentFrequency(word) != 0 || s.Holds(chunk, chunk) {
			t.Fatalf("%s can be found", word)
		}
		if _, ok := s.Dense().Vector(chunk); ok {
			t.Fatalf("the vector of %s is there", word)
		}
	}
	gone(x.Snapshot(), 2, "falcon")
	if n := x.Snapshot().Restricted(rag.Scope{}, nil); n != 1 {
		t.Fatalf("%d restricted, want 1", n)
	}
	x.SetColumns(columns(1, func(c *index.DocumentColumns) { c.Label = "restricted" }))
	gone(x.Snapshot(), 1, "pigeon")
	if err := x.SetVectors("e5", []ChunkVector{{1, []float32{1, 0}}}); err == nil {
		t.Fatal("a vector of a restricted chunk was taken")
	}
	gone(x.Snapshot(), 1, "pigeon")
	x.Add(columns(2, func(c *index.DocumentColumns) { c.Label = "restricted" }), []index.Chunk{chunk(2, 2, "secret falcon")})
	gone(x.Snapshot(), 2, "falcon")
	if n := x.Snapshot().Restricted(rag.Scope{}, nil); n != 2 {
		t.Fatalf("%d restricted, want 2", n)
	}
	x.Add(columns(1), []index.Chunk{chunk(1, 1, "public pigeon")})
	if s := x.Snapshot(); s.Restricted(rag.Scope{}, nil) != 1 || !s.Holds(1, 1) || s.Holds(1, 2) {
		t.Fatal("a document that is public again must be found again, as itself")
	}
}

func TestIndex_ServesOneModelAtATime(t *testing.T) {
	l := &library{columns: []index.DocumentColumns{columns(1)}, chunks: []index.Chunk{chunk(1, 1, "pump")}, vectors: map[int64][]float32{1: {1, 0}}}
	x := opened(t, l)
	if err := x.SetVectors("other", []ChunkVector{{1, []float32{1, 0, 0}}}); err != nil {
		t.Fatal(err)
	}
	if s := x.Snapshot(); s.Dense().Dimensions() != 2 || s.Model() != "e5" {
		t.Fatalf("%d dimensions of %q", s.Dense().Dimensions(), s.Model())
	}
	if err := x.SetVectors("e5", []ChunkVector{{1, []float32{1, 0, 0}}}); err == nil {
		t.Fatal("a vector of another length must be named")
	}
	if err := x.UseModel(context.Background(), l, "new"); err != nil {
		t.Fatal(err)
	}
	if s := x.Snapshot(); s.Dense().Count() != 0 || s.Model() != "new" || s.Chunks() != 1 {
		t.Fatal("the old model's vectors are still served")
	}
	if err := x.SetVectors("new", []ChunkVector{{1, []float32{1, 0, 0}}}); err != nil || x.Snapshot().Dense().Dimensions() != 3 {
		t.Fatalf("the new model's vectors are not taken: %v", err)
	}
}

func TestOpen_GivesTheSourcesError(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Open(context.Background(), &library{err: broken}, ""); !errors.Is(err, broken) {
		t.Fatalf("got %v", err)
	}
}

// Readers and writers at once; the race detector is the judge, and every
// snapshot must be whole: both chunks of a document or none.
func TestIndex_ReadersNeverSeeHalfADocument(t *testing.T) {
	x := opened(t, &library{})
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for w := range int64(2) {
		writers.Go(func() {
			for i := range int64(60) {
				id := w*1000 + i%20 + 1
				x.Add(columns(id), []index.Chunk{chunk(2*id, id, "left pump"), chunk(2*id+1, id, "right pump")})
				if err := x.SetVectors("e5", []ChunkVector{{2 * id, []float32{1, 0}}, {2*id + 1, []float32{0, 1}}}); err != nil {
					t.Error(err)
				}
				if i%7 == 0 {
					x.Remove(id)
				}
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				s := x.Snapshot()
				if n := len(found(t, s, "pump")); n%2 != 0 && n < 100 {
					t.Errorf("%d chunks: half a document", n)
				}
				near(t, s, 1, 0)
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
}

func TestP68_ALabelChangeWinsOverAnAddThatIsUnderWay(t *testing.T) {
	x := opened(t, &library{})
	batch := []Addition{{columns(1), []index.Chunk{chunk(1, 1, "secret falcon")}}, {columns(2), []index.Chunk{chunk(2, 2, "public pigeon")}}}
	before, built := x.Snapshot(), build(batch)
	x.SetColumns(columns(1, func(c *index.DocumentColumns) { c.Label = "restricted" }))
	x.insert(before, batch, built)
	s := x.Snapshot()
	if s.DocumentFrequency("falcon") != 0 || s.DocumentFrequency("pigeon") != 1 || s.Restricted(rag.Scope{}, nil) != 1 {
		t.Fatalf("falcon in %d, pigeon in %d, %d restricted", s.DocumentFrequency("falcon"), s.DocumentFrequency("pigeon"), s.Restricted(rag.Scope{}, nil))
	}
}
