package retrieve

import (
	"cmp"
	"context"
	"slices"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment"
	"referent/rag/vector"
)

const (
	// legDepth is how many hits each leg gives to the fusion.
	legDepth = 200
	// rrfK is the constant of reciprocal rank fusion (Cormack, Clarke,
	// Büttcher 2009).
	rrfK = 60
	// exactWeight is how much more words count for identifiers, numbers and
	// quoted phrases.
	exactWeight = 2
)

// candidates asks the legs and joins them.
func (s *search) candidates(ctx context.Context, t *text, allow *segment.Bitmap) ([]candidate, error) {
	words, near, err := s.legs(ctx, t, allow)
	if err != nil {
		return nil, err
	}
	list := join(words, near)
	switch {
	case !s.meaning:
		rankBy(list, func(c candidate) float64 { return c.trace.BM25.Score })
		return list, nil
	case !s.words:
		rankBy(list, func(c candidate) float64 { return c.trace.Dense.Score })
		return list, nil
	}
	lexicalWeight := 1.0
	if t.exact {
		lexicalWeight = exactWeight
	}
	if s.Fusion == FusionConvex {
		rankBy(list, convex(list, lexicalWeight))
	} else {
		rankBy(list, rrf(lexicalWeight))
	}
	for i := range list {
		list[i].trace.Fused = &rag.Leg{Rank: i + 1, Score: list[i].score}
	}
	return list, nil
}

func (s *search) legs(ctx context.Context, t *text, allow *segment.Bitmap) (words []lexical.Hit, near []vector.Hit, err error) {
	if s.words {
		if words = t.early; !t.hasHits {
			if words, err = s.snap.Lexical().Search(ctx, t.query, allow, legDepth); err != nil {
				return nil, nil, err
			}
		}
		t.early, t.hasHits = nil, false // the next pass has other filters
	}
	if t.unit != nil {
		near, err = s.snap.Dense().Search(ctx, t.unit, allow, legDepth)
	}
	return words, near, err
}

// join makes one candidate of each chunk, with what the legs said of it.
func join(words []lexical.Hit, near []vector.Hit) []candidate {
	at := make(map[int64]int, len(words)+len(near))
	list := make([]candidate, 0, len(words)+len(near))
	for i, h := range words {
		at[h.Chunk] = len(list)
		list = append(list, candidate{chunk: h.Chunk, trace: rag.Trace{BM25: &rag.Leg{Rank: i + 1, Score: h.Score}}})
	}
	for i, h := range near {
		leg := &rag.Leg{Rank: i + 1, Score: h.Cosine}
		if k, ok := at[h.Chunk]; ok {
			list[k].trace.Dense = leg
			continue
		}
		list = append(list, candidate{chunk: h.Chunk, trace: rag.Trace{Dense: leg}})
	}
	return list
}

// rrf adds weight/(k+rank) over the legs that found the chunk.
func rrf(lexicalWeight float64) func(candidate) float64 {
	return func(c candidate) float64 {
		score := 0.0
		if c.trace.BM25 != nil {
			score += lexicalWeight / float64(rrfK+c.trace.BM25.Rank)
		}
		if c.trace.Dense != nil {
			score += 1 / float64(rrfK+c.trace.Dense.Rank)
		}
		return score
	}
}

// convex is the weighted mean of scores between their least possible value (0
// for BM25, −1 for a cosine) and the best of this list (Bruch, Gai, Ingber
// 2023).
func convex(list []candidate, lexicalWeight float64) func(candidate) float64 {
	mostWords, mostNear := 0.0, -1.0
	for _, c := range list {
		if c.trace.BM25 != nil {
			mostWords = max(mostWords, c.trace.BM25.Score)
		}
		if c.trace.Dense != nil {
			mostNear = max(mostNear, c.trace.Dense.Score)
		}
	}
	return func(c candidate) float64 {
		score := 0.0
		if c.trace.BM25 != nil && mostWords > 0 {
			score += lexicalWeight * c.trace.BM25.Score / mostWords
		}
		if c.trace.Dense != nil && mostNear > -1 {
			score += (c.trace.Dense.Score + 1) / (mostNear + 1)
		}
		return score / (lexicalWeight + 1)
	}
}

// rankBy scores and sorts. Equals go by the dense rank, then the lexical one,
// then the older chunk.
func rankBy(list []candidate, score func(candidate) float64) {
	for i := range list {
		list[i].score = score(list[i])
	}
	order := make([]*candidate, len(list)) // a candidate has room for a whole hit: too much to move about
	for i := range list {
		order[i] = &list[i]
	}
	slices.SortFunc(order, func(a, b *candidate) int {
		if a.score != b.score {
			return cmp.Compare(b.score, a.score)
		}
		return cmp.Or(byRank(a.trace.Dense, b.trace.Dense), byRank(a.trace.BM25, b.trace.BM25), cmp.Compare(a.chunk, b.chunk))
	})
	sorted := make([]candidate, len(list))
	for i, c := range order {
		sorted[i] = *c
	}
	copy(list, sorted)
}

// byRank puts a leg that found the chunk before one that did not.
func byRank(a, b *rag.Leg) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(a.Rank, b.Rank)
}

// settle puts chunks with every quoted phrase first, and notes, quoted mail and
// page headers after their equals.
func settle(list []candidate) {
	slices.SortStableFunc(list, func(a, b candidate) int {
		if a.phrase != b.phrase {
			if a.phrase {
				return -1
			}
			return 1
		}
		if c := cmp.Compare(b.score, a.score); c != 0 || a.lowRank == b.lowRank {
			return c
		}
		if b.lowRank {
			return -1
		}
		return 1
	})
}
