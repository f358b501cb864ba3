package toy

import (
	"fmt"
	"math"
	"slices"
)

// Vector is the vector of a text of known words, computed here and not by the
// library: the reference that an implementation is compared with. It follows
// the encoder as BERT describes it (Devlin et al. 2019): sums of embeddings,
// bidirectional attention, norms behind each addition, and the mean over all
// positions. len = 64, unit length.
func (e Embedder) Vector(words ...string) ([]float32, error) {
	tokens, _, err := bertVocabulary(e.Words)
	if err != nil {
		return nil, err
	}
	table, layers := e.weights(len(tokens))
	ids := []int{2} // [CLS]
	for _, w := range words {
		id := slices.Index(tokens, "\u2581"+w)
		if id < 0 || !slices.Contains(e.Words, w) {
			return nil, fmt.Errorf("toy: the word %q is not known", w)
		}
		ids = append(ids, id)
	}
	ids = append(ids, 3) // [SEP]
	place := positions()
	var x [][]float64
	for at, id := range ids {
		row := make([]float64, bertWidth)
		for i := range row {
			row[i] = float64(table.row(id)[i]) + float64(place.row(at)[i])
		}
		x = append(x, normalised(row))
	}
	for _, l := range layers {
		x = l.encode(x)
	}
	mean := make([]float32, bertWidth)
	for i := range mean {
		for _, row := range x {
			mean[i] += float32(row[i])
		}
	}
	scaleTo(mean, 1)
	return mean, nil
}

// encode is one encoder layer.
func (l layer) encode(x [][]float64) [][]float64 {
	const head = bertWidth / bertHeads
	q, k, v := l.q.each(x), l.k.each(x), l.v.each(x)
	out := make([][]float64, len(x))
	for at := range x {
		seen := make([]float64, bertWidth)
		for h := 0; h < bertWidth; h += head {
			weight, sum := make([]float64, len(x)), 0.0
			for to := range x {
				dot := 0.0
				for i := h; i < h+head; i++ {
					dot += q[at][i] * k[to][i]
				}
				weight[to] = math.Exp(dot / math.Sqrt(head))
				sum += weight[to]
			}
			for to := range x {
				for i := h; i < h+head; i++ {
					seen[i] += weight[to] / sum * v[to][i]
				}
			}
		}
		row := plus(x[at], l.out.times(seen))
		inner := l.up.times(row)
		for i, y := range inner {
			inner[i] = y * 0.5 * (1 + math.Erf(y/math.Sqrt2)) // GELU
		}
		out[at] = plus(row, l.down.times(inner))
	}
	return out
}

func (m matrix) each(x [][]float64) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		out[i] = m.times(row)
	}
	return out
}

func (m matrix) times(x []float64) []float64 {
	out := make([]float64, m.rows())
	for i := range out {
		for j, w := range m.row(i) {
			out[i] += float64(w) * x[j]
		}
	}
	return out
}

// plus adds a branch to the stream and normalises.
func plus(a, b []float64) []float64 {
	sum := make([]float64, len(a))
	for i := range a {
		sum[i] = a[i] + b[i]
	}
	return normalised(sum)
}

// normalised has the mean 0 and the deviation 1.
func normalised(x []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(len(x))
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = (v - mean) / math.Sqrt(square+1e-12)
	}
	return out
}
