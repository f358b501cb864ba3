package library

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"referent/inference"
)

// frailEmbedder behaves as an embedder in a worker: texts for an index that end
// the worker are never held against it, any other text that does puts it aside
// until it is loaded again. "poison" ends the worker, with batches set several
// texts do, and with broken set every text.
type frailEmbedder struct {
	*fakeEmbedder
	mu              sync.Mutex
	broken, batches bool
	deaths          [][]string // the texts at each
	parked          bool
}

func (e *frailEmbedder) Embed(ctx context.Context, kind inference.TextKind, texts []string, priority inference.Priority) ([][]float32, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.parked {
		return nil, &inference.Error{Kind: inference.ErrWorkerDied, Message: "It was put aside.", Cause: inference.ErrParked}
	}
	if e.broken || e.batches && len(texts) > 1 || strings.Contains(strings.Join(texts, " "), "poison") {
		e.deaths = append(e.deaths, texts)
		if priority != inference.PriorityIndexing {
			e.parked = true
			return nil, &inference.Error{Kind: inference.ErrWorkerDied, Message: "It was put aside.", Cause: inference.ErrParked}
		}
		return nil, &inference.Error{Kind: inference.ErrWorkerDied, Message: "The model worker ended twice."}
	}
	return e.fakeEmbedder.Embed(ctx, kind, texts, priority)
}

// load mends the model and loads it again.
func (e *frailEmbedder) load() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.broken, e.parked = false, false
}

func (e *frailEmbedder) aside() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.parked
}

// sizes is how many texts were at work at each death.
func (e *frailEmbedder) sizes() []int {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []int
	for _, texts := range e.deaths {
		out = append(out, len(texts))
	}
	return out
}

// frailShelf is a library with one file for each text, which has read them all when
// the model comes.
func frailShelf(t *testing.T, e *frailEmbedder, texts ...string) *shelf {
	t.Helper()
	s := newShelf(t)
	s.Library.Close()
	e.fakeEmbedder = s.embedder
	var there atomic.Bool
	s.Library = New(Deps{Store: s.store, Extract: s.reader.extract, Index: s.index, Clock: s.clock,
		Embedder: func() (inference.Embedder, error) {
			if !there.Load() {
				return nil, &inference.Error{Kind: inference.ErrNoModel, Message: "No model."}
			}
			return e, nil
		}})
	s.ok(s.Start(t.Context()))
	for i, text := range texts {
		s.write(fmt.Sprintf("%02d.txt", i), text)
	}
	s.add("")
	s.sync()
	there.Store(true)
	s.wakeMeaning()
	return s
}

// Passages that end the worker cost only themselves: each is found alone, passed
// over from then on, and the model stays, however many they are.
func TestPassagesThatEndTheWorkerArePassedOver(t *testing.T) {
	e := &frailEmbedder{}
	var texts []string
	for n := range 5 {
		texts = append(texts, fmt.Sprintf("A poison text, %d.\n", n))
	}
	s := frailShelf(t, e, append(texts, "The boiler is warm.\n", "The garden is green.\n")...)
	s.until("the others have vectors", func() bool { p := s.progress(); return p.VectorsDone == 2 && p.WordsOnly == "" })
	s.write("late.txt", "The kettle is new.\n")
	s.until("a later one too", func() bool { return s.progress().VectorsDone == 3 })
	s.until("a bad one is found by its words", s.finding("poison", "00.txt", "01.txt", "02.txt", "03.txt", "04.txt"))
	if got := e.sizes(); !slices.Equal(got, []int{7, 1, 1, 1, 1, 1}) || e.aside() {
		t.Errorf("deaths under so many texts: %v; put aside: %v", got, e.aside())
	}
}

// A model that a harmless text ends as well is put aside by it, and no passage is
// blamed: after the next load all of them get their vectors.
func TestAModelThatEndsAtAHarmlessTextIsPutAside(t *testing.T) {
	e := &frailEmbedder{broken: true}
	s := frailShelf(t, e, "The boiler is warm.\n", "The garden is green.\n")
	s.until("the model is put aside", e.aside)
	s.until("the status says so", func() bool { return strings.HasSuffix(s.progress().WordsOnly, "It was put aside.") })
	if got := e.sizes(); !slices.Equal(got, []int{2, 1}) {
		t.Errorf("deaths under so many texts: %v", got)
	}
	e.load()
	s.until("all have vectors", func() bool { p := s.progress(); return p.VectorsDone == 2 && p.WordsOnly == "" })
}

// A model that bears no batch gets its texts one by one, after two batches whose
// texts all went through alone.
func TestAModelThatBearsNoBatchGetsTextsOneByOne(t *testing.T) {
	e := &frailEmbedder{batches: true}
	var texts []string
	for n := range 3 * batchChunks {
		texts = append(texts, fmt.Sprintf("Boiler number %d is warm.\n", n))
	}
	s := frailShelf(t, e, texts...)
	s.until("all have vectors", func() bool { p := s.progress(); return p.VectorsDone == len(texts) && p.WordsOnly == "" })
	if got := e.sizes(); !slices.Equal(got, []int{batchChunks, batchChunks}) || e.aside() {
		t.Errorf("deaths under so many texts: %v; put aside: %v", got, e.aside())
	}
}
