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

// content is what a query asks for, by idf.
type content struct {
	mass    float64 // of all of it
	squares float64
}

func (c *content) add(idf float64) { c.mass, c.squares = c.mass+idf, c.squares+idf*idf }

// words is the effective number of words (Kish 1965): as many of equal rarity
// weigh as unevenly.
func (c content) words() float64 {
	if c.squares == 0 {
		return 0
	}
	return c.mass * c.mass / c.squares
}

// plan weighs the groups of a query: scored are at most MaxTerms that occur,
// rarest first, equals by their text. asked is all content, found or not.
func (x *Index) plan(q Query) (scored []weighed, asked content) {
	for _, g := range q.Groups {
		w := weighed{Group: g}
		for _, v := range g.Variants {
			w.df = max(w.df, x.DocumentFrequency(v))
		}
		w.idf = x.idf(w.df)
		if w.df > 0 {
			scored = append(scored, w)
		} else if w.Content {
			asked.add(w.idf) // and nowhere to be found
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
			asked.add(w.idf)
		}
	}
	return scored, asked
}

// idf is the BM25 form that is never negative (Robertson and Zaragoza 2009,
// with the added 1 of Lucene).
func (x *Index) idf(df int) float64 {
	n := float64(x.Chunks())
	return math.Log(1 + (n-float64(df)+0.5)/(float64(df)+0.5))
}
