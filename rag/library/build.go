package library

import (
	"context"
	"errors"

	"referent/inference"
	"referent/storage/index"
)

// BuildVectors makes vectors of another model than the one that is served, for
// every passage that may be found, beside those that are served. Each batch is
// kept at once: when ctx ends, the next call goes on from there. It gives way to
// questions and rests while the library is paused. progress hears of passages
// done of all; it may be nil. The error is the context's, the store's, or the
// embedder's.
func (l *Library) BuildVectors(ctx context.Context, embedder inference.Embedder, progress func(done, total int)) error {
	model := VectorKey(embedder.Info())
	if progress == nil {
		progress = func(int, int) {}
	}
	known := newTrials()
	keep := func(chunks []index.Chunk, vectors [][]float32) error {
		return l.stageVectors(ctx, model, chunks, vectors)
	}
	for {
		missing, err := l.store.MissingVectors(ctx, model, fetchChunks+len(known.refused))
		if err != nil {
			return err
		}
		done, total, err := l.store.VectorProgress(ctx, model)
		if err != nil {
			return err
		}
		progress(done, total)
		todo := 0
		for i := 0; i < len(missing); i += batchChunks {
			batch := known.willing(missing[i:min(i+batchChunks, len(missing))])
			if len(batch) == 0 {
				continue
			}
			if err := l.restWhilePaused(ctx); err != nil {
				return err
			}
			l.giveWay(ctx) // and spares the battery
			if err := l.embedBatch(ctx, embedder, batch, known, keep); err != nil {
				return err
			}
			todo += len(batch)
			progress(min(done+todo, total), total)
		}
		if todo == 0 {
			return ctx.Err()
		}
	}
}

// Switch makes another model the one that is served and counted for: use puts
// its vectors in place of the present ones. Nothing else is published meanwhile.
func (l *Library) Switch(ctx context.Context, model string, use func() error) error {
	l.publish.Lock()
	defer l.publish.Unlock()
	defer l.wakeMeaning()
	if err := use(); err != nil {
		return err
	}
	return l.store.CountFor(ctx, model)
}

func (l *Library) stageVectors(ctx context.Context, model string, chunks []index.Chunk, vectors [][]float32) error {
	if len(vectors) != len(chunks) {
		return errors.New("library: the embedder gave a wrong number of vectors")
	}
	stored := make([]index.HashVector, len(chunks))
	for i, c := range chunks {
		stored[i] = index.HashVector{ContentHash: c.ContentHash, V: vectors[i]}
	}
	return l.store.StageVectors(ctx, model, stored)
}

// restWhilePaused returns when the library is not paused, or with the context's
// error.
func (l *Library) restWhilePaused(ctx context.Context) error {
	for {
		resumed := l.meaning.wait()
		if !l.isPaused() {
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-resumed:
		}
	}
}
