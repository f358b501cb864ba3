package lab

import (
	"fmt"
	"slices"
	"strings"

	"referent/rag"
)

// What the rule asks of an answer mode, beside leastGrounded and leastSupported.
const (
	mostBalanceLost = 0.05 // of the balanced accuracy of refusing, below quote
	mostOverflow    = 0.10 // of the questions: a passage is longer than the window
	fewestNumbers   = 20   // answers with a number, to judge numbers by
)

// modeOrder is from what a person wants most: an answer in the model's own words
// while it is written, the same held back until it is checked, sentences of the
// documents.
var modeOrder = []string{string(rag.ModeGenerate), string(rag.ModeStrict), string(rag.ModeQuote)}

// ModeCandidate is what the rule looks at of one answer mode. A nil figure was not
// measured.
type ModeCandidate struct {
	Mode      string   `json:"mode"`
	Grounded  *float64 `json:"numbers_grounded"` // on S8
	Numbers   int      `json:"numbers"`          // answers that have a number
	Supported *float64 `json:"supported"`        // on S8
	Coverage  *float64 `json:"coverage"`         // on S8; shown, not judged: quoting whole sentences says more of the words
	Refused   *float64 `json:"refused"`          // on S9
	Falsely   *float64 `json:"false_refusal"`    // on S8
	Balanced  *float64 `json:"balanced_accuracy"`
	Overflow  *float64 `json:"overflow"` // the higher one of both suites
	Vetoes    []string `json:"vetoes"`   // why it is out, in sentences
}

// ModeVerdict is what the numbers say about the default answer mode.
type ModeVerdict struct {
	Retriever  string          `json:"retriever"`
	Questions  int             `json:"questions"` // of S8 and S9 in the mode that is chosen
	Mode       string          `json:"mode"`      // empty: not decided
	Sentence   string          `json:"sentence"`
	Missing    []string        `json:"missing"` // what the rule lacks, in words
	Candidates []ModeCandidate `json:"candidates"`
}

// JudgeModes applies the rule for the answer mode to a run: to S8 and S9 by hybrid
// search if they were measured so, else by words. Modes are compared on the
// questions that all of them were asked.
func JudgeModes(items []Item) ModeVerdict {
	answers := slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return i.Suite != "S8" && i.Suite != "S9" })
	retriever := "bm25"
	if slices.ContainsFunc(answers, func(i Item) bool { return i.Retriever == "hybrid" }) {
		retriever = "hybrid"
	}
	shared := sharedItems(answers, retriever, "S8", "S9")
	cells := Summarize(shared)
	var measured []ModeCandidate
	for _, mode := range modeOrder {
		if slices.ContainsFunc(shared, func(i Item) bool { return i.Engine == mode }) {
			measured = append(measured, modeCandidate(cells, mode, retriever))
		}
	}
	v := DecideMode(retriever, measured)
	for _, i := range shared {
		if i.Engine == v.Mode {
			v.Questions++
		}
	}
	return v
}

func modeCandidate(cells []Cell, mode, retriever string) ModeCandidate {
	c := ModeCandidate{Mode: mode, Vetoes: []string{}}
	figure := func(suite, metric string) (*float64, int) {
		for _, f := range cells {
			if f.Suite == suite && f.Engine == mode && f.Retriever == retriever && f.Slice == SliceAll && f.Metric == metric {
				return &f.Value, f.N
			}
		}
		return nil, 0
	}
	c.Grounded, c.Numbers = figure("S8", "numbers_grounded")
	c.Supported, _ = figure("S8", "supported")
	c.Coverage, _ = figure("S8", "coverage")
	c.Refused, _ = figure("S9", "refused")
	c.Falsely, _ = figure("S9", "false_refusal")
	c.Balanced, _ = figure("S9", "balanced_accuracy")
	for _, suite := range []string{"S8", "S9"} {
		if v, _ := figure(suite, "overflow"); v != nil && (c.Overflow == nil || *v > *c.Overflow) {
			c.Overflow = v
		}
	}
	return c
}

// DecideMode applies the rule. Out is a mode that says numbers that stand in no
// passage in more than 4 % of the answers with a number, more than 10 % of whose
// sentences no passage holds, that refuses worse than quote does by more than
// 0.05 of balanced accuracy, or that has no answer to more than 10 % of the
// questions for want of room. quote is what is left then, and is never out. Of the
// others generate goes before strict, and both before quote: a person asked, and
// wants to be answered. Without S8 and S9 for all three nothing is decided; with
// fewer than 20 answers with a number the verdict says that it is provisional.
func DecideMode(retriever string, measured []ModeCandidate) ModeVerdict {
	v := ModeVerdict{Retriever: retriever, Missing: []string{}, Candidates: []ModeCandidate{}}
	byMode := map[string]ModeCandidate{}
	for _, c := range measured {
		byMode[c.Mode] = c
	}
	quote := byMode[string(rag.ModeQuote)]
	for _, mode := range modeOrder {
		c, ok := byMode[mode]
		if !ok || c.Refused == nil || c.Balanced == nil { // Balanced needs both suites
			v.Missing = append(v.Missing, "S8 and S9 in the mode "+mode)
		}
		if ok {
			c.Vetoes = modeVetoes(c, quote)
			v.Candidates = append(v.Candidates, c)
		}
	}
	if len(v.Missing) > 0 {
		v.Sentence = "No answer mode is chosen: " + strings.Join(v.Missing, ", ") + " was not measured."
		return v
	}
	for _, c := range v.Candidates {
		if len(c.Vetoes) > 0 {
			continue
		}
		v.Mode = c.Mode
		v.Sentence = c.Mode + " is chosen: " + modeSentence(c)
		break
	}
	if n := byMode[string(rag.ModeGenerate)].Numbers; n < fewestNumbers {
		v.Missing = append(v.Missing, fmt.Sprintf("%d answers with a number (there are %d)", fewestNumbers, n))
		v.Sentence += " Provisional: only " + fmt.Sprint(n) + " answers have a number."
	}
	return v
}

func modeVetoes(c, quote ModeCandidate) []string {
	out := []string{}
	if c.Mode == string(rag.ModeQuote) {
		return out
	}
	if c.Grounded != nil && *c.Grounded < leastGrounded {
		out = append(out, fmt.Sprintf("all numbers stand in the passages in %.0f %% of %d answers with a number, less than %.0f %%", 100**c.Grounded, c.Numbers, 100*leastGrounded))
	}
	if c.Supported != nil && *c.Supported < leastSupported {
		out = append(out, fmt.Sprintf("%.0f %% of its sentences stand in the passages, less than %.0f %%", 100**c.Supported, 100*leastSupported))
	}
	if c.Supported == nil {
		out = append(out, "answers nothing")
	}
	if c.Balanced != nil && quote.Balanced != nil && *quote.Balanced-*c.Balanced > mostBalanceLost {
		out = append(out, fmt.Sprintf("tells what can be answered in %.0f %% of the questions, quote in %.0f %%", 100**c.Balanced, 100**quote.Balanced))
	}
	if c.Overflow != nil && *c.Overflow > mostOverflow {
		out = append(out, fmt.Sprintf("has no room for the passages of %.0f %% of the questions", 100**c.Overflow))
	}
	return out
}

func modeSentence(c ModeCandidate) string {
	if c.Mode == string(rag.ModeQuote) {
		return "what the model writes in its own words cannot be relied on."
	}
	s := fmt.Sprintf("%.0f %% of its sentences stand in the passages", 100**c.Supported)
	if c.Grounded != nil {
		s += fmt.Sprintf(", and all numbers of %.0f %% of the %d answers that have any", 100**c.Grounded, c.Numbers)
	}
	return s + fmt.Sprintf("; it refuses %.0f %% of what the passages do not answer, and %.0f %% of what they do.", 100**c.Refused, 100**c.Falsely)
}
