package segment

import (
	"context"
	"runtime"
	"sync"

	"referent/storage/index"
)

// Open builds the index from the truth: every chunk is analysed, on all cores,
// and the vectors of embedModel are loaded (empty: none). The error is the
// source's or the context's.
func Open(ctx context.Context, src Source, embedModel string) (*Index, error) {
	columns := map[int64]document{}
	var restricted []document
	err := src.EachDocumentColumns(ctx, func(c index.DocumentColumns) error {
		d := newDocument(c)
		if d.restricted() {
			restricted = withRestricted(restricted, d)
			return nil
		}
		columns[c.ID] = d
		return nil
	})
	if err != nil {
		return nil, err
	}
	blocks, err := readBlocks(ctx, src, columns)
	if err != nil {
		return nil, err
	}
	x := &Index{}
	x.publish(blocks, restricted)
	if embedModel == "" {
		return x, nil
	}
	return x, x.UseModel(ctx, src, embedModel)
}

// UseModel loads the vectors of another embedding model and serves them in
// place of the present ones, in one step. Changes wait meanwhile, readers do
// not.
func (x *Index) UseModel(ctx context.Context, src Source, model string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.current.Load()
	var vectors []ChunkVector
	err := src.EachVector(ctx, model, func(chunk int64, v []float32) error {
		vectors = append(vectors, ChunkVector{chunk, v})
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	bare := make([]*block, len(s.blocks))
	for i, b := range s.blocks {
		c := *b
		c.vectors = emptyVectors(b)
		bare[i] = &c
	}
	blocks, _ := addVectors(bare, 0, vectors) // a vector without its chunk: removed meanwhile
	x.model = model
	x.publish(blocks, s.restricted)
	return nil
}

// readBlocks reads all chunks and analyses them in portions, several at once.
func readBlocks(ctx context.Context, src Source, columns map[int64]document) ([]*block, error) {
	var (
		wait   sync.WaitGroup
		mu     sync.Mutex
		blocks []*block
		slots  = make(chan struct{}, runtime.GOMAXPROCS(0)) // bounds the text in memory
	)
	build := func(part []index.Chunk) {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			b := newBlock(groupByDocument(part, columns))
			mu.Lock()
			blocks = append(blocks, b)
			mu.Unlock()
		})
	}
	var part []index.Chunk
	err := src.EachChunk(ctx, 0, func(c index.Chunk) error {
		if _, ok := columns[c.Document]; !ok {
			return ctx.Err() // restricted, or gone since the columns were read
		}
		if part = append(part, c); len(part) == openPortion {
			build(part)
			part = nil
		}
		return ctx.Err()
	})
	if len(part) > 0 && err == nil {
		build(part)
	}
	wait.Wait()
	return blocks, err
}

// openPortion is how many chunks are analysed as one block at start: enough to
// keep blocks few, few enough to feed all cores.
const openPortion = 4096

func groupByDocument(part []index.Chunk, columns map[int64]document) []addition {
	at := map[int64]int{}
	var out []addition
	for _, c := range part {
		i, ok := at[c.Document]
		if !ok {
			i = len(out)
			at[c.Document] = i
			out = append(out, addition{doc: columns[c.Document]})
		}
		out[i].chunks = append(out[i].chunks, c)
	}
	return out
}
