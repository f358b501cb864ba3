package retrieve

import (
	"cmp"
	"slices"

	"referent/rag"
	"referent/rag/lexical/analyze"
	"referent/rag/vector"
)

// nearDuplicate is the cosine from which two chunks may say the same.
const nearDuplicate = 0.97

// distinct drops candidates that repeat a better one: the same content, or a
// near one whose text stands in the better one word for word. The second
// condition keeps two prices, two models or two versions apart that differ in
// one word. It ends when full says so of a candidate that was kept; nil: never.
func (s *search) distinct(list []candidate, full func(candidate) bool) (kept []candidate, dropped []rag.Hit) {
	read := map[int64]reading{}
	var rows []float32 // the vectors of kept, in their order; zero where there is none
	dims := s.snap.Dense().Dimensions()
	near := make([]float32, 0, len(list))
	for _, c := range list {
		v, ok := s.snap.Dense().Vector(c.chunk)
		if !ok {
			v = make([]float32, dims)
		}
		near = near[:len(kept)]
		vector.Cosines(v, rows, near)
		of := int64(0)
		for i, k := range kept {
			if c.chunk == k.chunk || c.hit.ContentHash != "" && c.hit.ContentHash == k.hit.ContentHash ||
				near[i] >= nearDuplicate && readingOf(read, k).holds(readingOf(read, c)) {
				of = k.chunk
				break
			}
		}
		if of == 0 {
			kept, rows = append(kept, c), append(rows, v...)
			if full != nil && full(c) {
				break
			}
			continue
		}
		if of != c.chunk {
			h := c.hit
			h.Trace, h.TermShare, h.Owner = c.trace, c.share, rag.OwnerMatch
			h.Packing, h.DuplicateOf = rag.PackedDuplicateOf, of
			dropped = append(dropped, h)
		}
	}
	return kept, dropped
}

// reading is the terms of a candidate, in order.
type reading struct{ header, text []string }

func readingOf(read map[int64]reading, c candidate) reading {
	r, ok := read[c.chunk]
	if !ok {
		r = reading{terms(c.hit.Header, c.hit.Language), terms(c.hit.Text, c.hit.Language)}
		read[c.chunk] = r
	}
	return r
}

func terms(text, language string) (out []string) {
	analyze.Text(text, language, func(term string, _ bool) { out = append(out, term) })
	return out
}

// holds tells whether the text of o stands in r as a whole, and r has every
// word of o's title and headings.
func (r reading) holds(o reading) bool {
	for _, w := range o.header {
		if !slices.Contains(r.header, w) && !slices.Contains(r.text, w) {
			return false
		}
	}
	for i := 0; i+len(o.text) <= len(r.text); i++ {
		if slices.Equal(r.text[i:i+len(o.text)], o.text) {
			return true
		}
	}
	return false
}

// repeatsOf keeps the duplicates of what is in the result, once each, by rank.
func repeatsOf(dropped []rag.Hit, kept []candidate) []rag.Hit {
	rank := map[int64]int{}
	for i, k := range kept {
		rank[k.chunk] = i + 1
	}
	var out []rag.Hit
	seen := map[int64]bool{}
	for _, h := range dropped {
		if rank[h.DuplicateOf] > 0 && rank[h.Chunk] == 0 && !seen[h.Chunk] {
			seen[h.Chunk] = true
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b rag.Hit) int { return cmp.Compare(rank[a.DuplicateOf], rank[b.DuplicateOf]) })
	for i := range out {
		out[i].Rank = i + 1
	}
	return out
}

// adjacent finds runs of hits that follow each other in one document, so that
// packing can render them as one piece of their parent.
func adjacent(list []candidate) [][]int64 {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.hit.Document, b.hit.Document), cmp.Compare(a.ordinal, b.ordinal))
	})
	var out [][]int64
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j].hit.Document == sorted[j-1].hit.Document && sorted[j].ordinal == sorted[j-1].ordinal+1 {
			j++
		}
		if j-i > 1 {
			var run []int64
			for _, c := range sorted[i:j] {
				run = append(run, c.chunk)
			}
			out = append(out, run)
		}
		i = j
	}
	return out
}
