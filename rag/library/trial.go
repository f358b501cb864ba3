package library

import (
	"context"
	"errors"
	"time"

	"referent/inference"
	"referent/storage/index"
)

const (
	// maxRefused is how often a text may fail alone before it is passed over until
	// the next start. One that ends the worker is passed over at once.
	maxRefused = 2
	// maxSpared is how many batches may end the worker though each of their texts
	// goes through alone, before texts are embedded one by one.
	maxSpared = 2
	// maxBad is how many texts in a row may end the worker before it gets a rest:
	// each costs two starts of it.
	maxBad = 3
)

// harmless is a passage that every embedding model can bear, as long as others.
const harmless = "The house stands at the end of a quiet street, between a garden and a small park. It has two floors, a cellar and a roof of red tiles. " +
	"In the morning the sun comes in from the kitchen side; in the evening it shines into the living room. A path of flat stones leads from the gate to the door, and next to it grow roses."

// trials is what one run has learnt about texts that a model cannot bear.
type trials struct {
	refused map[string]int // by content: how often it alone failed
	spared  int            // see maxSpared
	bad     int            // texts in a row that ended the worker
}

func newTrials() *trials { return &trials{refused: map[string]int{}} }

// willing leaves out texts that the model has refused.
func (t *trials) willing(chunks []index.Chunk) []index.Chunk {
	out := make([]index.Chunk, 0, len(chunks))
	for _, c := range chunks {
		if t.refused[c.ContentHash] < maxRefused {
			out = append(out, c)
		}
	}
	return out
}

// keeper stores the vectors of chunks.
type keeper func(chunks []index.Chunk, vectors [][]float32) error

// embedBatch embeds a batch. When it fails and a harmless text does not, each text
// is tried alone, so that one that the model cannot bear costs only itself.
func (l *Library) embedBatch(ctx context.Context, embedder inference.Embedder, chunks []index.Chunk, t *trials, keep keeper) error {
	if t.spared >= maxSpared {
		_, err := l.embedSingly(ctx, embedder, chunks, t, keep)
		return err
	}
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = EmbedText(c)
	}
	began := time.Now()
	vectors, err := embedder.Embed(ctx, inference.KindPassage, texts, inference.PriorityIndexing)
	if err == nil {
		t.bad = 0
		l.measure.vectors(VectorKey(embedder.Info()), len(chunks), time.Since(began))
		return keep(chunks, vectors)
	}
	if ctx.Err() != nil || unserved(err) {
		return err
	}
	if err := bears(ctx, embedder); err != nil {
		return err
	}
	died := errors.Is(err, inference.ErrWorkerDied)
	failed, err := l.embedSingly(ctx, embedder, chunks, t, keep)
	if died && err == nil && failed == 0 {
		t.spared++
	}
	return err
}

// unserved tells whether there is no model at present, whatever the text.
func unserved(err error) bool {
	return errors.Is(err, inference.ErrNoModel) || errors.Is(err, inference.ErrNoRuntime) || errors.Is(err, inference.ErrParked)
}

// bears tells by a harmless text whether the model itself is at fault. Its priority
// is the lowest that is held against the model: one that dies of it is put aside.
func bears(ctx context.Context, embedder inference.Embedder) error {
	_, err := embedder.Embed(ctx, inference.KindPassage, []string{harmless}, inference.PriorityRerank)
	return err
}

// embedSingly embeds texts one by one and tells how many failed. A text that ends
// the worker is passed over from then on, if a harmless one goes through after it.
func (l *Library) embedSingly(ctx context.Context, embedder inference.Embedder, chunks []index.Chunk, t *trials, keep keeper) (failed int, err error) {
	for i, c := range chunks {
		one, err := embedder.Embed(ctx, inference.KindPassage, []string{EmbedText(c)}, inference.PriorityIndexing)
		switch {
		case ctx.Err() != nil:
			return failed, ctx.Err()
		case err == nil:
			t.bad = 0
			if err := keep(chunks[i:i+1], one); err != nil {
				return failed, err
			}
			continue
		case unserved(err):
			return failed, err
		}
		failed++
		if !errors.Is(err, inference.ErrWorkerDied) {
			t.refused[c.ContentHash]++
			continue
		}
		if err := bears(ctx, embedder); err != nil {
			return failed, err
		}
		t.refused[c.ContentHash] = maxRefused
		if t.bad++; t.bad%maxBad == 0 {
			l.breathe(ctx)
		}
	}
	return failed, nil
}

// breathe waits for as long as the library looks for a model again.
func (l *Library) breathe(ctx context.Context) {
	fires, stop := l.clock.After(idleCheck)
	defer stop()
	select {
	case <-ctx.Done():
	case <-fires:
	}
}
