package segment

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"referent/storage/index"
)

// Open builds the index from the truth, in memory only: every chunk is
// analysed, on all cores, and the vectors of embedModel are loaded (empty:
// none). The error is the source's or the context's.
func Open(ctx context.Context, src Source, embedModel string) (*Index, error) {
	columns, restricted, err := readColumns(ctx, src)
	if err != nil {
		return nil, err
	}
	blocks, err := readBlocks(ctx, src, columns.byNumber())
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

// columnList is documents by number.
type columnList []*document

// find returns the place of a document.
func (l columnList) find(id int64) (int, bool) {
	return slices.BinarySearchFunc(l, id, func(d *document, id int64) int { return cmp.Compare(d.ID, id) })
}

func (l columnList) byNumber() map[int64]document {
	out := make(map[int64]document, len(l))
	for _, d := range l {
		out[d.ID] = *d
	}
	return out
}

// readColumns returns the documents that may be searched, and the restricted
// ones, each by number.
func readColumns(ctx context.Context, src Source) (columns columnList, restricted []document, err error) {
	var room []document // a thousand at a time: one list that grows would be copied again and again
	err = src.EachDocumentColumns(ctx, func(c index.DocumentColumns) error {
		if len(room) == cap(room) {
			room = make([]document, 0, 1000)
		}
		room = append(room, newDocument(c))
		d := &room[len(room)-1]
		if d.restricted() {
			restricted = append(restricted, *d)
			room = room[:len(room)-1]
			return nil
		}
		columns = append(columns, d)
		return nil
	})
	slices.SortFunc(columns, func(a, b *document) int { return cmp.Compare(a.ID, b.ID) }) // mostly they are
	slices.SortFunc(restricted, func(a, b document) int { return cmp.Compare(a.ID, b.ID) })
	return columns, restricted, err
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
		c.row.Vectors = 0 // what its file has is of another model
		bare[i] = &c
	}
	blocks, _ := addVectors(bare, 0, vectors) // a vector without its chunk: removed meanwhile
	x.model, x.depth = model, 0
	x.publish(blocks, s.restricted)
	return nil
}

// readBlocks reads the chunks of documents and analyses them in portions,
// several at once.
func readBlocks(ctx context.Context, src Source, columns map[int64]document) ([]*block, error) {
	p := newAnalysis(columns)
	err := src.EachChunk(ctx, 0, func(c index.Chunk) error {
		p.take(c)
		return ctx.Err()
	})
	return p.finish(), err
}

// analysis turns a stream of chunks into blocks, on all cores.
type analysis struct {
	columns map[int64]document // of what is taken
	wait    sync.WaitGroup
	mu      sync.Mutex
	blocks  []*block
	slots   chan struct{} // bounds the text in memory
	part    []index.Chunk
}

func newAnalysis(columns map[int64]document) *analysis {
	return &analysis{columns: columns, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// take leaves out chunks of documents that are restricted, or gone since the
// columns were read.
func (a *analysis) take(c index.Chunk) {
	if _, ok := a.columns[c.Document]; !ok {
		return
	}
	if a.part = append(a.part, c); len(a.part) == portion {
		a.build()
	}
}

func (a *analysis) build() {
	part := a.part
	a.part = nil
	a.slots <- struct{}{}
	a.wait.Go(func() {
		defer func() { <-a.slots }()
		b := newBlock(groupByDocument(part, a.columns))
		a.mu.Lock()
		a.blocks = append(a.blocks, b)
		a.mu.Unlock()
	})
}

func (a *analysis) finish() []*block {
	if len(a.part) > 0 {
		a.build()
	}
	a.wait.Wait()
	return a.blocks
}

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
