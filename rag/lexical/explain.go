package lexical

import "slices"

// TermWeight is what one word of a question adds to the score of a chunk.
type TermWeight struct {
	Word    string  // as typed
	Term    string  // the index term that was found; empty: none
	Count   int     // in the chunk; title, heading and file name count twice
	Chunks  int     // that hold the word
	IDF     float64 //
	Weight  float64 // added to the score
	Content bool    // counts for the share
}

// Explanation takes the score of a chunk apart. Terms are those that are
// searched, rarest first.
type Explanation struct {
	Terms []TermWeight
	Score float64
	Share float64 // of the question's content by idf, 0 to 1; 0 where it has none
}

// Explain says what each chunk holds of a query, found by it or not. An unknown
// chunk holds nothing.
func (x *Index) Explain(q Query, chunks ...int64) []Explanation {
	scored, mass := x.plan(q)
	out := make([]Explanation, len(chunks))
	for i, chunk := range chunks {
		out[i] = x.explain(scored, mass, chunk)
	}
	return out
}

func (x *Index) explain(scored []weighed, mass float64, chunk int64) Explanation {
	e := Explanation{Terms: make([]TermWeight, 0, len(scored))}
	block, ord := x.locate(chunk)
	held := 0.0
	for _, w := range scored {
		t := TermWeight{Word: w.Surface, Chunks: w.df, IDF: w.idf, Content: w.Content}
		if block != nil {
			x.weigh(&t, w, block, ord)
		}
		if t.Term != "" {
			e.Score += t.Weight
			if w.Content {
				held += w.idf
			}
		}
		e.Terms = append(e.Terms, t)
	}
	if mass > 0 {
		e.Share = held / mass
	}
	return e
}

// weigh finds the variant of a word that counts in a chunk.
func (x *Index) weigh(t *TermWeight, w weighed, block *Block, ord int) {
	for _, v := range w.Variants {
		ords, counts := block.postings(v)
		i, ok := slices.BinarySearch(ords, uint16(ord))
		if !ok {
			continue
		}
		weight := float64(float32(w.idf) * x.norm.exact(int(counts[i]), int(block.lengths[ord])))
		if weight > t.Weight {
			t.Term, t.Count, t.Weight = v, int(counts[i]), weight
		}
	}
}

// locate finds the block that holds a chunk.
func (x *Index) locate(chunk int64) (*Block, int) {
	for _, b := range x.blocks {
		if n := b.Len(); n == 0 || chunk < b.chunks[0] || chunk > b.chunks[n-1] {
			continue
		}
		if ord, ok := b.Ordinal(chunk); ok {
			return b, ord
		}
	}
	return nil, 0
}
