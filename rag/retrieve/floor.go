package retrieve

// shareFloor is the part of the question's content, weighed by rarity, that a
// hit must hold to pass by its words alone.
const shareFloor = 0.6

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
	return c.phrase && c.share >= shareFloor
}
