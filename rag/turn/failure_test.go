package turn

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

func TestP18_StopEndsTheTurnWithItsReason(t *testing.T) {
	d := newDesk(t, rewrites(""))
	o := Defaults()
	o.OnFailure = rag.PolicyStop
	out, err := d.ask(Request{Question: "How long is it?", History: bridge(), Engine: "condense_context", Options: o})
	var e *rag.Error
	if !errors.As(err, &e) || e.Code != rag.CodeCondenseFailed || e.Reason != rag.ReasonEmptyQuery || e.Hint == "" {
		t.Fatalf("%+v", err)
	}
	if !slices.Equal(d.names(), []string{"prepared", "error"}) || len(d.saved) != 0 || len(d.shelf.queries) != 0 || out.Failed != e {
		t.Errorf("%v, %d saved, %d searches", d.names(), len(d.saved), len(d.shelf.queries))
	}
	if out.Prepared.Status != rag.StatusFailedStopped || out.Spans[1].Status != SpanNotReached {
		t.Errorf("%+v", out)
	}
	// The two ways on: the person's own words, or an edited text.
	out = d.answered(Request{Question: howLong, History: bridge(), Engine: "condense_context", OwnWords: true, Options: o})
	if out.Prepared.Status != rag.StatusUserWords || out.Prepared.SearchQuery != "" || d.shelf.last().Texts[0] != howLong {
		t.Errorf("%+v", out.Prepared)
	}
	out = d.answered(Request{Question: "How long is it?", History: bridge(), Engine: "condense_context", EditedQuery: "Harlow Bridge long", Options: o})
	if p := out.Prepared; p.Status != rag.StatusUserEdited || p.SearchQuery != "Harlow Bridge long" || p.RerankQuery != p.SearchQuery || p.OriginalQuery != "How long is it?" || p.ModelCalls != 0 {
		t.Errorf("%+v", p)
	}
	if last := d.answerCalls()[1].Messages; !strings.HasSuffix(last[len(last)-1].Text, "How long is it?") {
		t.Error("the edited text was asked")
	}
}

func TestP18_VerbatimAnswersAndSaysWhy(t *testing.T) {
	d := newDesk(t, rewrites("I cannot do that."))
	out := d.answered(Request{Question: "Is the Harlow Bridge long? Where does it stand?", History: bridge(), Engine: "condense_context"})
	p := out.Prepared
	if p.Status != rag.StatusFailedVerbatim || p.Reason != rag.ReasonGuardRejected || p.Detail == "" || p.SearchQuery != "" {
		t.Errorf("%+v", p)
	}
	if len(out.Done.Sources) == 0 {
		t.Errorf("no answer: %+v", out.Done)
	}
}

func TestP63_AFailedSaveIsAFailedTurn(t *testing.T) {
	d := newDesk(t, fake.Config{})
	d.saveErr = errors.New("disk full")
	_, err := d.ask(Request{Question: howLong})
	if !errors.Is(err, &rag.Error{Code: rag.CodeStorageFailed}) || !strings.Contains(err.Error(), "could not be stored") || strings.Contains(err.Error(), "disk full") {
		t.Errorf("%v", err)
	}
	if d.names()[len(d.names())-1] != "error" {
		t.Errorf("%v", d.names())
	}
}

// The stages that call a model stop within one token and store nothing.
func TestP21_CancelStoresNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		role  inference.Role
		phase fake.Phase
		after int
	}{{"rewrite", inference.RoleCondense, fake.PhaseDecode, 1}, {"prefill", inference.RoleAnswer, fake.PhasePrefill, 0}, {"answer", inference.RoleAnswer, fake.PhaseDecode, 3}} {
		cancelled, cancel := context.WithCancel(ctx)
		d := newDesk(t, fake.Config{Step: func(ctx context.Context, s fake.Step) error {
			if s.Role == c.role && s.Phase == c.phase && s.N == c.after {
				cancel()
			}
			return ctx.Err()
		}})
		out, err := d.askIn(cancelled, Request{Question: "How long is it?", History: bridge(), Engine: "condense_context"})
		if !errors.Is(err, &rag.Error{Code: rag.CodeCancelled}) || len(d.saved) != 0 || out.Failed == nil {
			t.Errorf("%s: %v, %d saved", c.name, err, len(d.saved))
		}
		tokens := 0
		for _, e := range d.events {
			if e.EventName() == "token" {
				tokens++
			}
		}
		if tokens > c.after+1 {
			t.Errorf("%s: %d tokens came", c.name, tokens)
		}
		cancel()
	}
}

func TestP64_TypedErrorsBeforeAnythingRuns(t *testing.T) {
	for code, req := range map[rag.Code]Request{
		rag.CodeUnknownChatEngine: {Question: howLong, Engine: "clever"},
		rag.CodeUnknownRetriever:  {Question: howLong, Retriever: "google"},
		rag.CodeUnknownMode:       {Question: howLong, Mode: "poem"},
		rag.CodeInvalidSetting:    {Question: "  "},
	} {
		d := newDesk(t, fake.Config{})
		_, err := d.ask(req)
		if !errors.Is(err, &rag.Error{Code: code}) || !slices.Equal(d.names(), []string{"error"}) || len(d.host.Calls()) > 4 && d.host.Count("generate") > 0 {
			t.Errorf("%s: %v %v", code, err, d.names())
		}
		if !strings.HasSuffix(err.Error(), ".") {
			t.Errorf("%s: %q is no sentence", code, err.Error())
		}
	}
}

func TestP64_FailuresOfTheModelAreTyped(t *testing.T) {
	for _, c := range []struct {
		err  error
		code rag.Code
	}{
		{&inference.Error{Kind: inference.ErrWorkerDied, Message: "x"}, rag.CodeModelFailed},
		{&inference.Error{Kind: inference.ErrContextOverflow, Message: "x"}, rag.CodeContextOverflow},
		{errors.New("strange"), rag.CodeModelFailed},
	} {
		d := newDesk(t, fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
			return fake.Reply{Text: "The Harlow Bridge", Err: c.err, After: 2}, role == inference.RoleAnswer
		}})
		_, err := d.ask(Request{Question: howLong})
		if !errors.Is(err, &rag.Error{Code: c.code}) || len(d.saved) != 0 {
			t.Errorf("%v: %v", c.err, err)
		}
	}
}

func TestAPanicInAStageCostsOnlyItsTurn(t *testing.T) {
	d := newDesk(t, fake.Config{})
	d.shelf.panics = true
	_, err := d.ask(Request{Question: howLong})
	var e *rag.Error
	if !errors.As(err, &e) || e.Code != rag.CodeInternal || !strings.Contains(e.Message, "retrieve") || strings.Contains(err.Error(), "goroutine") {
		t.Errorf("%v", err)
	}
	d.shelf.panics = false
	d.answered(Request{Question: howLong})
}
