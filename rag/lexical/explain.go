package lexical

import (
	"cmp"
	"runtime"
	"slices"
)

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
	Words float64 // of content in the question, effectively: rare words count whole, common ones less
}

// place is a chunk of an explanation in its block.
type place struct{ block, ord, asked int }

// Explain says what each chunk holds of a query, found by it or not. An unknown
// chunk holds nothing.
func (x *Index) Explain(q Query, chunks ...int64) []Explanation {
	defer runtime.KeepAlive(x) // cursors point into its blocks
	scored, asked := x.plan(q)
	out := make([]Explanation, len(chunks))
	var places []place
	for i, chunk := range chunks {
		out[i].Terms = make([]TermWeight, len(scored))
		for k, w := range scored {
			out[i].Terms[k] = TermWeight{Word: w.Surface, Chunks: w.df, IDF: w.idf, Content: w.Content}
		}
		if block, ord, ok := x.locate(chunk); ok {
			places = append(places, place{block, ord, i})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.ord, b.ord)) })
	for len(places) > 0 { // lists are read forward, so each block and word is read once
		n := 1
		for n < len(places) && places[n].block == places[0].block {
			n++
		}
		for k, w := range scored {
			for _, v := range w.Variants {
				x.weigh(v, float32(w.idf*unit), places[:n], func(asked int) *TermWeight { return &out[asked].Terms[k] })
			}
		}
		places = places[n:]
	}
	for i := range out {
		out[i].total(asked)
	}
	return out
}

// weigh finds a variant in chunks of one block and notes it where it counts
// more than the variants before it.
func (x *Index) weigh(variant string, weight float32, places []place, of func(asked int) *TermWeight) {
	b := x.blocks[places[0].block]
	e, ok := b.find(variant)
	if !ok {
		return
	}
	var c cursor
	c.open(e.list, e.df)
	for _, p := range places {
		tf := c.find(uint32(p.ord))
		if tf == 0 {
			continue
		}
		t := of(p.asked)
		if add := float64(contribution(weight, x.norm.exact(int(tf), int(b.length(p.ord))))) / unit; add > t.Weight {
			t.Term, t.Count, t.Weight = variant, int(tf), add
		}
	}
}

// total adds the words up.
func (e *Explanation) total(asked content) {
	held := 0.0
	for _, t := range e.Terms {
		if t.Term == "" {
			continue
		}
		e.Score += t.Weight
		if t.Content {
			held += t.IDF
		}
	}
	if asked.mass > 0 {
		e.Share = held / asked.mass
	}
	e.Words = asked.words()
}

// locate finds the block that holds a chunk.
func (x *Index) locate(chunk int64) (block, ord int, ok bool) {
	for i, b := range x.blocks {
		if n := b.Len(); n == 0 || chunk < b.chunks[0] || chunk > b.chunks[n-1] {
			continue
		}
		if ord, ok := b.Ordinal(chunk); ok && b.live.Has(ord) {
			return i, ord, true
		}
	}
	return 0, 0, false
}
