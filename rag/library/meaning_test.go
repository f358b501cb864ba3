package library

import (
	"context"
	"strings"
	"sync"
	"testing"

	"referent/inference"
)

// parkingEmbedder is put aside by each call with "poison", until it is loaded again.
type parkingEmbedder struct {
	*fakeEmbedder
	mu     sync.Mutex
	parked bool
	times  int
}

func (p *parkingEmbedder) Embed(ctx context.Context, kind inference.TextKind, texts []string, priority inference.Priority) ([][]float32, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.parked && strings.Contains(strings.Join(texts, " "), "poison") {
		p.parked = true
		p.times++
	}
	if p.parked {
		return nil, &inference.Error{Kind: inference.ErrWorkerDied, Message: "It was put aside.", Cause: inference.ErrParked}
	}
	return p.fakeEmbedder.Embed(ctx, kind, texts, priority)
}

func (p *parkingEmbedder) load() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parked = false
}

// aside tells whether the model is put aside for that many times.
func (p *parkingEmbedder) aside(times int) func() bool {
	return func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.parked && p.times == times
	}
}

// A passage that puts the model aside is found by the next load and passed over by
// those after it.
func TestTextThatPutsTheModelAsideIsRefused(t *testing.T) {
	s := newShelf(t)
	s.Library.Close()
	e := &parkingEmbedder{fakeEmbedder: s.embedder}
	s.Library = New(Deps{Store: s.store, Extract: s.reader.extract, Index: s.index, Clock: s.clock,
		Embedder: func() (inference.Embedder, error) { return e, nil }})
	s.ok(s.Start(t.Context()))
	s.Pause()
	s.write("a.txt", "The boiler is warm.\n")
	s.write("b.txt", "A poison text.\n")
	s.write("c.txt", "The garden is green.\n")
	s.add("")
	s.Resume()
	s.until("a batch puts the model aside", e.aside(1))
	s.until("the status says so", func() bool { return strings.HasSuffix(s.progress().WordsOnly, "It was put aside.") })
	e.load()
	s.until("the passage alone does", e.aside(2))
	e.load()
	s.write("d.txt", "The kettle is new.\n")
	s.until("all others have vectors", func() bool { p := s.progress(); return p.VectorsDone == 3 && p.WordsOnly == "" })
	s.until("it is found by its words", s.finding("poison", "b.txt"))
	if e.aside(2)() || e.times != 2 {
		t.Errorf("put aside %d times", e.times)
	}
}
