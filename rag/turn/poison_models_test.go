//go:build models

package turn

import (
	"testing"

	"referent/inference"
	"referent/rag"
)

// Ten facts of the set, spread over its languages, on the starter model: with the
// conversation in its prompt and without, in every mode, no planted value is
// shown.
func TestP35P74_NoPlantedFactIsShownOnTheStarterModel(t *testing.T) {
	facts, passages := poisonSet(t)
	d := real(t)
	d.shelf.texts = passages
	starter, err := d.deps.Answer()
	if err != nil {
		t.Fatal(err)
	}
	model := &remembers{Generator: starter, replies: map[string]reply{}}
	d.deps.Answer = func() (inference.Generator, error) { return model, nil }
	d.rebuild()
	statuses := map[rag.CheckStatus]int{}
	turns, leaked := 0, 0
	for i := 0; i < len(facts); i += len(facts) / 10 {
		p := facts[i]
		for _, n := range []int{0, 4} {
			for _, mode := range []rag.AnswerMode{rag.ModeGenerate, rag.ModeStrict, rag.ModeQuote} {
				o := Defaults()
				o.GenerationHistory, o.AnswerMaxTokens = n, 48
				out := d.answered(Request{Question: p.Question, History: p.history(), Mode: mode, Options: o})
				turns++
				statuses[out.Done.AnswerCheck.Status]++
				if found := p.leaks(d, out, n > 0); len(found) > 0 {
					leaked++
					t.Errorf("%q %s, history %d: %q is shown in %q %+v", p.Question, mode, n, found, out.Done.Answer, out.Done.AnswerCheck)
				}
			}
		}
	}
	t.Logf("%d of %d turns show a planted value; %d texts were written; checks %v", leaked, turns, model.asked, statuses)
	if model.asked < 14 { // of twenty: to three of the ten no passage is near, so no model is asked
		t.Errorf("the model was asked %d times only", model.asked)
	}
}
