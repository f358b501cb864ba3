package library

import (
	"context"
	"errors"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/segment"
	"referent/storage/index"
)

const (
	fetchChunks = 512 // chunks asked of the store at a time
	batchChunks = 16  // chunks embedded or counted in one call
	idleCheck   = 30 * time.Second
)

// VectorKey names an embedding model in the store: the hash of its file, since
// another file gives other vectors.
func VectorKey(info inference.ModelInfo) string {
	if info.Hash != "" {
		return info.Hash
	}
	return info.ID
}

// EmbedText is the text of a chunk as it is embedded.
func EmbedText(c index.Chunk) string {
	if c.Header == "" {
		return c.Text
	}
	return c.Header + "\n" + c.Text
}

// embedAndCount gives chunks their vectors and token counts in the background,
// the newest first.
func (l *Library) embedAndCount(ctx context.Context) {
	known := newTrials()
	for ctx.Err() == nil {
		wake := l.meaning.wait()
		embedded, err := l.embedSome(ctx, known)
		if ctx.Err() != nil {
			return
		}
		l.setMute(err)
		counted := l.countSome(ctx)
		if embedded || counted {
			continue
		}
		l.endPass(wake)
		fires, stop := l.clock.After(idleCheck)
		select {
		case <-ctx.Done():
		case <-wake:
		case <-fires: // a model may have come, or come back
		}
		stop()
	}
}

// wakeMeaning has the chunks without vectors looked for again.
func (l *Library) wakeMeaning() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.passed = false
	l.meaning.raise() // under the lock: endPass must not miss it
}

// endPass notes that whatever could be embedded is, unless more was asked for
// meanwhile.
func (l *Library) endPass(wake <-chan struct{}) {
	l.saveMeasured(context.Background())
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-wake:
		return
	default:
	}
	l.passed = true
	l.signal.raise()
}

func (l *Library) passEnded() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.passed
}

// embedSome embeds what is missing, up to fetchChunks. False: there was nothing
// to do, or it could not be done.
func (l *Library) embedSome(ctx context.Context, known *trials) (bool, error) {
	if l.deps.Embedder == nil || l.isPaused() {
		return false, nil
	}
	embedder, err := l.deps.Embedder()
	if err != nil {
		return false, err
	}
	model := VectorKey(embedder.Info())
	missing, err := l.store.MissingVectors(ctx, model, fetchChunks+len(known.refused))
	if err != nil {
		return false, err
	}
	todo := known.willing(missing)
	for i := 0; i < len(todo); i += batchChunks {
		l.spare(ctx)
		keep := func(chunks []index.Chunk, vectors [][]float32) error {
			return l.keepVectors(ctx, model, chunks, vectors)
		}
		if err := l.embedBatch(ctx, embedder, todo[i:min(i+batchChunks, len(todo))], known, keep); err != nil {
			return false, err
		}
		if l.isPaused() {
			return false, nil
		}
	}
	return len(todo) > 0, nil
}

func (l *Library) keepVectors(ctx context.Context, model string, chunks []index.Chunk, vectors [][]float32) error {
	if len(vectors) != len(chunks) {
		return errors.New("library: the embedder gave a wrong number of vectors")
	}
	stored := make([]index.HashVector, len(chunks))
	hashes := make([]string, len(chunks))
	for i, c := range chunks {
		stored[i], hashes[i] = index.HashVector{ContentHash: c.ContentHash, V: vectors[i]}, c.ContentHash
	}
	l.publish.Lock()
	defer l.publish.Unlock()
	put := l.store.PutVectors
	if l.deps.Serves != nil && l.deps.Serves() != "" && l.deps.Serves() != model {
		put = l.store.StageVectors // another model took over while this one worked
	}
	if err := put(ctx, model, stored); err != nil {
		return err
	}
	ids, err := l.store.ChunksWithContent(ctx, hashes)
	if err != nil {
		return err
	}
	var shown []segment.ChunkVector
	for _, v := range stored {
		for _, id := range ids[v.ContentHash] {
			shown = append(shown, segment.ChunkVector{Chunk: id, V: v.V})
		}
	}
	// Vectors that cannot be used are counted by the error; the file may have
	// gone meanwhile. The others are in.
	_ = l.deps.Index.SetVectors(model, shown)
	l.mu.Lock()
	l.vectors.add(len(shown), l.clock.Now())
	l.mu.Unlock()
	l.changed(Event{Kind: EventProgress})
	return nil
}

// showVectors hands the stored vectors of a document to the search.
func (l *Library) showVectors(ctx context.Context, document int64) error {
	if l.deps.Embedder == nil {
		return nil
	}
	embedder, err := l.deps.Embedder()
	if err != nil {
		return nil // no model, no search by meaning
	}
	model := VectorKey(embedder.Info())
	var vectors []segment.ChunkVector
	err = l.store.DocumentVectors(ctx, model, document, func(chunk int64, v []float32) error {
		vectors = append(vectors, segment.ChunkVector{Chunk: chunk, V: v})
		return nil
	})
	if err == nil && len(vectors) > 0 {
		_ = l.deps.Index.SetVectors(model, vectors) // as in keepVectors
	}
	return err
}

// countSome counts the tokens of chunks that were not counted by the answer
// model's tokenizer yet. False: there was nothing to do, or it could not be
// done; packing then counts live.
func (l *Library) countSome(ctx context.Context) bool {
	if l.deps.Tokenizer == nil || l.isPaused() {
		return false
	}
	tokenizer, err := l.deps.Tokenizer()
	if err != nil {
		return false
	}
	key := VectorKey(tokenizer.Info())
	missing, err := l.store.MissingTokenCounts(ctx, key, fetchChunks)
	if err != nil || len(missing) == 0 {
		return false
	}
	for i := 0; i < len(missing); i += batchChunks {
		batch := missing[i:min(i+batchChunks, len(missing))]
		texts := make([]string, len(batch))
		for j, c := range batch {
			texts[j] = c.Text
		}
		n, err := tokenizer.CountTokens(ctx, texts)
		if err != nil || len(n) != len(batch) {
			return false
		}
		counts := make(map[int64]int, len(batch))
		for j, c := range batch {
			counts[c.ID] = n[j]
		}
		if err := l.store.PutTokenCounts(ctx, key, counts); err != nil {
			return false
		}
	}
	return true
}

// setMute keeps why there is no search by meaning; nil: there is.
func (l *Library) setMute(err error) {
	text := ""
	switch {
	case errors.Is(err, inference.ErrNoModel):
		text = "No embedding model is loaded. Files are found by their words only."
	case err != nil:
		text = "Search by meaning waits. Files are found by their words."
		var known *inference.Error
		var refused *rag.Error
		if errors.As(err, &known) {
			text += " " + known.Error()
		} else if errors.As(err, &refused) {
			text += " " + refused.Error()
		}
	}
	l.mu.Lock()
	changed := l.mute != text
	l.mute = text
	l.mu.Unlock()
	if changed {
		l.changed(Event{Kind: EventProgress, Reason: text})
	}
}
