package lexical

import (
	"math"
	"sync"
)

// BM25 constants; k1 0.9 and b 0.4 are the values of Anserini for passages.
const (
	bm25K1 = 0.9
	bm25B  = 0.4
)

// unit is one point of score as an integer. Scores are sums of integers, so
// that they do not depend on the order of additions, and with it neither on
// pruning nor on how chunks lie in blocks. A sum of MaxTerms contributions,
// each below ln(2^31)·unit, fits 32 bits.
const unit = 1 << 22

// contribution is what a word adds: its weight (idf·unit) times the fraction.
func contribution(weight, fraction float32) uint32 { return uint32(weight*fraction + 0.5) }

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

// bound is what a word can add at most where the greatest impact is given. The
// impact was made for another average length; the fraction grows with it by at
// most the ratio of the two (stretch, at least 1). The slack covers rounding.
func bound(weight float32, impact uint8, stretch float64) uint32 {
	if impact == 0 {
		return 0
	}
	fraction := min(1, float64(impact)/impactMax*stretch)
	return uint32(math.Ceil(float64(weight)*fraction*(1+1e-6))) + 2
}
