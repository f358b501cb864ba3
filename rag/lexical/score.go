package lexical

import (
	"sync"

	"referent/rag/segment/bitmap"
)

// BM25 constants; k1 0.9 and b 0.4 are the values of Anserini for passages.
const (
	bm25K1 = 0.9
	bm25B  = 0.4
)

// norm is the part of the score that depends on count and length:
// tf / (tf + k1·(1−b+b·length/average)). Common values come from a table.
type norm struct {
	average float64
	once    sync.Once
	table   [tableCounts][tableLengths]float32
}

const (
	tableCounts  = 8
	tableLengths = 1024
)

func (n *norm) fill() {
	for tf := range n.table {
		for length := range n.table[tf] {
			n.table[tf][length] = n.exact(tf+1, length)
		}
	}
}

func (n *norm) of(tf uint8, length uint16) float32 {
	if tf <= tableCounts && length < tableLengths {
		return n.table[tf-1][length]
	}
	return n.exact(int(tf), int(length))
}

func (n *norm) exact(tf, length int) float32 {
	t := float64(tf)
	return float32(t / (t + bm25K1*(1-bm25B+bm25B*float64(length)/n.average)))
}

// scores holds the sums of one block; it is used again for the next.
type scores struct {
	sum, group []float32
}

// score fills sum for a block. A group adds the best of its variants, and the
// groups add in the same order in every block, so that a chunk scores the same
// wherever it lies.
func (s *scores) score(b *Block, scored []weighed, n *norm) {
	s.sum = cleared(s.sum, b.Len())
	for _, w := range scored {
		idf := float32(w.idf)
		if len(w.Variants) == 1 {
			ords, counts := b.postings(w.Variants[0])
			for i, ord := range ords {
				s.sum[ord] += idf * n.of(counts[i], b.lengths[ord])
			}
			continue
		}
		s.group = cleared(s.group, b.Len())
		var touched []uint16
		for _, v := range w.Variants {
			ords, counts := b.postings(v)
			for i, ord := range ords {
				if s.group[ord] == 0 {
					touched = append(touched, ord)
				}
				s.group[ord] = max(s.group[ord], idf*n.of(counts[i], b.lengths[ord]))
			}
		}
		for _, ord := range touched {
			s.sum[ord] += s.group[ord]
		}
	}
}

func cleared(s []float32, n int) []float32 {
	if cap(s) < n {
		return make([]float32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// collect offers the allowed chunks of a scored block.
func (s *scores) collect(b *Block, base int, allow *bitmap.Bitmap, best *top) {
	for ord, score := range s.sum {
		if score > 0 && score >= best.least && allow.Has(base+ord) {
			best.offer(Hit{Chunk: b.chunks[ord], Score: float64(score)})
		}
	}
}
