package turn

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/engine"
)

func TestP03_TheUsersWordsReachThePrompt(t *testing.T) {
	question := "How long is <|x|> it {{now}}, the  Harlow\tBridge?"
	for _, name := range engine.Default().Names() {
		d := newDesk(t, fake.Config{})
		out, err := d.ask(Request{Question: question, History: bridge(), Engine: name})
		if err != nil {
			t.Fatal(name, err)
		}
		calls := d.answerCalls()
		if len(calls) == 0 {
			t.Errorf("%s: no prompt (%+v)", name, out.Prepared)
			continue
		}
		answered := calls[len(calls)-1].Messages // research asks the model before
		last := answered[len(answered)-1]
		if !strings.HasSuffix(last.Text, question) || strings.Count(last.Text, question) != 1 {
			t.Errorf("%s: %q", name, last.Text)
		}
	}
}

func TestR015_TheQuestionIsAskedOnce(t *testing.T) {
	d := newDesk(t, fake.Config{})
	d.answered(Request{Question: howLong, History: said(howLong), Options: func() Options { o := Defaults(); o.GenerationHistory = 4; return o }()})
	all := ""
	for _, m := range d.answerCalls()[0].Messages {
		all += m.Text
	}
	if strings.Count(all, howLong) != 1 {
		t.Errorf("%q", all)
	}
}

func TestP31_GenerationHistoryIsFlatPairsBeforeTheQuestion(t *testing.T) {
	d := newDesk(t, fake.Config{})
	o := Defaults()
	o.GenerationHistory = 2
	history := append([]rag.Message{{Role: "system", Text: "obey"}}, bridge()...)
	d.answered(Request{Question: howLong, History: history, Options: o})
	m := d.answerCalls()[0].Messages
	if len(m) != 4 || m[0].Role != "system" || m[1].Text != howLong || m[2].Role != "assistant" || m[2].Text != "The Harlow Bridge is 320 metres long." || m[3].Role != "user" {
		t.Errorf("%+v", m)
	}
}

func TestP32_NoneNilAndEmptyAreTheSamePrompt(t *testing.T) {
	for _, question := range []string{howLong, "Who is the pope?", "Compare pump A and pump B warranty"} {
		for _, mode := range []rag.AnswerMode{rag.ModeGenerate, rag.ModeQuote} {
			var seen []string
			for _, history := range [][]rag.Message{nil, {}, bridge()} {
				for _, n := range []int{0, 4} {
					if n > 0 && len(history) > 0 {
						continue
					}
					d := newDesk(t, fake.Config{})
					o := Defaults()
					o.GenerationHistory = n
					out := d.answered(Request{Question: question, History: history, Mode: mode, Options: o})
					seen = append(seen, fmt.Sprintf("%+v %q %+v", d.answerCalls(), out.Done.Answer, out.Done.Sources))
				}
			}
			for _, s := range seen {
				if s != seen[0] {
					t.Errorf("%q %s: %s\n%s", question, mode, s, seen[0])
				}
			}
		}
	}
}

func TestP34_OldestHistoryGoesFirstEvidenceLast(t *testing.T) {
	d := newDesk(t, fake.Config{})
	spec := fake.Spec(inference.RoleAnswer)
	spec.Context = 1400
	if _, err := d.host.Load(ctx, spec, nil); err != nil {
		t.Fatal(err)
	}
	o := Defaults()
	o.GenerationHistory = 12
	long := strings.Repeat("some words of the past ", 40) // about 200 tokens
	out := d.answered(Request{Question: howLong, History: said("oldest "+long, "old "+long, "newer "+long, "newest short"), Options: o})
	all := fmt.Sprint(d.answerCalls()[0].Messages)
	if strings.Contains(all, "oldest ") || !strings.Contains(all, "newest short") || !strings.Contains(all, "320 metres") || len(out.Evidence()) == 0 {
		t.Errorf("%s", all)
	}
	tokens, _ := d.host.Tokenizer(inference.RoleAnswer)
	sent := 0
	for _, m := range d.answerCalls()[0].Messages {
		n, err := tokens.CountTokens(ctx, []string{m.Text})
		if err != nil {
			t.Fatal(err)
		}
		sent += n[0]
	}
	if free := spec.Context - sent - d.answerCalls()[0].MaxTokens; free < reserve {
		t.Errorf("%d tokens are kept free beside a prompt of %d and an answer of %d; the reserve is %d", free, sent, d.answerCalls()[0].MaxTokens, reserve)
	}
	// Where the evidence alone fills the window, the whole history has gone before
	// any of it.
	d.shelf.texts[0].Text += strings.Repeat(" The bridge is long and the bridge is old.", 32)
	o.EvidenceSeconds = 0
	out = d.answered(Request{Question: howLong, History: said("oldest "+long, "newest "+long), Options: o})
	if all := fmt.Sprint(d.answerCalls()[1].Messages); strings.Contains(all, "of the past") || len(out.Evidence()) == 0 {
		t.Errorf("%d passages: %s", len(out.Evidence()), all)
	}
	_, err := d.ask(Request{Question: strings.Repeat("How long is the Harlow Bridge? ", 400), Options: o})
	if !errors.Is(err, &rag.Error{Code: rag.CodeContextOverflow}) || !strings.Contains(err.Error(), "too long") {
		t.Errorf("%v", err)
	}
}

func TestP52_EmittedEvidenceIsWithinTheBudgetByTheModelsOwnCount(t *testing.T) {
	d := newDesk(t, fake.Config{})
	d.deps.Parents = parentsOf(strings.Repeat("Around the passage stand more words. ", 30))
	d.rebuild()
	for i := range d.shelf.texts {
		d.shelf.texts[i].Parent = int64(100 + i)
	}
	tokens, _ := d.host.Tokenizer(inference.RoleAnswer)
	for _, budget := range []int{1, 60, 300, 3000} {
		o := Defaults()
		o.EvidenceBudget, o.EvidenceSeconds = budget, 0
		out := d.answered(Request{Question: "What is the warranty of pump A and the warranty of pump B?", Options: o})
		sent := d.answerCalls()[len(d.answerCalls())-1].Messages
		last := sent[len(sent)-1].Text
		evidence := last[:strings.Index(last, "Answer in ")]
		n, err := tokens.CountTokens(ctx, []string{evidence})
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Retrieval; n[0] > r.PackedTokens || r.PackedTokens > r.BudgetTokens {
			t.Errorf("budget %d: %d emitted, %d packed of %d", budget, n[0], r.PackedTokens, r.BudgetTokens)
		}
	}
}

func TestStoredTokenCountsAreNotAskedAgain(t *testing.T) {
	d := newDesk(t, fake.Config{})
	d.deps.StoredTokens = func(_ context.Context, _ string, ids []int64) (map[int64]int, error) {
		out := map[int64]int{}
		for _, id := range ids {
			out[id] = 30
		}
		return out, nil
	}
	d.rebuild()
	d.answered(Request{Question: howLong})
	for _, c := range d.host.Calls() {
		if c.Kind == "count" && slices.Contains(c.Texts, library()[0].Text) {
			t.Error("a stored count was asked for")
		}
	}
}

func TestP55_CompressionWithNothingToTrimIsTheSamePrompt(t *testing.T) {
	prompts := map[bool]string{}
	for _, on := range []bool{true, false} {
		d := newDesk(t, fake.Config{})
		o := Defaults()
		o.Compress = on
		d.answered(Request{Question: howLong, Options: o})
		prompts[on] = fmt.Sprintf("%+v", d.answerCalls())
	}
	if prompts[true] != prompts[false] {
		t.Error("the prompts differ")
	}
}

func TestP56_ChecksRunOnWhatTheModelSaw(t *testing.T) {
	d := newDesk(t, writes("It was opened in 1932 [1]."))
	d.shelf.texts[0].Class = rag.ClassSnapshot
	o := Defaults()
	o.Compress, o.CompressKeepTop = true, 0
	out := d.answered(Request{Question: howLong, Options: o})
	h := out.Evidence()[0]
	if h.Strategy != rag.StrategyHeadline || strings.Contains(h.Rendered, "1932") || !strings.Contains(h.Text, "1932") {
		t.Fatalf("%+v", h)
	}
	if out.Done.AnswerCheck.Status != rag.CheckFlagged {
		t.Errorf("%+v", out.Done.AnswerCheck)
	}
}

// Nothing of a turn is reused by question: with another history the model is
// asked again.
func TestP38_NoAnswerIsReused(t *testing.T) {
	d := newDesk(t, fake.Config{})
	o := Defaults()
	o.GenerationHistory = 4
	d.answered(Request{Question: howLong, History: said("Hello", "Hi"), Options: o})
	d.answered(Request{Question: howLong, History: said("Goodbye", "Bye"), Options: o})
	calls := d.answerCalls()
	if len(calls) != 2 || reflect.DeepEqual(calls[0].Messages, calls[1].Messages) || len(d.shelf.queries) != 2 {
		t.Errorf("%d calls, %d searches", len(calls), len(d.shelf.queries))
	}
}
