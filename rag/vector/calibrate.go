package vector

import (
	"context"
	"math/rand/v2"
	"slices"
)

const (
	// SketchFrom is the number of vectors from which sketches pay: below, the
	// codes are read in about a millisecond.
	SketchFrom = 100_000
	// leastRecall is the share of the true ten nearest that the sketches must
	// not lose.
	leastRecall = 0.99
	samples     = 200
)

// depths are tried in this order.
var depths = []int{500, 1000, 2000, 4000, 8000}

// WithSketch returns an index that reads the codes of just the depth rows whose
// sketches are best; 0: of all rows.
func (x *Index) WithSketch(depth int) *Index {
	out := *x
	out.depth = depth
	return &out
}

// Calibrate finds the least depth with which the sketches lose at most one in a
// hundred of the ten nearest, asked with 200 of the stored vectors, each left
// out of its own result. 0: none does, and the codes are to be scanned. It
// takes some seconds in a large index. The error is the context's.
func (x *Index) Calibrate(ctx context.Context) (depth int, err error) {
	queries := x.sample(samples)
	if len(queries) == 0 {
		return 0, ctx.Err()
	}
	full := x.WithSketch(0)
	want := make([][]int64, len(queries))
	for i, chunk := range queries {
		if want[i], err = full.neighbours(ctx, chunk); err != nil {
			return 0, err
		}
	}
	for _, depth := range depths {
		found, all := 0, 0
		tried := x.WithSketch(depth)
		for i, chunk := range queries {
			got, err := tried.neighbours(ctx, chunk)
			if err != nil {
				return 0, err
			}
			for _, id := range want[i] {
				if slices.Contains(got, id) {
					found++
				}
			}
			all += len(want[i])
		}
		if float64(found) >= leastRecall*float64(all) {
			return depth, nil
		}
	}
	return 0, nil
}

// neighbours are the ten nearest of a stored vector, itself aside.
func (x *Index) neighbours(ctx context.Context, chunk int64) ([]int64, error) {
	v, _ := x.Vector(chunk)
	hits, err := x.Search(ctx, v, nil, 11)
	ids := make([]int64, 0, len(hits))
	for _, h := range hits {
		if h.Chunk != chunk && len(ids) < 10 {
			ids = append(ids, h.Chunk)
		}
	}
	return ids, err
}

// sample draws chunks that have a vector, the same ones for the same index.
func (x *Index) sample(n int) []int64 {
	r := rand.New(rand.NewPCG(1, uint64(x.count)))
	total := x.base[len(x.blocks)]
	var out []int64
	for range 20 * n {
		if len(out) == n || total == 0 {
			break
		}
		at := r.IntN(total)
		i, found := slices.BinarySearch(x.base, at)
		if !found {
			i--
		}
		for i+1 < len(x.blocks) && len(x.blocks[i].chunks) == 0 {
			i++
		}
		chunk := x.blocks[i].chunks[at-x.base[i]]
		if _, ok := x.Vector(chunk); ok && !slices.Contains(out, chunk) {
			out = append(out, chunk)
		}
	}
	return out
}
