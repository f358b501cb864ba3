package vector

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"referent/rag/segment/bitmap"
	"referent/rag/vector/kernel"
)

// ErrDimensions is returned for a query vector of another length than the
// stored ones, or without a direction.
var ErrDimensions = errors.New("the query vector does not fit the stored vectors")

// Hit is a chunk with its cosine, −1 to 1.
type Hit struct {
	Chunk  int64
	Cosine float64
}

// Searcher finds the nearest vectors. Implementations are immutable and safe
// for concurrent use.
type Searcher interface {
	// Search returns the k nearest chunks, nearest first, equals by ascending
	// id. query has Dimensions values and any length but zero. allow holds the
	// ordinals that may be found; nil: all. Errors: ErrDimensions, the
	// context's. Without any stored vector the result is empty.
	Search(ctx context.Context, query []float32, allow *bitmap.Bitmap, k int) ([]Hit, error)
	// Vector returns the stored vector of a chunk, unit length within half
	// precision; false where it has none.
	Vector(chunk int64) ([]float32, bool)
	// Dimensions is the length of the vectors; 0 while there are none.
	Dimensions() int
	// Count is the number of chunks that have a vector.
	Count() int
}

// Index searches several blocks as one. The ordinal of a chunk is its ordinal
// in its block plus the chunks of the blocks before it.
type Index struct {
	blocks []*Block
	base   []int
	dims   int
	count  int
	depth  int // rows that sketches choose; 0: every code is read
	copies int // number of vectors from which single rows are read from their files
}

var _ Searcher = (*Index)(nil)

// NewIndex joins blocks in this order. They hold distinct chunks and vectors
// of one length.
func NewIndex(blocks []*Block) *Index {
	x := &Index{blocks: blocks, base: make([]int, len(blocks)+1), copies: copyFrom}
	for i, b := range blocks {
		x.base[i+1] = x.base[i] + len(b.chunks)
		x.count += b.count
		if b.count > 0 {
			x.dims = b.dims
		}
	}
	return x
}

// Dimensions is the length of the vectors; 0 while there are none.
func (x *Index) Dimensions() int { return x.dims }

// Count is the number of chunks that have a vector.
func (x *Index) Count() int { return x.count }

// Vector returns the stored vector of a chunk.
func (x *Index) Vector(chunk int64) ([]float32, bool) {
	defer runtime.KeepAlive(x) // the page points into a block
	p, i := locate(x.blocks, chunk)
	if p == nil {
		return nil, false
	}
	half, err := x.halfOf(p, i, make([]uint16, x.dims))
	if err != nil {
		return nil, false // the next search says so
	}
	v := make([]float32, x.dims)
	for j, h := range half {
		v[j] = kernel.FromHalf(h)
	}
	return v, true
}

// Cosine is the product of two unit vectors; 0 where their lengths differ.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) || len(a) == 0 {
		return 0
	}
	var one [1]float32
	kernel.Float(a, b, one[:])
	return float64(one[0])
}

// Cosines writes the products of a unit vector with len(out) others that lie
// one after the other in rows.
func Cosines(v, rows, out []float32) { kernel.Float(v, rows, out) }

// Unit returns v at unit length; false where it has no direction.
func Unit(v []float32) ([]float32, bool) {
	scale, ok := inverseLength(v)
	if !ok {
		return nil, false
	}
	out := slices.Clone(v)
	for j := range out {
		out[j] *= scale
	}
	return out, true
}
