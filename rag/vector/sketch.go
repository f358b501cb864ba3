package vector

import (
	"math"
	"math/rand/v2"

	"referent/rag/vector/kernel"
)

// sketch keeps one bit a dimension: the sign of what a vector has beyond the
// mean of its block, after a rotation that spreads every direction over all
// dimensions. The query stays precise, in tables of 8 bits: the estimate is
//
//	query·mean + factor · Σ (rotated query)ⱼ · signⱼ,  factor = |r|² / Σ|rⱼ|
//
// after RaBitQ (Gao and Long 2024). Four dimensions are a group.
type sketch struct {
	mean    []float32
	factors []float32
	signs   []uint8
}

// groupsOf is the number of groups of 4 dimensions, a multiple of 4.
func groupsOf(dims int) int { return (dims + 15) / 16 * 4 }

// drawSketch fills the mean, the factors and the signs of an encoded block.
func drawSketch(data []byte, l layout, n, dims int) {
	have, rows := l.have.of(data), view[uint16](l.rows.of(data))
	has := func(ord int) bool { return have[ord/8]>>(ord%8)&1 == 1 }
	sum, count := make([]float64, dims), 0
	for ord := range n {
		if !has(ord) {
			continue
		}
		count++
		for j, h := range rows[ord*dims : (ord+1)*dims] {
			sum[j] += float64(kernel.FromHalf(h))
		}
	}
	mean := view[float32](l.mean.of(data))
	for j := range mean {
		mean[j] = float32(sum[j] / float64(max(1, count)))
	}
	factors, signs, groups := view[float32](l.factors.of(data)), l.sketch.of(data), groupsOf(dims)
	turn := rotationOf(dims)
	r := make([]float32, dims)
	for ord := range n {
		if !has(ord) {
			continue
		}
		for j, h := range rows[ord*dims : (ord+1)*dims] {
			r[j] = kernel.FromHalf(h) - mean[j]
		}
		turn.apply(r)
		var square, absolute float64
		block := signs[ord/kernel.SketchBlock*groups*16:]
		at, shift := ord%16, ord%kernel.SketchBlock/16*4
		for j, x := range r {
			square += float64(x) * float64(x)
			absolute += math.Abs(float64(x))
			if x >= 0 {
				block[j/4*16+at] |= 1 << (shift + j%4)
			}
		}
		if absolute > 0 {
			factors[ord] = float32(square / absolute)
		}
	}
}

// tables are a query as the sketch kernel reads it: a sum of entries stands for
// unit·sum + base.
type tables struct {
	lut        []uint8
	unit, base float32
}

func newTables(query []float32) tables {
	dims := len(query)
	q := append([]float32(nil), query...)
	rotationOf(dims).apply(q)
	groups := groupsOf(dims)
	t := tables{lut: make([]uint8, groups*16)}
	var widest, base float64
	for g := range groups {
		span := 0.0
		for _, x := range q[min(4*g, dims):min(4*g+4, dims)] {
			span += math.Abs(float64(x))
		}
		widest, base = max(widest, 2*span), base-span
	}
	most := min(255, 65535/groups) // no sum exceeds 16 bits
	step := widest / float64(most)
	if step == 0 {
		return t
	}
	for g := range groups {
		four := q[min(4*g, dims):min(4*g+4, dims)]
		for nibble := range 16 {
			value := 0.0 // above the group's least
			for b, x := range four {
				if x := float64(x); nibble>>b&1 == 1 {
					value += x + math.Abs(x)
				} else {
					value += math.Abs(x) - x
				}
			}
			t.lut[16*g+nibble] = uint8(math.Round(value / step))
		}
	}
	t.unit, t.base = float32(step), float32(base)
	return t
}

// rotation is an orthogonal map: signs, then a Hadamard transform of
// neighbouring runs, twice with a shuffle between.
type rotation struct {
	run   int // power of two that divides the dimensions
	signs [2][]float32
	order []int
}

// rotationOf is the same for all blocks of these dimensions.
func rotationOf(dims int) rotation {
	r := rand.New(rand.NewPCG(0x5ce7c4, uint64(dims)))
	t := rotation{run: dims & -dims, order: r.Perm(dims)}
	for i := range t.signs {
		t.signs[i] = make([]float32, dims)
		for j := range t.signs[i] {
			t.signs[i][j] = float32(1 - 2*r.IntN(2))
		}
	}
	return t
}

func (t rotation) apply(v []float32) {
	if t.run < 4 { // too short to spread anything
		return
	}
	moved := make([]float32, len(v))
	for i, signs := range t.signs {
		for j := range v {
			v[j] *= signs[j]
		}
		for from := 0; from < len(v); from += t.run {
			hadamard(v[from : from+t.run])
		}
		if i == 0 {
			for j, k := range t.order {
				moved[j] = v[k]
			}
			copy(v, moved)
		}
	}
}

// hadamard is the orthonormal fast Walsh–Hadamard transform, in place.
func hadamard(v []float32) {
	for h := 1; h < len(v); h *= 2 {
		for i := 0; i < len(v); i += 2 * h {
			for j := i; j < i+h; j++ {
				v[j], v[j+h] = v[j]+v[j+h], v[j]-v[j+h]
			}
		}
	}
	scale := float32(1 / math.Sqrt(float64(len(v))))
	for j := range v {
		v[j] *= scale
	}
}
