package vector

import (
	"context"
	"runtime"

	"referent/rag/segment/bitmap"
	"referent/rag/vector/kernel"
)

const (
	// exactBelow is the number of vectors up to which floats alone are read.
	exactBelow = 4096
	// leastRescored is the least number of the scan's best that are judged
	// again by their floats; twice the hits wanted where that is more.
	leastRescored = 400
	// sketchStep is how many rows a sketch call reads; their sums stay in the
	// first cache.
	sketchStep = 4096
)

// Search scans the codes of every allowed chunk, or the sketches where a depth
// is set, and judges the best by their floats.
func (x *Index) Search(ctx context.Context, query []float32, allow *bitmap.Bitmap, k int) ([]Hit, error) {
	if x.count == 0 || k <= 0 {
		return nil, ctx.Err()
	}
	scale, ok := inverseLength(query)
	if !ok || len(query) != x.dims {
		return nil, ErrDimensions
	}
	defer runtime.KeepAlive(x) // pages point into its blocks
	unit := make([]float32, len(query))
	for j, v := range query {
		unit[j] = v * scale
	}
	best := newNearest(k)
	if x.count <= exactBelow {
		out := make([]float32, pageRows)
		err := x.eachPage(ctx, allow, func(p *page, b *Block, first, base int) {
			kernel.Half(unit, p.rows, out[:len(p.scales)])
			for i := range p.scales {
				if p.has(i) && allow.Has(base+i) && b.live.Has(first+i) {
					best.offer(candidate{score: out[i], chunk: b.chunks[first+i]})
				}
			}
		})
		return best.hits(), err
	}
	head, err := x.scan(ctx, unit, allow, max(leastRescored, 2*k))
	if err != nil {
		return nil, err
	}
	var one [1]float32
	read := make([]uint16, x.dims)
	for _, c := range head {
		half, err := x.halfOf(c.page, c.row, read)
		if err != nil {
			return nil, err
		}
		kernel.Half(unit, half, one[:])
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
	if x.depth > 0 && (allow == nil || allow.Count() > 2*x.depth) {
		err := x.scanSketches(ctx, unit, query, allow, head)
		return head.kept, err
	}
	out := make([]int32, pageRows)
	err := x.eachPage(ctx, allow, func(p *page, b *Block, first, base int) {
		scanPage(p, b, first, base, query, out, allow, head)
	})
	return head.kept, err
}

// scanPage offers the rows of a page by their codes. first is the ordinal of
// the page in its block, base in the index; out is working memory for a page.
func scanPage(p *page, b *Block, first, base int, query []int8, out []int32, allow *bitmap.Bitmap, head *nearest) {
	kernel.Codes(query, p.codes, out[:len(p.scales)])
	least := head.least()
	for i, s := range p.scales {
		score := float32(out[i]) * s
		if score < least || !p.has(i) || !allow.Has(base+i) || !b.live.Has(first+i) {
			continue
		}
		head.offer(candidate{score: score, chunk: b.chunks[first+i], page: p, row: i})
		least = head.least()
	}
}

// scanSketches lets the sketches choose whose codes are read. Blocks without a
// sketch are read whole.
func (x *Index) scanSketches(ctx context.Context, unit []float32, query []int8, allow *bitmap.Bitmap, head *nearest) error {
	t := newTables(unit)
	chosen := newNearest(x.depth)
	products, sums := make([]int32, pageRows), make([]uint16, sketchStep)
	for i, b := range x.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.count == 0 || !allow.Any(x.base[i], x.base[i+1]) {
			continue
		}
		if b.sketch == nil {
			b.eachPage(x.base[i], allow, func(p *page, first, base int) { scanPage(p, b, first, base, query, products, allow, head) })
			continue
		}
		b.chooseBySketch(unit, t, sums, x.base[i], allow, chosen)
	}
	rows, dims := make([]uint8, len(chosen.kept)*x.dims), x.dims
	for i, c := range chosen.kept {
		if err := x.codesOf(c.page, c.row, rows[i*dims:(i+1)*dims]); err != nil {
			return err
		}
	}
	out := make([]int32, len(chosen.kept))
	kernel.Codes(query, rows, out)
	for i, c := range chosen.kept {
		c.score = float32(out[i]) * c.page.scales[c.row]
		head.offer(c)
	}
	return nil
}

// chooseBySketch offers the rows of a block by their sketches; sums is working
// memory for a step.
func (b *Block) chooseBySketch(unit []float32, t tables, sums []uint16, base int, allow *bitmap.Bitmap, chosen *nearest) {
	var mean [1]float32
	kernel.Float(unit, b.sketch.mean, mean[:])
	stride := groupsOf(b.dims) * 16
	for from := 0; from < len(b.chunks); from += sketchStep {
		to := min(len(b.chunks), from+sketchStep)
		if !allow.Any(base+from, base+to) {
			continue
		}
		blocks := (to - from + kernel.SketchBlock - 1) / kernel.SketchBlock
		kernel.Sketch(t.lut, b.sketch.signs[from/kernel.SketchBlock*stride:], sums[:blocks*kernel.SketchBlock])
		least := chosen.least()
		factors := b.sketch.factors[from:to]
		of := sums[:len(factors)]
		for i, f := range factors {
			score := mean[0] + f*(t.unit*float32(of[i])+t.base)
			if score < least {
				continue
			}
			ord := from + i
			p := b.pages[ord/pageRows]
			if p == nil || !p.has(ord%pageRows) || !allow.Has(base+ord) || !b.live.Has(ord) {
				continue
			}
			chosen.offer(candidate{score: score, chunk: b.chunks[ord], page: p, row: ord % pageRows})
			least = chosen.least()
		}
	}
}

// eachPage calls fn for the pages that hold an allowed chunk; first is the
// ordinal of the page's first row in its block, base in the index.
func (x *Index) eachPage(ctx context.Context, allow *bitmap.Bitmap, fn func(p *page, b *Block, first, base int)) error {
	for i, b := range x.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.eachPage(x.base[i], allow, func(p *page, first, base int) { fn(p, b, first, base) })
	}
	return nil
}

func (b *Block) eachPage(base int, allow *bitmap.Bitmap, fn func(p *page, first, base int)) {
	for n, p := range b.pages {
		first := n * pageRows
		if p != nil && allow.Any(base+first, base+first+len(p.scales)) {
			fn(p, first, base+first)
		}
	}
}
