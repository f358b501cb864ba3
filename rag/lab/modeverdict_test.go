package lab

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"referent/rag"
)

func TestDecideMode_VetoesThenOwnWordsBeforeQuotations(t *testing.T) {
	good := func(mode string) ModeCandidate {
		v := func(x float64) *float64 { return &x }
		return ModeCandidate{Mode: mode, Grounded: v(0.97), Numbers: 30, Supported: v(0.95), Refused: v(0.7), Falsely: v(0.1), Balanced: v(0.8), Overflow: v(0)}
	}
	with := func(c ModeCandidate, change func(*ModeCandidate)) ModeCandidate { change(&c); return c }
	low := func(x float64) *float64 { return &x }
	for name, c := range map[string]struct {
		generate, strict func(*ModeCandidate)
		want, says       string
	}{
		"all hold":                       {nil, nil, "generate", "95 % of its sentences"},
		"numbers of generate":            {func(c *ModeCandidate) { c.Grounded = low(0.95) }, nil, "strict", "strict is chosen"},
		"numbers on the line":            {func(c *ModeCandidate) { c.Grounded = low(0.96) }, nil, "generate", "all numbers of 96 %"},
		"sentences of generate":          {func(c *ModeCandidate) { c.Supported = low(0.89) }, nil, "strict", ""},
		"generate refuses worse":         {func(c *ModeCandidate) { c.Balanced = low(0.74) }, nil, "strict", ""},
		"a little worse":                 {func(c *ModeCandidate) { c.Balanced = low(0.76) }, nil, "generate", ""},
		"no room":                        {func(c *ModeCandidate) { c.Overflow = low(0.2) }, func(c *ModeCandidate) { c.Overflow = low(0.2) }, "quote", "own words"},
		"the model refuses all":          {func(c *ModeCandidate) { c.Supported = nil }, func(c *ModeCandidate) { c.Supported = nil }, "quote", ""},
		"no numbers at all":              {func(c *ModeCandidate) { c.Grounded, c.Numbers = nil, 0 }, nil, "generate", "Provisional: only 0 answers"},
		"few numbers":                    {func(c *ModeCandidate) { c.Numbers = 19 }, nil, "generate", "Provisional: only 19 answers"},
		"S9 was not asked":               {func(c *ModeCandidate) { c.Refused, c.Balanced = nil, nil }, nil, "", "S8 and S9 in the mode generate was not measured"},
		"quote is never out, even alone": {func(c *ModeCandidate) { c.Grounded = low(0) }, func(c *ModeCandidate) { c.Grounded = low(0) }, "quote", ""},
	} {
		generate, strict, quote := good("generate"), good("strict"), good("quote")
		if c.generate != nil {
			generate = with(generate, c.generate)
		}
		if c.strict != nil {
			strict = with(strict, c.strict)
		}
		v := DecideMode("hybrid", []ModeCandidate{quote, strict, generate})
		if v.Mode != c.want || !strings.Contains(v.Sentence, c.says) {
			t.Errorf("%s: %q, %q", name, v.Mode, v.Sentence)
		}
	}
	if v := DecideMode("bm25", nil); v.Mode != "" || len(v.Missing) != 3 {
		t.Errorf("%+v", v)
	}
}

// The rule on records of items: figures are those of the questions that all modes
// were asked, by hybrid where it was measured.
func TestJudgeModes_OnARun(t *testing.T) {
	var items []Item
	add := func(suite, mode, retriever, query string, scores map[string]float64) {
		items = append(items, Item{Suite: suite, Set: suite, Query: query, Engine: mode, Retriever: retriever, Scores: scores, Answer: &Answered{}})
	}
	for i := range 25 {
		q := fmt.Sprint(i)
		for _, mode := range Modes() {
			grounded := 1.0
			if mode == string(rag.ModeGenerate) && i < 2 {
				grounded = 0 // 23 of 25: 92 %
			}
			add("S8", mode, "hybrid", q, map[string]float64{"refused": 0, "supported": 1, "numbers_grounded": grounded, "coverage": 0.5})
			add("S8", mode, "bm25", q, map[string]float64{"refused": 0, "supported": 1, "numbers_grounded": 1})
			add("S9", mode, "hybrid", q, map[string]float64{"refused": one(i < 20)})
			add("S9", mode, "bm25", q, map[string]float64{"refused": 1})
		}
	}
	add("S8", "generate", "hybrid", "alone", map[string]float64{"refused": 0, "supported": 0, "numbers_grounded": 0}) // asked in one mode only
	v := JudgeModes(items)
	if v.Retriever != "hybrid" || v.Mode != "strict" || v.Questions != 50 || len(v.Candidates) != 3 || len(v.Missing) != 0 {
		t.Fatalf("%+v", v)
	}
	c := v.Candidates[0]
	if c.Mode != "generate" || *c.Grounded != 0.92 || c.Numbers != 25 || *c.Supported != 1 || *c.Refused != 0.8 || math.Abs(*c.Balanced-0.9) > 1e-12 || len(c.Vetoes) != 1 {
		t.Errorf("%+v", c)
	}
	if v := JudgeModes(nil); v.Mode != "" || v.Candidates == nil {
		t.Errorf("%+v", v)
	}
}
