package retrieve

import (
	"math"
	"strings"

	"referent/rag/language"
	"referent/rag/lexical"
)

const (
	// leastShare is the part of a long question's content, weighed by rarity, that
	// a hit must hold to pass by its words alone.
	leastShare = 0.2
	// rounding of shares that are sums of floating point numbers.
	rounding = 1e-9
)

// neededShare is the part of the content of a question of so many effective words
// that a hit must hold: all of one word, 0.77 of two, 0.6 of four, 0.48 of eight.
// A passage that answers words the same thing otherwise for some of them, and how
// many it shares varies the less the more there are, with the root of their number:
// one share for all lengths turns right passages away from long questions and
// lets chance in on short ones. Fitted on the development halves of SciFact,
// XQuAD, CANARD, MTRAG and ClapNQ against questions that their corpora do not
// answer; docs/evaluation.md has the figures.
func neededShare(words float64) float64 {
	if words < 1 {
		return 1
	}
	return leastShare + (1-leastShare)/math.Sqrt(words)
}

// floor is what a hit must reach to be evidence.
type floor struct {
	cosine   float64 // 0: the embedding model is not calibrated, words decide
	reranked float64 // above 0: a calibrated reranker decides alone
}

// passes judges a candidate. A phrase in quotation marks that the chunk does
// not hold cannot be made up for by other words.
func (f floor) passes(c candidate) bool {
	if f.reranked > 0 && c.trace.Rerank != nil {
		return c.trace.Rerank.Score >= f.reranked
	}
	if f.cosine > 0 && c.cosine >= f.cosine {
		return true
	}
	return c.phrase && c.beyond >= -rounding
}

// setMeasuresAside takes words that only name the measure that is asked for out
// of what a hit must hold; they are searched as before. "How high is the deposit?"
// is about the deposit, and where no document says "high" that word would weigh
// the most. A question of nothing else keeps them.
func setMeasuresAside(q lexical.Query, text string) {
	measures := language.Measures(text)
	if len(measures) == 0 {
		return
	}
	var aside []int
	rest := false
	for i, g := range q.Groups {
		switch {
		case g.Content && measures[strings.ToLower(g.Surface)]:
			aside = append(aside, i)
		case g.Content:
			rest = true
		}
	}
	if !rest {
		return
	}
	for _, i := range aside {
		q.Groups[i].Content = false
	}
}
