package turn

import (
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

func TestP36_StrictShowsWhatPassesAndTheReasonsForTheRest(t *testing.T) {
	d := newDesk(t, writes("The Harlow Bridge is 320 metres long [1]. It is 777 years old [1]."))
	out := d.answered(Request{Question: howLong, Mode: rag.ModeStrict})
	if out.Done.Answer != "The Harlow Bridge is 320 metres long [1]." || d.shown() != out.Done.Answer || out.Done.AnswerCheck.Status != rag.CheckWithheld {
		t.Errorf("%q / %+v", d.shown(), out.Done)
	}
	if i := out.Done.AnswerCheck.Issues; len(i) == 0 || i[0].Kind != "number" || i[0].Text != "It is 777 years old [1]." || i[0].Start != 0 || i[0].End != 0 {
		t.Errorf("%+v", i)
	}
	if len(out.Done.Citations) != 1 || len(out.Done.Sources) != 1 {
		t.Errorf("%+v", out.Done)
	}
	tokens := 0
	for _, e := range d.events {
		if _, ok := e.(rag.Token); ok {
			tokens++
		}
	}
	if tokens != 1 {
		t.Errorf("a held answer came in %d pieces", tokens)
	}
}

// sized is the fake answer model with so many parameters.
type sized struct {
	inference.Generator
	parameters int64
}

func (s sized) Info() inference.ModelInfo {
	i := s.Generator.Info()
	i.Parameters, i.AnswerMode = s.parameters, ""
	return i
}

// Beside everything that a small model writes stand the best sentences in the
// documents' own words; not beside a refusal or a quotation.
func TestQuotesBesideTheAnswerOfASmallModel(t *testing.T) {
	for _, c := range []struct {
		question   string
		mode       rag.AnswerMode
		parameters int64
		quoted     bool
	}{
		{howLong, rag.ModeGenerate, 1_500_000_000, true},
		{howLong, rag.ModeStrict, 1_500_000_000, true},
		{howLong, rag.ModeGenerate, 500_000_000, true},
		{howLong, rag.ModeQuote, 1_500_000_000, false},
		{howLong, "", 500_000_000, false}, // quotes by default
		{"Who is the pope of Rome?", rag.ModeGenerate, 1_500_000_000, false},
		{howLong, rag.ModeGenerate, 7_000_000_000, false},
		{howLong, rag.ModeGenerate, 0, false}, // not known
	} {
		d := newDesk(t, fake.Config{})
		d.deps.Answer = func() (inference.Generator, error) {
			g, err := d.host.Generator(inference.RoleAnswer)
			return sized{g, c.parameters}, err
		}
		d.rebuild()
		out := d.answered(Request{Question: c.question, Mode: c.mode})
		if got := out.Done.Quotes != nil; got != c.quoted {
			t.Errorf("%+v: %v", c, out.Done.Quotes)
		} else if got && (*out.Done.Quotes != "“The Harlow Bridge is 320 metres long.” [1]" || strings.Contains(d.shown(), "“")) {
			t.Errorf("%+v: %q, shown %q", c, *out.Done.Quotes, d.shown())
		}
	}
}
