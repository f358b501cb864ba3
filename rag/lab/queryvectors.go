package lab

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"referent/inference"
	"referent/rag/library"
)

// queryVectors keeps the embeddings of search texts beside those of passages, so
// that engines which search the same text, and later runs, pay for it once. Close
// it after use.
type queryVectors struct {
	folder string
	mu     sync.Mutex
	of     string   // the model whose cache is open
	cache  *vectors // nil: none is open
}

// over is a model whose embeddings of search texts are kept; spent hears that some
// had to be made.
func (q *queryVectors) over(e inference.Embedder, spent func()) inference.Embedder {
	return keptQueries{e, q, spent}
}

// Close closes the cache.
func (q *queryVectors) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.cache == nil {
		return nil
	}
	err := q.cache.Close()
	q.cache, q.of = nil, ""
	return err
}

// open opens the cache of a model. Called with mu held.
func (q *queryVectors) open(info inference.ModelInfo) error {
	key := "queries " + library.VectorKey(info)
	if q.of == key {
		return nil
	}
	if q.cache != nil {
		if err := q.cache.Close(); err != nil {
			return err
		}
		q.cache, q.of = nil, ""
	}
	cache, err := openVectors(q.folder, key, info.Dimensions)
	if err == nil {
		q.cache, q.of = cache, key
	}
	return err
}

type keptQueries struct {
	inference.Embedder
	kept  *queryVectors
	spent func()
}

// Embed implements inference.Embedder.
func (k keptQueries) Embed(ctx context.Context, kind inference.TextKind, texts []string, p inference.Priority) ([][]float32, error) {
	if kind != inference.KindQuery {
		return k.Embedder.Embed(ctx, kind, texts, p)
	}
	k.kept.mu.Lock()
	defer k.kept.mu.Unlock()
	if err := k.kept.open(k.Info()); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	var missing []string
	var places []int
	for i, text := range texts {
		v, ok := k.kept.cache.Get(hashOf(text))
		if out[i] = v; !ok {
			missing, places = append(missing, text), append(places, i)
		}
	}
	if len(missing) == 0 {
		return out, ctx.Err()
	}
	k.spent()
	made, err := k.Embedder.Embed(ctx, kind, missing, p)
	if err != nil {
		return nil, err
	}
	if len(made) != len(missing) {
		return nil, fmt.Errorf("lab: %d vectors for %d search texts", len(made), len(missing))
	}
	for j, v := range made {
		out[places[j]] = v
		if err := k.kept.cache.Put(hashOf(missing[j]), v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
