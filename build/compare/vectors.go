package main

import (
	"math"
	"math/rand/v2"
)

const dimensions = 384

// space makes unit vectors like those of texts: a common direction, a topic, a
// document, and noise that neighbouring chunks share.
type space struct {
	mean   []float32
	topics [][]float32
}

func gauss(r *rand.Rand, scale float64) []float32 {
	v := make([]float32, dimensions)
	for j := range v {
		v[j] = float32(r.NormFloat64() * scale)
	}
	return v
}

func plus(vs ...[]float32) []float32 {
	out := make([]float32, dimensions)
	for _, v := range vs {
		for j, x := range v {
			out[j] += x
		}
	}
	return out
}

func unit(v []float32) []float32 {
	s := 0.0
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	for j := range v {
		v[j] /= float32(math.Sqrt(s))
	}
	return v
}

// vectors are n stored ones and unseen points near m of their documents.
func vectors(n, m int) (stored, queries [][]float32) {
	r := rand.New(rand.NewPCG(3, 3))
	s := space{mean: gauss(r, 0.5)}
	for range 2000 {
		s.topics = append(s.topics, gauss(r, 0.6))
	}
	var documents [][]float32
	var document, shared []float32
	for i := range n {
		if i%documentSize == 0 {
			topic := s.topics[int(r.ExpFloat64()*300)%len(s.topics)]
			document = plus(s.mean, topic, gauss(r, 0.6))
			documents = append(documents, document)
			shared = gauss(r, 0.5)
		}
		noise := gauss(r, 0.5)
		for j := range shared {
			shared[j] = 0.7*shared[j] + 0.7*noise[j]
		}
		stored = append(stored, unit(plus(document, shared)))
	}
	for range m {
		queries = append(queries, unit(plus(documents[r.IntN(len(documents))], gauss(r, 0.6))))
	}
	return stored, queries
}
