package lexical

import (
	"context"

	"referent/rag/segment/bitmap"
)

// Hit is a chunk with its BM25 score, above 0.
type Hit struct {
	Chunk int64
	Score float64
}

// Searcher finds chunks by words. Implementations are immutable and safe for
// concurrent use.
type Searcher interface {
	// Search returns the k best chunks, best first, equals by ascending id.
	// allow holds the ordinals that may be found; nil: all. The error is the
	// context's.
	Search(ctx context.Context, q Query, allow *bitmap.Bitmap, k int) ([]Hit, error)
	// Explain says what each chunk holds of a query, found by it or not.
	Explain(q Query, chunks ...int64) []Explanation
	// DocumentFrequency is the number of chunks that hold an index term.
	DocumentFrequency(term string) int
	// Chunks is the number of ordinals.
	Chunks() int
}

// Index searches several blocks as one. The ordinal of a chunk is its ordinal
// in its block plus the chunks of the blocks before it.
type Index struct {
	blocks []*Block
	base   []int // ordinals before each block, and the total
	order  []int // blocks, the largest first
	norm   norm
}

var _ Searcher = (*Index)(nil)

// NewIndex joins blocks, in this order. Chunks that Only does not hide are
// distinct.
func NewIndex(blocks []*Block) *Index {
	x := &Index{blocks: blocks, base: make([]int, len(blocks)+1)}
	var tokens uint64
	for i, b := range blocks {
		x.base[i+1] = x.base[i] + b.Len()
		tokens += b.tokens
	}
	x.order = largestFirst(blocks)
	x.norm = norm{average: averageOf(tokens, x.Chunks())}
	return x
}

// Chunks is the number of ordinals: of chunks, hidden ones too.
func (x *Index) Chunks() int { return x.base[len(x.blocks)] }

// DocumentFrequency is the number of chunks that hold an index term.
func (x *Index) DocumentFrequency(term string) int {
	df := 0
	for _, b := range x.blocks {
		if e, ok := b.find(term); ok {
			df += e.df
		}
	}
	return df
}
