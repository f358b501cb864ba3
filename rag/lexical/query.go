package lexical

import (
	"math"
	"slices"
	"strings"

	"referent/rag/lexical/analyze"
)

// MaxTerms is the most words of a question that are searched, rarest first: a
// pasted page must not cost what a page costs.
const MaxTerms = 32

// Query is an analysed search text.
type Query struct {
	Groups []analyze.Group
}

// NewQuery analyses a search text for a corpus in the given languages
// (ISO 639-1; an empty one for documents whose language is not known).
func NewQuery(text string, languages []string) Query {
	return Query{Groups: analyze.Query(text, languages)}
}

// weighed is a group with its rarity in one index.
type weighed struct {
	analyze.Group
	df  int
	idf float64
}

// plan weighs the groups of a query: scored are at most MaxTerms that occur,
// rarest first, equals by their text. mass is the idf of all content.
func (x *Index) plan(q Query) (scored []weighed, mass float64) {
	for _, g := range q.Groups {
		w := weighed{Group: g}
		for _, v := range g.Variants {
			w.df = max(w.df, x.DocumentFrequency(v))
		}
		w.idf = x.idf(w.df)
		if w.df > 0 {
			scored = append(scored, w)
		} else if w.Content {
			mass += w.idf // asked for, and nowhere to be found
		}
	}
	slices.SortStableFunc(scored, func(a, b weighed) int {
		if a.df != b.df {
			return a.df - b.df
		}
		return strings.Compare(a.Variants[0], b.Variants[0])
	})
	scored = scored[:min(len(scored), MaxTerms)]
	for _, w := range scored {
		if w.Content {
			mass += w.idf
		}
	}
	return scored, mass
}

// idf is the BM25 form that is never negative (Robertson and Zaragoza 2009,
// with the added 1 of Lucene).
func (x *Index) idf(df int) float64 {
	n := float64(x.Chunks())
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}
