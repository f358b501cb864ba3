package check

import (
	"slices"
	"strings"

	"referent/rag"
)

// Strict judges a whole answer and keeps only the sentences that pass every
// check. Each of the others is withheld and becomes an issue for each reason,
// which holds the sentence without a place in the answer. The answer is empty
// where nothing is left that stands on its own.
func (c *Checker) Strict(text string) Result {
	r := c.Answer(text)
	if r.Check.Status == rag.CheckSupported {
		return r
	}
	reasons := map[int][]rag.Issue{}
	starts := c.starts(r.Answer)
	for _, i := range r.Check.Issues {
		k := sentenceAt(starts, i.Start)
		told := slices.ContainsFunc(reasons[k], func(o rag.Issue) bool { return o.Kind == i.Kind })
		if i.Kind != historyOnly && k >= 0 && !told {
			reasons[k] = append(reasons[k], i)
		}
	}
	var kept strings.Builder
	var withheld []rag.Issue
	last := 0
	for k, s := range c.l.Sentences(r.Answer) {
		if len(reasons[k]) == 0 {
			kept.WriteString(r.Answer[last:s.End])
		}
		for _, i := range reasons[k] {
			withheld = append(withheld, rag.Issue{Kind: i.Kind, Text: r.Answer[s.Start:s.End], Found: i.Found})
		}
		last = s.End
	}
	rest := c.Answer(kept.String())
	for _, i := range r.Check.Issues {
		if i.Kind == historyOnly {
			withheld = append(withheld, i)
		}
	}
	if rest.Check.Status != rag.CheckSupported || len(rest.Citations) == 0 {
		rest.Answer = ""
	}
	rest.Check.Status, rest.Check.Issues = rag.CheckWithheld, withheld
	return rest
}
