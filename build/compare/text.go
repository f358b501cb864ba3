package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
)

const (
	vocabulary    = 600_000
	chunkTokens   = 150
	documentSize  = 20  // chunks
	stopRanks     = 150 // the most frequent words, which content queries leave out
	topicWords    = 40  // a document's own
	topicShare    = 0.25
	zipfExponent  = 1.02
	zipfFlattened = 2.7 // Zipf–Mandelbrot offset
)

// words draws ranks by the Zipf–Mandelbrot law with a steeper tail beyond rank
// 8,000, as in running text.
type words struct{ sums []float64 }

func newWords() words {
	w := words{sums: make([]float64, vocabulary)}
	total := 0.0
	for i := range w.sums {
		p := 1 / math.Pow(float64(i)+zipfFlattened, zipfExponent)
		if i > 8000 {
			p *= math.Pow(8000/float64(i), 0.6)
		}
		total += p
		w.sums[i] = total
	}
	return w
}

func (w words) draw(r *rand.Rand) int {
	return sort.SearchFloat64s(w.sums, r.Float64()*w.sums[len(w.sums)-1])
}

// spell writes a rank as a word of letters, short for frequent ones.
func spell(rank int) string {
	word := []byte{'q'}
	for n := rank + 1; n > 0; n /= 26 {
		word = append(word, byte('a'+n%26))
	}
	return string(word)
}

// corpus makes n chunks; those of a document share rare words.
func corpus(n int) [][]uint32 {
	r := rand.New(rand.NewPCG(1, 1))
	w := newWords()
	chunks := make([][]uint32, n)
	var topic [topicWords]uint32
	for i := range chunks {
		if i%documentSize == 0 {
			for k := range topic {
				topic[k] = uint32(stopRanks + w.draw(r))
			}
		}
		ranks := make([]uint32, chunkTokens-20+r.IntN(41))
		for k := range ranks {
			if r.Float64() < topicShare {
				ranks[k] = topic[int(r.ExpFloat64()*8)%topicWords]
			} else {
				ranks[k] = uint32(w.draw(r))
			}
		}
		chunks[i] = ranks
	}
	return chunks
}

func textOf(ranks []uint32) string {
	var b strings.Builder
	for i, rank := range ranks {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(spell(int(rank)))
	}
	return b.String()
}

// questions are k distinct words of random chunks; content leaves out the most
// frequent ones.
func questions(chunks [][]uint32, n, k int, content bool) [][]string {
	r := rand.New(rand.NewPCG(2, uint64(k)))
	var out [][]string
	for len(out) < n {
		ranks := chunks[r.IntN(len(chunks))]
		var q []string
		for _, i := range r.Perm(len(ranks)) {
			word := spell(int(ranks[i]))
			if len(q) < k && !(content && ranks[i] < stopRanks) && !slices.Contains(q, word) {
				q = append(q, word)
			}
		}
		if len(q) == k {
			out = append(out, q)
		}
	}
	return out
}
