//go:build models

package turn

import (
	"strings"
	"testing"
	"time"

	"referent/inference/catalogue"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/engine/isolation"
)

// Grounded answers of the starter model cite what they say; what no passage
// says is refused, or not stated as supported. From the second question on the
// rules are not evaluated again.
func TestR123_TheStarterModelAnswersAndCitesAndReadsOnlyNewText(t *testing.T) {
	d := real(t)
	o := Defaults()
	o.AnswerMaxTokens = 80
	right, cited := 0, 0
	questions := []struct{ question, key string }{
		{"How long is the Harlow Bridge?", "320"},
		{"What is the boiler pressure?", "1.5"},
		{"How many weeks of leave does the parental leave policy grant?", "sixteen"},
		{"Quanto dura la warranty di pump A?", "five|cinque"},
	}
	tokens, err := d.deps.Tokens()
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := catalogue.ByFile(starter)
	system, err := tokens.CountTokens(ctx, []string{answer.System(entry.Profile().FewShot)})
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		start := time.Now()
		out := d.answered(Request{Question: q.question, Options: o})
		ok := false
		for _, k := range strings.Split(q.key, "|") {
			ok = ok || strings.Contains(strings.ToLower(out.Done.Answer), strings.ToLower(k))
		}
		if ok {
			right++
		}
		if len(out.Done.Citations) > 0 {
			cited++
		}
		if u := out.Done.Usage; i > 0 && u.PromptTokens > 0 && u.CachedTokens < system[0]-8 { // R123: only new text is evaluated
			t.Errorf("%q: %d of %d tokens were cached; the rules alone have %d", q.question, u.CachedTokens, u.PromptTokens, system[0])
		}
		t.Logf("%v %-10s %5d ms, %d of %d tokens cached: %q → %q %v", ok, out.Done.AnswerCheck.Status, time.Since(start).Milliseconds(),
			out.Done.Usage.CachedTokens, out.Done.Usage.PromptTokens, q.question, out.Done.Answer, out.Done.AnswerCheck.Issues)
	}
	if right < len(questions)-1 || cited < len(questions)-1 {
		t.Errorf("%d right and %d cited of %d", right, cited, len(questions))
	}
}

// With the poison in the prompt the real model may repeat it; it is never shown.
func TestP35_PlantedValuesOnTheStarterModel(t *testing.T) {
	d := real(t)
	o := Defaults()
	o.AnswerMaxTokens, o.GenerationHistory = 60, 4
	const question = "Who is the chairman of the Harlow Bridge?"
	out := d.answered(Request{Question: question, History: isolation.Poison(question), Options: o})
	if err := isolation.Clean(d.observe(out)); err != nil {
		t.Errorf("%v in %q", err, out.Done.Answer)
	}
	t.Logf("%s %q", out.Done.AnswerCheck.Status, out.Done.Answer)
	if out.Done.AnswerCheck.Status == rag.CheckRefused && out.Done.Answer != answer.Refusal("en") {
		t.Errorf("%q", out.Done.Answer)
	}
}
