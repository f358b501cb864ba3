package retrieve

import (
	"referent/rag/lexical/analyze"
)

// Corpus answers what a chat engine may ask about the library as a whole. It
// always speaks of the newest snapshot.
type Corpus struct{ set *Set }

// Corpus returns the library's statistics.
func (s *Set) Corpus() *Corpus { return &Corpus{s} }

// Analyze returns the content words of a text as typed, in order, each word
// once in whatever form it first appears; stop words are left out.
func (c *Corpus) Analyze(text string) []string {
	return analyze.Content(text, c.languages())
}

// DocumentFrequency is the number of chunks that hold a word in any form and in
// any language of the library. Of a text of several words the rarest counts.
func (c *Corpus) DocumentFrequency(word string) int {
	s := c.set.deps.Snapshot()
	if s == nil {
		return 0
	}
	least := -1
	for _, g := range analyze.Query(word, s.Languages()) {
		if !g.Content {
			continue
		}
		df := 0
		for _, v := range g.Variants {
			df = max(df, s.DocumentFrequency(v))
		}
		if least < 0 || df < least {
			least = df
		}
	}
	return max(least, 0)
}

// Chunks is the number of chunks in the library.
func (c *Corpus) Chunks() int {
	if s := c.set.deps.Snapshot(); s != nil {
		return s.Chunks()
	}
	return 0
}

func (c *Corpus) languages() []string {
	if s := c.set.deps.Snapshot(); s != nil {
		return s.Languages()
	}
	return nil
}
