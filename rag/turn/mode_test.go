package turn

import (
	"context"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/answer"
)

func TestNoEvidence_FixedRefusalWithoutAModelCall(t *testing.T) {
	for question, want := range map[string]string{
		"Who is the pope of Rome?":                        answer.Refusal("en"),
		"Chi è il papa e dove abita oggi?":                answer.Refusal("it"),
		"Wer ist der Papst und wo wohnt er heute?":        answer.Refusal("de"),
		"Qui est le pape et où est-ce qu'il habite ?":     answer.Refusal("fr"),
		"¿Quién es el papa y dónde vive hoy en el mundo?": answer.Refusal("es"),
	} {
		for _, mode := range []rag.AnswerMode{"", rag.ModeGenerate, rag.ModeStrict, rag.ModeQuote} {
			d := newDesk(t, fake.Config{})
			out := d.answered(Request{Question: question, Mode: mode})
			if out.Done.Answer != want || out.Done.AnswerCheck.Status != rag.CheckRefused || len(out.Done.Sources)+len(out.Done.Citations) != 0 {
				t.Errorf("%q %s: %+v", question, mode, out.Done)
			}
			if len(d.answerCalls()) != 0 || len(d.saved) != 1 {
				t.Errorf("%q: %d calls, %d saved", question, len(d.answerCalls()), len(d.saved))
			}
		}
	}
}

func TestR125_ARefusalShowsWhatWasSearchedAndTheNearestMiss(t *testing.T) {
	d := newDesk(t, fake.Config{})
	out := d.answered(Request{Question: "Which colour has the boiler in the cellar upstairs?"})
	if out.Prepared.SearchQueries[0] != out.Request.Question || len(out.Retrieval.Hits) == 0 || out.Retrieval.Hits[0].Packing != rag.PackedFloor || out.Retrieval.Hits[0].Title != "Boiler" {
		t.Errorf("%+v", out.Retrieval)
	}
	if len(out.Done.Sources) != 0 || out.Retrieval.PackedTokens != 0 {
		t.Errorf("a near miss became a source: %+v", out.Done.Sources)
	}
}

func TestModes_QuoteNeedsNoModel(t *testing.T) {
	for name, change := range map[string]func(d *desk, r *Request){
		"asked for": func(_ *desk, r *Request) { r.Mode = rag.ModeQuote },
		"no model": func(d *desk, _ *Request) {
			d.deps.Answer = func() (inference.Generator, error) { return nil, inference.ErrNoModel }
			d.rebuild()
		},
		"small model": func(d *desk, _ *Request) {
			d.deps.Answer = func() (inference.Generator, error) { return small{}, nil }
			d.rebuild()
		},
	} {
		d := newDesk(t, fake.Config{})
		req := Request{Question: howLong}
		change(d, &req)
		out := d.answered(req)
		if out.Done.Answer != "“The Harlow Bridge is 320 metres long.” [1]" || out.Done.Mode != rag.ModeQuote || out.Done.AnswerCheck.Status != rag.CheckQuoted {
			t.Errorf("%s: %+v", name, out.Done)
		}
		c := out.Done.Citations[0]
		if got := string([]rune(library()[0].Text)[c.Start:c.End]); got != "The Harlow Bridge is 320 metres long." {
			t.Errorf("%s cites %q", name, got)
		}
	}
}

// small is a model below a billion parameters that must not be asked.
type small struct{}

func (small) Info() inference.ModelInfo {
	return inference.ModelInfo{Parameters: 135_000_000, Context: 2048}
}

func (small) Generate(context.Context, inference.GenerateRequest, func(inference.Piece) error) (inference.GenerateResult, error) {
	panic("a small model was asked")
}

func TestModes_StrictHoldsTheTextUntilItIsChecked(t *testing.T) {
	d := newDesk(t, writes("The Harlow Bridge is 320 metres long [1]."))
	out := d.answered(Request{Question: howLong, Mode: rag.ModeStrict})
	if out.Done.AnswerCheck.Status != rag.CheckSupported || d.shown() != out.Done.Answer {
		t.Errorf("%q / %+v", d.shown(), out.Done)
	}
	d = newDesk(t, writes("The Harlow Bridge is 777 metres long [1]."))
	out = d.answered(Request{Question: howLong, Mode: rag.ModeStrict})
	if strings.Contains(d.shown()+out.Done.Answer, "777") || out.Done.Answer != "“The Harlow Bridge is 320 metres long.” [1]" {
		t.Errorf("%q / %q", d.shown(), out.Done.Answer)
	}
	if out.Done.AnswerCheck.Status != rag.CheckQuoted || len(out.Done.AnswerCheck.Issues) == 0 || out.Done.AnswerCheck.Issues[0].Kind != "number" {
		t.Errorf("%+v", out.Done.AnswerCheck)
	}
}

func TestP36_GenerateFlagsWhatTheEvidenceDoesNotSay(t *testing.T) {
	d := newDesk(t, writes("The Harlow Bridge is 777 metres long [1]."))
	out := d.answered(Request{Question: howLong})
	if out.Done.AnswerCheck.Status != rag.CheckFlagged || out.Done.AnswerCheck.Issues[0].Text != "777" || out.Done.Answer != "The Harlow Bridge is 777 metres long [1]." {
		t.Errorf("%+v", out.Done)
	}
}

func TestAModelsRefusalBecomesTheFixedOne(t *testing.T) {
	d := newDesk(t, writes("The documents do not answer this question. But 42 [1]."))
	out := d.answered(Request{Question: howLong})
	if out.Done.Answer != answer.Refusal("en") || out.Done.AnswerCheck.Status != rag.CheckRefused || len(out.Done.Sources) != 0 {
		t.Errorf("%+v", out.Done)
	}
}

func TestAModelThatOnlyThinksIsReplacedByQuotations(t *testing.T) {
	d := newDesk(t, writes("<think>for ever</think>"))
	out := d.answered(Request{Question: howLong})
	if out.Done.Answer != "“The Harlow Bridge is 320 metres long.” [1]" || out.Done.AnswerCheck.Status != rag.CheckQuoted {
		t.Errorf("%+v", out.Done)
	}
}

func TestStats_NotBeforeEightTokensNorWithin250ms(t *testing.T) {
	d := newDesk(t, fake.Config{})
	d.deps.Clock = func() time.Time { d.clock = d.clock.Add(10 * time.Millisecond); return d.clock }
	d.deps.Answer = func() (inference.Generator, error) { return ticking{n: 200}, nil }
	d.rebuild()
	d.answered(Request{Question: howLong})
	tokens, stats := 0, 0
	for _, e := range d.events {
		switch e.(type) {
		case rag.Token:
			tokens++
		case rag.Stats:
			if stats++; tokens < 7 {
				t.Errorf("figures after %d tokens", tokens)
			}
		}
	}
	// 200 tokens take at least 2 s of the clock: at most one in 250 ms.
	if stats == 0 || stats > 2000/250+2 {
		t.Errorf("%d stats", stats)
	}
}

// ticking writes n tokens.
type ticking struct{ n int }

func (ticking) Info() inference.ModelInfo { return inference.ModelInfo{Context: 4096} }

func (g ticking) Generate(_ context.Context, _ inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	for range g.n {
		if err := each(inference.Piece{Text: "word "}); err != nil {
			return inference.GenerateResult{}, err
		}
	}
	return inference.GenerateResult{PromptTokens: 10, DecodePerSecond: 100}, nil
}
