package vector

import (
	"context"
	"errors"
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
	// Vector returns the stored vector of a chunk: unit length, not to be
	// changed; false where it has none.
	Vector(chunk int64) ([]float32, bool)
	// Dimensions is the length of the vectors; 0 while there are none.
	Dimensions() int
	// Count is the number of chunks that have a vector.
	Count() int
}

// rescored is the least number of the scan's best that are judged again by
// their floats; 4·k where that is more. With 200 asked for, the true 100 best
// are among them on real and on random vectors.
const rescored = 1000

// Index searches several blocks as one. The ordinal of a chunk is its ordinal
// in its block plus the chunks of the blocks before it.
type Index struct {
	blocks []*Block
	base   []int
	dims   int
	count  int
}

var _ Searcher = (*Index)(nil)

// NewIndex joins blocks in this order. They hold distinct chunks and vectors
// of one length.
func NewIndex(blocks []*Block) *Index {
	x := &Index{blocks: blocks, base: make([]int, len(blocks)+1)}
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
	for _, b := range x.blocks {
		if p, i := b.locate(chunk); p != nil {
			return p.rows[i*b.dims : (i+1)*b.dims], true
		}
	}
	return nil, false
}

// Search scans the codes of every allowed chunk and judges the best of them by
// their floats.
func (x *Index) Search(ctx context.Context, query []float32, allow *bitmap.Bitmap, k int) ([]Hit, error) {
	if x.count == 0 || k <= 0 {
		return nil, ctx.Err()
	}
	scale, ok := inverseLength(query)
	if !ok || len(query) != x.dims {
		return nil, ErrDimensions
	}
	unit := make([]float32, len(query))
	for j, v := range query {
		unit[j] = v * scale
	}
	depth := max(rescored, 4*k)
	best := newNearest(k)
	if x.count <= depth {
		err := x.eachPage(ctx, allow, func(b *Block, n, base int) {
			p := b.pages[n]
			var out [pageRows]float32
			kernel.Float(unit, p.rows, out[:len(p.scales)])
			for i := range p.scales {
				if p.has(i) && allow.Has(base+i) {
					best.offer(candidate{score: out[i], chunk: b.chunks[n*pageRows+i]})
				}
			}
		})
		return best.hits(), err
	}
	head, err := x.scan(ctx, unit, allow, depth)
	if err != nil {
		return nil, err
	}
	var one [1]float32
	for _, c := range head {
		kernel.Float(unit, c.page.rows[c.row*x.dims:(c.row+1)*x.dims], one[:])
		best.offer(candidate{score: one[0], chunk: c.chunk})
	}
	return best.hits(), nil
}

// scan returns the best of the allowed chunks by their codes.
func (x *Index) scan(ctx context.Context, unit []float32, allow *bitmap.Bitmap, depth int) ([]candidate, error) {
	query, codes := make([]int8, len(unit)), make([]uint8, len(unit))
	quantize(unit, codes)
	for j, c := range codes {
		query[j] = int8(int(c) - 128)
	}
	head := newNearest(depth)
	err := x.eachPage(ctx, allow, func(b *Block, n, base int) {
		p := b.pages[n]
		var out [pageRows]int32
		kernel.Codes(query, p.codes, out[:len(p.scales)])
		for i, s := range p.scales {
			c := candidate{score: float32(out[i]) * s, chunk: b.chunks[n*pageRows+i], page: p, row: i}
			if head.wants(c) && p.has(i) && allow.Has(base+i) {
				head.offer(c)
			}
		}
	})
	return head.kept, err
}

// eachPage calls fn for the pages that hold an allowed chunk; base is the
// ordinal of the page's first row.
func (x *Index) eachPage(ctx context.Context, allow *bitmap.Bitmap, fn func(b *Block, n, base int)) error {
	for i, b := range x.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		for n, p := range b.pages {
			base := x.base[i] + n*pageRows
			if p != nil && allow.Any(base, base+len(p.scales)) {
				fn(b, n, base)
			}
		}
	}
	return nil
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
