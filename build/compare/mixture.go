package main

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"referent/rag/vector"
)

const (
	mixtureNeighbours = 8    // that give a component its directions
	mixtureCentres    = 2000 // the most real points that are components; the first ones, so that more of them change nothing
	leastReal         = 100  // real points below which nothing can be fitted
)

// mixture is a density around real points. A component is one point; it spreads
// along the way to its eight nearest neighbours, as far as the nearest of them.
// So draws have the local dimension and the local distances of the real points.
type mixture struct {
	points [][]float32
	near   [][mixtureNeighbours]int32
	radius []float64 // to the nearest neighbour
}

// fit finds the neighbours of the real points, which have unit length.
func fit(points [][]float32) (*mixture, error) {
	if len(points) < leastReal {
		return nil, errors.New("there are too few real vectors to fit a mixture to them; run with -embed 10m")
	}
	m := &mixture{points: points[:min(len(points), mixtureCentres)]}
	rows := make([]float32, 0, len(m.points)*dimensions)
	for _, p := range m.points {
		rows = append(rows, p...)
	}
	scores := make([]float32, len(m.points))
	for i, p := range m.points {
		vector.Cosines(p, rows, scores)
		scores[i] = -1
		var near [mixtureNeighbours]int32
		for k := range near {
			at := 0
			for j, s := range scores {
				if s > scores[at] {
					at = j
				}
			}
			if k == 0 {
				m.radius = append(m.radius, math.Sqrt(max(0, 2-2*float64(scores[at]))))
			}
			near[k], scores[at] = int32(at), -1
		}
		m.near = append(m.near, near)
	}
	return m, nil
}

// draw makes one unit vector.
func (m *mixture) draw(r *rand.Rand) []float32 {
	i := r.IntN(len(m.points))
	p := m.points[i]
	step := make([]float32, dimensions)
	for _, k := range m.near[i] {
		g := float32(r.NormFloat64())
		for j, x := range m.points[k] {
			step[j] += g * (x - p[j])
		}
	}
	length := 0.0
	for j := range step {
		step[j] += float32(r.NormFloat64()) * 0.005 // beyond the plane of the neighbours
		length += float64(step[j]) * float64(step[j])
	}
	scale := float32(m.radius[i] * math.Abs(1+0.3*r.NormFloat64()) / max(math.Sqrt(length), 1e-9))
	out := slices.Clone(p)
	for j := range out {
		out[j] += scale * step[j]
	}
	return unit(out)
}

func unit(v []float32) []float32 {
	u, ok := vector.Unit(v)
	if !ok {
		panic("a vector without a direction was drawn")
	}
	return u
}

// vectors draws n, the same ones each time for the same points.
func (m *mixture) vectors(n int) [][]float32 {
	r := rand.New(rand.NewPCG(3, 3))
	out := make([][]float32, n)
	for i := range out {
		out[i] = m.draw(r)
	}
	return out
}
