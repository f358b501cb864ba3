package lab

import (
	"slices"
	"strings"
)

// NoRetriever stands for the retriever where a set has no passages.
const NoRetriever = "none"

// SuiteOwn is a set of one's own.
const SuiteOwn = "own"

// Suites lists what can be run, with a sentence each.
func Suites() []string { return []string{"S0", "S1", "S2", "S4", "S5", "S6", "S7", SuiteOwn} }

// Describe says what a suite measures.
func Describe(suite string) string {
	return map[string]string{
		"S0": "facts of the sample library, by kind of follow-up", "S1": "scientific claims: the search engine alone", "S2": "questions in several languages",
		"S4": "conversations over technical documentation", "S5": "follow-ups that need the conversation", "S6": "a new topic after a conversation",
		"S7": "rewrites against those of people", SuiteOwn: "a set of your own",
	}[suite]
}

// Presets lists the named choices of suites.
func Presets() []string { return []string{"quick", "standard", "full"} }

// Plan says what is measured.
type Plan struct {
	Suites     []string `json:"suites"`
	Engines    []string `json:"engines"`
	Retrievers []string `json:"retrievers"`
	Languages  []string `json:"languages"` // of S2; empty: all that lie there
	Sample     int      `json:"sample"`    // most questions of a set; 0: all
	// ModelSample and ShiftSample bound the questions of a set, and of S6, for
	// engines that generate text; 0: all.
	ModelSample int `json:"model_sample"`
	ShiftSample int `json:"shift_sample"`
}

// Preset returns a plan by name. quick is for a few minutes on two cores,
// standard for a few hours; full is everything.
func Preset(name string) (Plan, bool) {
	all := slices.DeleteFunc(Suites(), func(s string) bool { return s == SuiteOwn })
	switch name {
	case "quick":
		return Plan{Suites: []string{"S0", "S2", "S5", "S6"}, Engines: []string{"simple", "expand", "blend", condense}, Retrievers: []string{"bm25", "hybrid"},
			Languages: []string{"en"}, Sample: 100, ModelSample: 12, ShiftSample: 12}, true
	case "standard":
		return Plan{Suites: all, Engines: []string{"simple", "expand", "blend", condense, Ungated}, Retrievers: []string{"bm25", "dense", "hybrid"}, ModelSample: 400, ShiftSample: 150}, true
	case "full":
		return Plan{Suites: all, Engines: Engines(), Retrievers: Retrievers()}, true
	}
	return Plan{}, false
}

// questions are those of a set that an engine is asked. A suite without
// histories is about the search: only simple is asked.
func (p Plan) questions(s Set, name string) []Question {
	n := p.Sample
	if asksModel(name) {
		m := p.ModelSample
		if s.Suite == "S6" {
			m = p.ShiftSample
		}
		if m > 0 && (n == 0 || m < n) {
			n = m
		}
	}
	return Sample(s.Questions, n)
}

// engines are those that make sense for a set, the reference rewrite last.
func (p Plan) engines(s Set) []string {
	follows := slices.ContainsFunc(s.Questions, func(q Question) bool { return len(q.History) > 0 })
	if !follows {
		return []string{"simple"}
	}
	var out []string
	for _, e := range p.Engines {
		if e != research || len(s.Rows) > 0 {
			out = append(out, e)
		}
	}
	if len(s.Rows) > 0 && slices.ContainsFunc(s.Questions, func(q Question) bool { return q.Reference != "" }) {
		out = append(out, ReferenceRewrite)
	}
	return out
}

func (p Plan) retrievers(s Set) []string {
	if len(s.Rows) == 0 {
		return []string{NoRetriever}
	}
	return p.Retrievers
}

// depth is how many hits are judged: recall@100 is for the search alone.
func depth(s Set) int {
	if s.Suite == "S1" {
		return 100
	}
	return 10
}

// wanted tells whether a plan takes a set of a suite.
func (p Plan) wanted(s Set) bool {
	return s.Suite != "S2" || len(p.Languages) == 0 || slices.Contains(p.Languages, strings.TrimPrefix(s.Name, "xquad_"))
}
