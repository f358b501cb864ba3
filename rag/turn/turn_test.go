package turn

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"referent/inference/fake"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/engine"
	"referent/rag/retrieve"
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

// The two events name everything, as a front reads them: α, the reason of a failed
// rewrite, the person's filters with their owner, extras that are marked as such.
func TestP58_TheEventsNameEverything(t *testing.T) {
	filter, err := rag.NewFilter("type", "eq", []string{"md"}, rag.OwnerUser)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		engine string
		cfg    fake.Config
		parts  []string
	}{
		{"blend", fake.Config{}, []string{`"engine":"blend"`, `"status":"blended"`, `"alpha":0.7`, `"reason":null`, `"search_query":null`, `"rerank_query":"How long is it, the Harlow Bridge?"`}},
		{"condense_context", rewrites(""), []string{`"status":"failed_verbatim"`, `"reason":"empty_query"`, `"alpha":null`, `"search_query":null`}},
		{"condense_context", rewrites("How long is the Harlow Bridge?"), []string{`"status":"rewritten"`, `"search_query":"How long is the Harlow Bridge?"`, `"rerank_query":"How long is the Harlow Bridge?"`}},
	} {
		d := newDesk(t, c.cfg)
		d.deps.Retrievers = extras{d.shelf}
		d.rebuild()
		d.answered(Request{Question: "How long is it, the Harlow Bridge?", History: bridge(), Engine: c.engine, Filters: []rag.Filter{filter}})
		for i, parts := range [][]string{append(c.parts, `"owner":"user"`), {`"owner":"match"`, `"owner":"hint_extra"`, `"trace":{"bm25":{`, `"packing":"packed"`, `"floor":0.5`, `"restricted_count":0`}} {
			b, err := rag.MarshalEvent(d.events[i])
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range parts {
				if !strings.Contains(string(b), part) {
					t.Errorf("%s: %s is not in %s", c.engine, part, b)
				}
			}
		}
	}
}

// With α = 1 retrieval is asked the same bytes as by simple; below, only the
// vector differs.
func TestP23P25_RetrievalSeesTheQuestionAndOnlyAnotherVector(t *testing.T) {
	request := func(name string, alpha float64) retrieve.Query {
		d := newDesk(t, fake.Config{})
		o := Defaults()
		if name == "blend" {
			o.BlendAlpha = &alpha
		}
		d.answered(Request{Question: "How long is it?", History: bridge(), Engine: name, Options: o})
		return d.shelf.last()
	}
	want := request("simple", 0)
	if got := request("blend", 1); !reflect.DeepEqual(got, want) {
		t.Errorf("α = 1: %+v, want %+v", got, want)
	}
	got := request("blend", 0.5)
	if len(got.Vector) == 0 || want.Vector != nil {
		t.Errorf("%d and %d dimensions", len(got.Vector), len(want.Vector))
	}
	if got.Vector = nil; !reflect.DeepEqual(got, want) {
		t.Errorf("α = 0.5: %+v, want %+v", got, want)
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

func TestP39_FiltersAndScopeReachRetrievalWithTheirOwners(t *testing.T) {
	d := newDesk(t, fake.Config{})
	var filters []rag.Filter
	for _, owner := range []rag.FilterOwner{rag.OwnerUser, rag.OwnerGuess, rag.OwnerRestriction} {
		f, err := rag.NewFilter("type", "eq", []string{"md"}, owner)
		if err != nil {
			t.Fatal(err)
		}
		filters = append(filters, f)
	}
	scope := rag.Scope{PathUnder: "/library", Types: []string{"markdown"}}
	for _, name := range engine.Default().Names() {
		d.answered(Request{Question: "How long is it?", History: bridge(), Engine: name, Filters: filters, Scope: scope})
		q := d.shelf.last()
		if !reflect.DeepEqual(q.Filters, filters) || !reflect.DeepEqual(q.Scope, scope) || q.HintExtras != 3 {
			t.Errorf("%s: %+v", name, q)
		}
	}
}

func TestP40_ExtrasAreMarkedAndComeAfterTheMatches(t *testing.T) {
	d := newDesk(t, fake.Config{})
	d.deps.Retrievers = extras{d.shelf}
	d.rebuild()
	out := d.answered(Request{Question: howLong})
	e := out.Evidence()
	if len(e) != 2 || e[0].Owner != rag.OwnerMatch || e[1].Owner != rag.OwnerHintExtra || e[1].N != 2 {
		t.Errorf("%+v", e)
	}
}

// extras adds the boiler to what the shelf finds, as a hint extra.
type extras struct{ *shelf }

func (x extras) Lookup(string) (retrieve.Retriever, error) { return x, nil }

func (x extras) Retrieve(ctx context.Context, q retrieve.Query) (retrieve.Result, error) {
	r, err := x.shelf.Retrieve(ctx, q)
	extra := library()[1]
	extra.Owner, extra.PassedFloor, extra.Rank = rag.OwnerHintExtra, true, len(r.Hits)+1
	r.Hits = append(r.Hits, extra)
	return r, err
}

func TestR027_ADeletedDocumentIsNotAssertedFromHistory(t *testing.T) {
	for _, n := range []int{0, 4} {
		d := newDesk(t, fake.Config{})
		o := Defaults()
		o.GenerationHistory = n
		first := d.answered(Request{Question: howLong, Options: o})
		d.shelf.texts = d.shelf.texts[1:]
		for _, name := range engine.Default().Names() {
			out := d.answered(Request{Question: "What length does the Harlow Bridge have?", History: said(howLong, first.Done.Answer), Engine: name, Options: o})
			if out.Done.Answer != answer.Refusal("en") || len(out.Done.Sources) != 0 {
				t.Errorf("%s: %+v", name, out.Done)
			}
		}
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
