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
func Suites() []string {
	return []string{"S0", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", SuiteOwn}
}

// Describe says what a suite measures.
func Describe(suite string) string {
	return map[string]string{
		"S0": "facts of the sample library, by kind of follow-up", "S1": "scientific claims: the search engine alone", "S2": "questions in several languages",
		"S3": "evidence in long documents: the chunks",
		"S4": "conversations over technical documentation", "S5": "follow-ups that need the conversation", "S6": "a new topic after a conversation",
		"S7": "rewrites against those of people", "S8": "answers that a passage supports", "S9": "questions that no passage answers",
		"S10": "what must never happen", SuiteOwn: "a set of your own",
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
	// AnswerSample bounds the questions of a set whose answers a model writes;
	// below 0: none, 0: all.
	AnswerSample int `json:"answer_sample"`
	// Passages bounds the passages of a set that is judged by them: those that are
	// right for the questions asked, then others. Fewer make a set easier, for all
	// engines alike. 0: all.
	Passages int `json:"passages"`
}

// Preset returns a plan by name. quick is for a few minutes on two cores,
// standard for a few hours; full is everything.
func Preset(name string) (Plan, bool) {
	all := slices.DeleteFunc(Suites(), func(s string) bool { return s == SuiteOwn })
	switch name {
	case "quick":
		return Plan{Suites: []string{"S0", "S2", "S5", "S6", "S10"}, Engines: []string{"simple", "expand", "blend", condense}, Retrievers: []string{"bm25", "hybrid"},
			Languages: []string{"en"},
			Sample:    100, ModelSample: 12, ShiftSample: 12, AnswerSample: -1, Passages: 600}, true
	case "standard":
		return Plan{Suites: all, Engines: []string{"simple", "expand", "blend", condense, Ungated}, Retrievers: []string{"bm25", "dense", "hybrid"}, ModelSample: 400, ShiftSample: 150, AnswerSample: 40}, true
	case "full":
		return Plan{Suites: all, Engines: Engines(), Retrievers: Retrievers()}, true
	}
	return Plan{}, false
}

// questions are those of a set that an engine is asked. A suite without
// histories is about the search: only simple is asked.
func (p Plan) questions(s Set, name string) []Question {
	n := p.Sample
	switch {
	case s.writes(name) && p.AnswerSample < 0:
		return nil
	case s.given() && n == 0: // every planted fact: a gate that samples is none
	case s.Manner == MannerAnswer && p.AnswerSample > 0 && (n == 0 || p.AnswerSample < n):
		n = p.AnswerSample // quotations too, so that modes are compared
	case s.Manner == MannerSearch && asksModel(name):
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

// fewer leaves a set the questions and passages that the plan bounds it to. The
// same passages are kept on every machine: those with the smallest hashes.
func (p Plan) fewer(s Set) Set {
	judged := slices.ContainsFunc(s.Questions, func(q Question) bool { return len(q.Relevant) > 0 })
	if p.Passages <= 0 || len(s.Rows) <= p.Passages || s.Manner != MannerSearch || !judged {
		return s
	}
	s.Questions = Sample(s.Questions, p.Sample)
	keep := map[string]bool{}
	for _, q := range s.Questions {
		for id := range q.Relevant {
			keep[id] = true
		}
	}
	var rest []Question // a sample is of questions; only their ids count here
	for _, r := range s.Rows {
		if !keep[r.ID] {
			rest = append(rest, Question{ID: r.ID})
		}
	}
	if n := p.Passages - len(keep); n > 0 {
		for _, q := range Sample(rest, n) {
			keep[q.ID] = true
		}
	}
	s.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(r Row) bool { return !keep[r.ID] })
	return s
}

// engines are those that make sense for a set, the reference rewrite last.
func (p Plan) engines(s Set) []string {
	if rows := s.rows(); rows != nil {
		return rows
	}
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
	if len(s.Rows) == 0 || s.given() {
		return []string{NoRetriever}
	}
	if s.Suite == "S10" && p.AnswerSample < 0 {
		return p.Retrievers[:min(1, len(p.Retrievers))] // a short run embeds nothing for gates
	}
	return p.Retrievers
}

// depth is how many hits are judged: recall@100 is for the search alone.
func depth(s Set) int {
	switch s.Suite {
	case "S1":
		return 100
	case "S3":
		return 2 * perDocument(s) // enough chunks of any size for equal text
	}
	return 10
}

// perDocument is how many hits one document may have. Evidence of S3 is of one
// long document among few.
func perDocument(s Set) int {
	if s.Suite == "S3" {
		return 20
	}
	return 0
}

// wanted tells whether a plan takes a set of a suite.
func (p Plan) wanted(s Set) bool {
	return s.Suite != "S2" || len(p.Languages) == 0 || slices.Contains(p.Languages, strings.TrimPrefix(s.Name, "xquad_"))
}
