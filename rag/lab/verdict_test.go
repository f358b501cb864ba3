package lab

import (
	"slices"
	"strings"
	"testing"
)

func ptr(v float64) *float64 { return &v }

// measured is a candidate that every suite was measured for and that nothing
// speaks against.
func measured(name string, closed, followUps, talks float64, change ...func(*Candidate)) Candidate {
	c := Candidate{Engine: name, Closed: ptr(closed), FollowUps: ptr(followUps), Talks: ptr(talks), TalksHigh: ptr(0.01), Retention: ptr(0.99), AddedMS: ptr(100)}
	for _, f := range change {
		f(&c)
	}
	return c
}

func TestP75_TheRule(t *testing.T) {
	simple := measured("simple", 0, 0.20, 0.20)
	for _, c := range []struct {
		name  string
		found []Candidate
		want  string
	}{
		{"the better one", []Candidate{simple, measured("expand", 0.8, 0.60, 0.20)}, "expand"},
		{"a gain of 0.06 is not worth it", []Candidate{simple, measured("expand", 0.1, 0.26, 0.20)}, "simple"},
		{"0.03 in conversations is", []Candidate{simple, measured("expand", 0.1, 0.26, 0.23)}, "expand"},
		{"the cheapest that comes near, past a bad one between", []Candidate{simple, measured("expand", 0.80, 0.60, 0.22), measured("blend", 0.2, 0.30, 0.20), measured(condense, 0.85, 0.63, 0.22)}, "expand"},
		{"the dear one earns its cost", []Candidate{simple, measured("expand", 0.5, 0.40, 0.22), measured(condense, 0.9, 0.60, 0.22)}, condense},
		{"no chain of small steps down", []Candidate{simple, measured("expand", 0.40, 0.38, 0.20), measured("blend", 0.50, 0.43, 0.20), measured(condense, 0.60, 0.48, 0.20)}, "blend"},
		{"order of cost, not of the list", []Candidate{measured(Ungated, 0.81, 0.61, 0.2), simple, measured(condense, 0.80, 0.60, 0.2)}, condense},
		{"it loses topic shifts", []Candidate{simple, measured("expand", 0.8, 0.6, 0.2, func(c *Candidate) { c.Retention = ptr(0.94) })}, "simple"},
		{"worse in conversations beyond chance", []Candidate{simple, measured("expand", 0.8, 0.6, 0.2, func(c *Candidate) { c.TalksHigh = ptr(-0.001) })}, "simple"},
		{"too many failures", []Candidate{simple, measured(condense, 0.8, 0.6, 0.2, func(c *Candidate) { c.Fallback = ptr(0.11) })}, "simple"},
		{"a tenth of failures is allowed", []Candidate{simple, measured(condense, 0.8, 0.6, 0.2, func(c *Candidate) { c.Fallback = ptr(0.10) })}, condense},
		{"too slow", []Candidate{simple, measured(condense, 0.8, 0.6, 0.2, func(c *Candidate) { c.AddedMS = ptr(2501) })}, "simple"},
		{"nothing to compare with", []Candidate{simple}, ""},
		{"S5 was not run", []Candidate{simple, measured("expand", 0, 0, 0.3, func(c *Candidate) { c.Closed, c.FollowUps = nil, nil })}, ""},
		{"nothing at all", nil, ""},
	} {
		v := Decide("bm25", c.found)
		if v.Engine != c.want {
			t.Errorf("%s: %q, not %q (%s)", c.name, v.Engine, c.want, v.Sentence)
		}
		if v.Sentence == "" || (c.want != "" && len(v.Missing) > 0) {
			t.Errorf("%s: %q, missing %v", c.name, v.Sentence, v.Missing)
		}
	}
	slow := Decide("bm25", []Candidate{simple, measured(condense, 0.8, 0.6, 0.2, func(c *Candidate) { c.AddedMS = ptr(3000) })})
	if got := slow.Candidates[1].Vetoes; len(got) != 1 || got[0] != "adds 3.0 s in the slowest twentieth of questions, more than 2.5 s" {
		t.Errorf("%q", got)
	}
	unchecked := Decide("bm25", []Candidate{simple, measured("expand", 0.8, 0.6, 0, func(c *Candidate) { c.Talks, c.TalksHigh, c.Retention = nil, nil, nil })})
	if unchecked.Engine != "expand" || !slices.Equal(unchecked.Missing, []string{"S4", "S6"}) || !strings.Contains(unchecked.Sentence, "Provisional: S4 and S6") {
		t.Errorf("%+v", unchecked)
	}
}

// Engines that call a model are asked fewer questions. The easy ones that only
// the others were asked must not count for those.
func TestP70_TheVerdictComparesOnTheSameQuestions(t *testing.T) {
	var items []Item
	add := func(suite, set, engine, query string, recall float64) {
		items = append(items, Item{Suite: suite, Set: set, Engine: engine, Query: query, Retriever: "bm25", Scores: map[string]float64{"recall@5": recall}})
	}
	for _, set := range []string{"a", "b"} {
		for query, found := range map[string]float64{"1": 0, "2": 1, "3": 1} {
			for _, engine := range []string{"simple", "expand", ReferenceRewrite} {
				add("S5", set, engine, query, found)
			}
		}
		add("S5", set, condense, "1", 0)
	}
	v := Judge(items)
	if v.Questions != 2 {
		t.Errorf("%d questions are shared, not 2", v.Questions)
	}
	for _, c := range v.Candidates {
		if c.Engine == "expand" && (c.FollowUps == nil || *c.FollowUps != 0) {
			t.Errorf("expand is judged on questions that %s was not asked: %+v", condense, c)
		}
	}
}
