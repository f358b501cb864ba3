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

func TestP75_TheVerdictReadsEveryFigureOfARun(t *testing.T) {
	var items []Item
	add := func(suite, engine, metric string, ms float64, values ...float64) {
		for i, v := range values {
			items = append(items, Item{Suite: suite, Set: "set " + suite, Engine: engine, Query: string(rune('a' + i)), Retriever: "hybrid",
				Scores: map[string]float64{metric: v}, MS: map[string]float64{"prepare": ms}})
		}
	}
	add("S4", "simple", "ndcg@5", 1, 0.50, 0.50)
	add("S4", "expand", "ndcg@5", 3001, 0.25, 0.25)
	add("S5", "simple", "recall@5", 1, 0, 1)
	add("S5", "expand", "recall@5", 2, 0.5, 1)
	add("S5", ReferenceRewrite, "recall@5", 1, 1, 1)
	add("S6", "simple", "recall@5", 1, 1, 1)
	add("S6", "expand", "recall@5", 1, 1, 0.5)
	items = append(items, Item{Suite: "S5", Set: "set S5", Engine: "simple", Query: "a", Retriever: "bm25", Scores: map[string]float64{"recall@5": 1}}) // another retriever
	v := Judge(items)
	if v.Retriever != "hybrid" || v.Engine != "simple" || v.Questions != 2 || len(v.Candidates) != 2 {
		t.Fatalf("%+v", v)
	}
	c := v.Candidates[1]
	for _, figure := range []struct {
		name string
		got  *float64
		want float64
	}{{"gap closed", c.Closed, 0.5}, {"recall@5", c.FollowUps, 0.75}, {"ndcg@5", c.Talks, 0.25}, {"end of the gain", c.TalksHigh, -0.25}, {"retention", c.Retention, 0.75}, {"added", c.AddedMS, 3000}} {
		if figure.got == nil || !near(*figure.got, figure.want) {
			t.Errorf("%s: %v, not %v", figure.name, figure.got, figure.want)
		}
	}
	if len(c.Vetoes) != 3 || c.Fallback != nil {
		t.Errorf("%q, fallback %v", c.Vetoes, c.Fallback)
	}
}
