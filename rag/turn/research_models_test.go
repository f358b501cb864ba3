//go:build models

package turn

import (
	"testing"
	"time"

	"referent/rag"
	"referent/rag/answer"
)

// The starter model researches: its loop ends by itself or by a limit, every
// call is seen, and what comes is an answer with a citation or the refusal.
func TestP44_TheStarterModelResearches(t *testing.T) {
	d := real(t)
	o := Defaults()
	o.AnswerMaxTokens, o.ResearchMaxRounds = 80, 8
	researched, right, cited := 0, 0, 0
	for _, q := range []struct {
		question string
		history  []rag.Message
		want     []int64 // chunks of the evidence
	}{
		{"How long is the Harlow Bridge, and what is the boiler pressure?", nil, []int64{1, 2}},
		{"Compare the warranty of pump A and pump B", nil, []int64{3, 4}},
		{"When was it opened?", bridge(), []int64{1}},
		{"Who is the pope of Rome?", nil, nil},
	} {
		start := time.Now()
		out := d.answered(Request{Question: q.question, History: q.history, Engine: "research", Options: o})
		p := out.Prepared
		if p.Status == rag.StatusResearched {
			researched++
		}
		found := map[int64]bool{}
		for _, c := range evidenceOf(out) {
			found[c] = true
		}
		ok := true
		for _, c := range q.want {
			ok = ok && found[c]
		}
		if ok {
			right++
		}
		t.Logf("%v %s, %s: %q took %d ms and %d calls\n  %v\n  %s %q", ok, p.Status, p.Ended, q.question, time.Since(start).Milliseconds(), p.ModelCalls,
			searched(out), out.Done.AnswerCheck.Status, out.Done.Answer)
		for _, s := range p.Steps {
			t.Logf("    step %d: %s %s, %d found, repeats %v", s.N, s.Tool, s.Arguments, s.Hits, s.RepeatedOf != nil)
		}
		if p.Ended == "" || p.ModelCalls == 0 || p.ModelCalls > 2*o.ResearchMaxRounds || len(d.steps()) != len(p.Steps) || len(p.Steps) == 0 {
			t.Errorf("%q ended with %q after %d calls and %d steps", q.question, p.Ended, p.ModelCalls, len(p.Steps))
		}
		if len(out.Done.Citations) > 0 || out.Done.Answer == answer.Refusal("en") {
			cited++
		}
	}
	if researched < 3 || right < 3 || cited < 3 {
		t.Errorf("of 4, %d researched, %d with the right evidence, %d cited or refused", researched, right, cited)
	}
}
