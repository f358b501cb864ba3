package lab

import (
	"fmt"
	"slices"
	"strings"
)

// Judge applies the rule to a run: to its figures by hybrid search if S5 was
// measured so, else by words. Engines are compared on the questions that all of
// them were asked, since those that call a model are asked fewer.
func Judge(items []Item) Verdict {
	retriever := "bm25"
	if slices.ContainsFunc(items, func(i Item) bool { return i.Suite == "S5" && i.Retriever == "hybrid" }) {
		retriever = "hybrid"
	}
	shared := sharedItems(items, retriever, "S4", "S5", "S6")
	cells := Summarize(shared)
	var measured []Candidate
	questions := 0
	for _, name := range Engines() {
		if !slices.ContainsFunc(cells, func(c Cell) bool { return c.Engine == name }) {
			continue
		}
		measured = append(measured, candidate(cells, name, retriever))
		questions = 0
		for _, i := range shared {
			if i.Engine == name && i.Suite == "S5" {
				questions++
			}
		}
	}
	v := Decide(retriever, measured)
	v.Questions = questions
	if v.Engine != "" {
		_, sentence := confirmed(retriever, Summarize(slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return i.Suite != "S8" })))
		v.Sentence += " " + sentence
	}
	return v
}

// sharedItems are those of some suites under one retriever whose question was put
// to every engine, or in every mode, that their set was measured with.
func sharedItems(items []Item, retriever string, suites ...string) []Item {
	type question struct{ set, query string }
	engines, asked := map[string]map[string]bool{}, map[question]int{}
	var judged []Item
	for _, i := range items {
		if i.Retriever != retriever || !slices.Contains(suites, i.Suite) {
			continue
		}
		judged = append(judged, i)
		if engines[i.Set] == nil {
			engines[i.Set] = map[string]bool{}
		}
		engines[i.Set][i.Engine] = true
		asked[question{i.Set, i.Query}]++
	}
	return slices.DeleteFunc(judged, func(i Item) bool { return asked[question{i.Set, i.Query}] < len(engines[i.Set]) })
}

// candidate gathers the figures of one engine over all questions of each set.
func candidate(cells []Cell, name, retriever string) Candidate {
	all := func(suite, metric string) (found []Cell) {
		for _, c := range cells {
			if c.Engine == name && c.Slice == SliceAll && c.Metric == metric && c.Retriever == retriever && (suite == "" || c.Suite == suite) {
				found = append(found, c)
			}
		}
		return found
	}
	value := func(c Cell) float64 { return c.Value }
	c := Candidate{Engine: name, Vetoes: []string{}}
	c.Closed, c.FollowUps = meanOf(all("S5", "gap_closed"), value), meanOf(all("S5", "recall@5"), value)
	if name == "simple" && c.FollowUps != nil {
		c.Closed = new(float64)
	}
	c.Talks, c.Retention = meanOf(all("S4", "ndcg@5"), value), meanOf(all("S6", "retention"), value)
	c.TalksHigh = extreme(all("S4", "ndcg@5_gain"), func(c Cell) float64 { return -c.High })
	if c.TalksHigh != nil {
		*c.TalksHigh = -*c.TalksHigh
	}
	c.Fallback = extreme(all("", "fallback"), value)
	c.AddedMS = extreme(all("", "prepare_p95_ms"), func(slow Cell) float64 {
		base, _ := Find(cells, slow.Set, "simple", slow.Retriever, SliceAll, slow.Metric)
		return slow.Value - base.Value
	})
	return c
}

// meanOf is the mean over sets; nil without one.
func meanOf(cells []Cell, of func(Cell) float64) *float64 {
	if len(cells) == 0 {
		return nil
	}
	sum := 0.0
	for _, c := range cells {
		sum += of(c)
	}
	sum /= float64(len(cells))
	return &sum
}

// extreme is the largest over sets; nil without one.
func extreme(cells []Cell, of func(Cell) float64) *float64 {
	var out *float64
	for _, c := range cells {
		if v := of(c); out == nil || v > *out {
			out = &v
		}
	}
	return out
}

// FailedRewrites says which engines could not use more than a tenth of the
// rewrites that they tried on a set, in sentences. With one, a run has failed.
func FailedRewrites(cells []Cell) []string {
	var out []string
	for _, c := range cells {
		if c.Metric != "fallback" || c.Slice != SliceAll || c.Value <= mostFallbacks {
			continue
		}
		sentence := fmt.Sprintf("%s by %s on %s: %.1f %% of %d rewrites failed", c.Engine, c.Retriever, c.Set, 100*c.Value, c.N)
		for _, r := range cells {
			if reason, ok := strings.CutPrefix(r.Metric, "reason_"); ok && r.Set == c.Set && r.Engine == c.Engine && r.Retriever == c.Retriever && r.Slice == SliceAll {
				sentence += fmt.Sprintf(", %s %.1f %%", reason, 100*r.Value)
			}
		}
		out = append(out, sentence+".")
	}
	return out
}
