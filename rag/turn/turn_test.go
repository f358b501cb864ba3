package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/engine"
)

const howLong = "How long is the Harlow Bridge?"

func bridge() []rag.Message {
	return said(howLong, "The Harlow Bridge is 320 metres long [1].")
}

func TestTurn_AnswersFromTheEvidenceAndCites(t *testing.T) {
	d := newDesk(t, fake.Config{})
	out := d.answered(Request{Question: howLong})
	if out.Done.Answer != "The Harlow Bridge is 320 metres long. [1]" && out.Done.Answer != "The Harlow Bridge is 320 metres long [1]." {
		t.Errorf("%q", out.Done.Answer)
	}
	if out.Done.AnswerCheck.Status != rag.CheckSupported || len(out.Done.Sources) != 1 || out.Done.Sources[0].Path != "/library/Bridge.md" || len(out.Done.Citations) != 1 {
		t.Errorf("%+v", out.Done)
	}
	if len(d.saved) != 1 || d.saved[0] != out || *out.Done.Turn != 1 {
		t.Errorf("%d saved", len(d.saved))
	}
	if out.Done.Seed == nil || out.Done.Threads == nil || out.Done.TokensPerSecond == nil || out.Done.Usage.PromptTokens == 0 {
		t.Errorf("figures are missing: %+v", out.Done)
	}
}

func TestP59_OrderOfEvents(t *testing.T) {
	d := newDesk(t, fake.Config{})
	out := d.answered(Request{Question: howLong})
	if got := d.names(); !slices.Equal(got, []string{"prepared", "retrieval", "token", "done"}) {
		t.Errorf("%v", got)
	}
	if done := d.events[len(d.events)-1].(rag.Done); done.Answer != out.Done.Answer {
		t.Error("done does not carry the authoritative text")
	}
	d = newDesk(t, writes("<think>hm</think>The Harlow Bridge is 320 metres long [9]."))
	out = d.answered(Request{Question: howLong})
	if got := d.names(); !slices.Equal(got, []string{"prepared", "retrieval", "reasoning", "token", "done"}) || out.Reasoning != "hm" {
		t.Errorf("%v %q", got, out.Reasoning)
	}
	if strings.Contains(out.Done.Answer, "[9]") {
		t.Error("done repeats a marker that names no passage")
	}
}

func TestP58_WhatIsSearchedIsKnownBeforeTheFirstToken(t *testing.T) {
	d := newDesk(t, fake.Config{})
	filter, err := rag.NewFilter("type", "eq", []string{"md"}, rag.OwnerUser)
	if err != nil {
		t.Fatal(err)
	}
	d.answered(Request{Question: "How long is it?", History: bridge(), Engine: "condense_context", Filters: []rag.Filter{filter}})
	p := d.events[0].(rag.Prepared)
	if p.Engine != "condense_context" || p.Status != rag.StatusRewritten || p.SearchQuery == "" || p.RerankQuery != p.SearchQuery || p.Filters[0].Owner != rag.OwnerUser {
		t.Errorf("%+v", p)
	}
	r := d.events[1].(rag.Retrieval)
	if len(r.Hits) == 0 || r.Hits[0].Trace.BM25 == nil || r.BudgetTokens == 0 || r.PackedTokens > r.BudgetTokens || r.Floor != 0.5 {
		t.Errorf("%+v", r)
	}
	if q := d.shelf.last(); q.Texts[0] != p.SearchQuery || q.RerankText != p.SearchQuery || len(q.Filters) != 1 {
		t.Errorf("%+v", q)
	}
}

func TestP06_EveryStageIsASpanOnEveryTurn(t *testing.T) {
	for name, run := range map[string]func(d *desk) *Outcome{
		"answered": func(d *desk) *Outcome { return d.answered(Request{Question: howLong}) },
		"refused":  func(d *desk) *Outcome { return d.answered(Request{Question: "Who is the pope?"}) },
		"unknown":  func(d *desk) *Outcome { o, _ := d.ask(Request{Question: howLong, Engine: "x"}); return o },
		"no answer": func(d *desk) *Outcome {
			d.shelf.err = errors.New("x")
			o, _ := d.ask(Request{Question: howLong})
			return o
		},
	} {
		out := run(newDesk(t, fake.Config{}))
		var names []string
		for _, s := range out.Spans {
			names = append(names, s.Name)
			if s.Status == "" || s.Attributes == nil || s.Started.IsZero() {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if !slices.Equal(names, Stages()) {
			t.Errorf("%s: %v", name, names)
		}
	}
}

func TestP66_SpansHoldNoText(t *testing.T) {
	d := newDesk(t, fake.Config{})
	out := d.answered(Request{Question: "How long is it?", History: bridge(), Engine: "condense_context"})
	b, err := json.Marshal(out.Spans)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"Harlow", "bridge", "metres", "320", "library", "long"} {
		if strings.Contains(strings.ToLower(string(b)), strings.ToLower(word)) {
			t.Errorf("%q is in the spans: %s", word, b)
		}
	}
	if !strings.Contains(string(b), "gen_ai.usage.input_tokens") || !strings.Contains(string(b), "condense_context") {
		t.Errorf("%s", b)
	}
}

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
		last := calls[0].Messages[len(calls[0].Messages)-1]
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

func TestP60_ReloadShowsTheSameLine(t *testing.T) {
	d := newDesk(t, fake.Config{})
	d.answered(Request{Question: "How long is it?", History: bridge(), Engine: "condense_context"})
	if !reflect.DeepEqual(d.saved[0].Prepared, d.events[0].(rag.Prepared)) {
		t.Error("what is stored differs from what was shown")
	}
}

func TestP63_SaveIsCalledOnceWithTheWholeTurn(t *testing.T) {
	d := newDesk(t, fake.Config{})
	out := d.answered(Request{Question: "How long is it?", History: bridge(), Engine: "condense_context"})
	if len(d.saved) != 1 {
		t.Fatalf("%d saves", len(d.saved))
	}
	o := d.saved[0]
	if o.Request.Question == "" || o.Done.Answer == "" || len(o.Evidence()) == 0 || o.Prepared.Status == "" || o.Done.LatencyMS.Total <= 0 || o != out {
		t.Errorf("%+v", o)
	}
	for _, h := range o.Evidence() {
		if h.Text == "" || h.Rendered == "" || h.ContentHash == "" || h.RenderedTokens == 0 || h.N == 0 || h.Owner == "" {
			t.Errorf("an incomplete snapshot: %+v", h)
		}
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

func TestP07_ConcurrentTurns(t *testing.T) {
	d := newDesk(t, fake.Config{})
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			q := []string{howLong, "What is the boiler pressure?"}[i%2]
			want := []string{"/library/Bridge.md", "/library/Boiler.md"}[i%2]
			deps := d.deps
			deps.Save = nil
			out, err := New(deps).Ask(ctx, Request{Question: q, Options: Defaults()}, nil)
			if err != nil || out.Done.Sources[0].Path != want {
				t.Errorf("%v %+v", err, out)
			}
		})
	}
	wg.Wait()
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

func TestSearchAndPrepareDoWhatATurnDoes(t *testing.T) {
	d := newDesk(t, fake.Config{})
	req := Request{Question: "How long is it?", History: bridge(), Engine: "condense_context", Options: Defaults()}
	p, err := d.runner.Prepare(ctx, req)
	if err != nil || p.Status != rag.StatusRewritten || len(d.shelf.queries) != 0 {
		t.Fatalf("%+v %v", p, err)
	}
	p2, found, err := d.runner.Search(ctx, req)
	if err != nil || p2.SearchQuery != p.SearchQuery || len(found.Hits) == 0 || found.Hits[0].Title != "Bridge" {
		t.Errorf("%+v %+v %v", p2, found.Hits, err)
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

func BenchmarkEverythingOfOurs(b *testing.B) {
	d := newDesk(&testing.T{}, writes("The Harlow Bridge is 320 metres long [1]."))
	req := Request{Question: howLong, Options: Defaults()}
	d.deps.Save = nil
	d.rebuild()
	for b.Loop() {
		if _, err := d.runner.Ask(ctx, req, nil); err != nil {
			b.Fatal(err)
		}
	}
}
