package turn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/engine"
	"referent/rag/engine/isolation"
	"referent/rag/retrieve"
	"referent/storage/index"
)

// researches makes the answer model write calls while it researches, the last
// one for ever, and then the answer.
func researches(answerText string, calls ...string) fake.Config {
	var mu sync.Mutex
	n := 0
	return fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		if role != inference.RoleAnswer {
			return fake.Reply{}, false
		}
		if !researchPrompt(req) {
			return fake.Reply{Text: answerText}, answerText != ""
		}
		mu.Lock()
		defer mu.Unlock()
		n++
		return fake.Reply{Text: calls[min(n, len(calls))-1] + "\n"}, true
	}}
}

func researchPrompt(req inference.GenerateRequest) bool {
	return len(req.Messages) > 0 && strings.Contains(req.Messages[0].Text, "\ndone - ends the search")
}

func lastText(req inference.GenerateRequest) string { return req.Messages[len(req.Messages)-1].Text }

func (d *desk) steps() []rag.Step {
	var out []rag.Step
	for _, e := range d.events {
		if s, ok := e.(rag.Step); ok {
			out = append(out, s)
		}
	}
	return out
}

func evidenceOf(o *Outcome) []int64 {
	var out []int64
	for _, h := range o.Evidence() {
		out = append(out, h.Chunk)
	}
	return out
}

// The evidence is what all searches found; nothing is searched twice.
func TestP44_EvidenceIsTheUnionOfTheSearches(t *testing.T) {
	d := newDesk(t, researches("The Harlow Bridge is 320 metres long [1]. The boiler pressure is 1.5 bar [2].", "search boiler pressure", "search Harlow Bridge", "done"))
	out := d.answered(Request{Question: howLong, Engine: "research"})
	if got := evidenceOf(out); !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("evidence %v", got)
	}
	if got, want := searched(out), howLong+" | boiler pressure | Harlow Bridge"; got != want || len(d.shelf.queries) != 3 {
		t.Errorf("searched %q in %d queries", got, len(d.shelf.queries))
	}
	for i, q := range d.shelf.queries { // what the tool searches is what reranks
		if q.RerankText != out.Prepared.SearchQueries[i] || !slices.Equal(q.Texts, []string{q.RerankText}) {
			t.Errorf("query %d: %+v", i, q)
		}
	}
	if out.Prepared.Status != rag.StatusResearched || out.Done.AnswerCheck.Status != rag.CheckSupported || len(out.Done.Sources) != 2 {
		t.Errorf("%+v\n%+v", out.Prepared, out.Done)
	}
	if got := d.names(); !slices.Equal(got, []string{"step", "prepared", "retrieval", "token", "done"}) || len(d.steps()) != 3 {
		t.Errorf("%v, %d steps", got, len(d.steps()))
	}
	if saved := d.saved[0].Prepared.Steps; len(saved) != 3 || saved[1].Hits != 1 {
		t.Errorf("kept %+v", saved)
	}
	for i, h := range out.Retrieval.Hits {
		if h.Rank != i+1 {
			t.Errorf("hit %d has the rank %d", i+1, h.Rank)
		}
	}
}

func TestP44_WithoutEvidenceResearchRefuses(t *testing.T) {
	d := newDesk(t, researches("It is 5 metres.", "search unicorn"))
	out := d.answered(Request{Question: "Who is the pope of Rome?", Engine: "research"})
	if out.Prepared.Ended != rag.EndedPatience || out.Done.Answer != answer.Refusal("en") || len(out.Done.Sources) != 0 {
		t.Errorf("%+v\n%+v", out.Prepared, out.Done)
	}
	if n := len(d.answerCalls()); n != out.Prepared.ModelCalls { // none of them wrote an answer
		t.Errorf("%d calls, %d of research", n, out.Prepared.ModelCalls)
	}
}

func TestR013_ResearchHasBothThingsOnAFirstTurn(t *testing.T) {
	for _, calls := range [][]string{{"done"}, {"I cannot."}} { // a model that fails changes nothing
		d := newDesk(t, researches("The warranty of pump A is five years [1].", calls...))
		out := d.answered(Request{Question: "Compare the warranty of pump A and pump B", Engine: "research"})
		if got := evidenceOf(out); !slices.Contains(got, 3) || !slices.Contains(got, 4) {
			t.Errorf("%v: evidence %v", calls, got)
		}
		if len(d.shelf.queries) != 2 {
			t.Errorf("%v: %d queries", calls, len(d.shelf.queries))
		}
	}
}

func TestP39_ResearchKeepsScopeAndThePersonsFilters(t *testing.T) {
	d := newDesk(t, researches("", "search pump warranty | type=pdf | limit=2 | offset=4", "done"))
	mine := rag.Filter{Field: "language", Op: "eq", Values: []string{"en"}, Owner: rag.OwnerUser}
	scope := rag.Scope{PathUnder: "/library"}
	out := d.answered(Request{Question: howLong, Engine: "research", Scope: scope, Filters: []rag.Filter{mine}})
	for i, q := range d.shelf.queries {
		if q.Scope.PathUnder != "/library" || len(q.Filters) < 1 || q.Filters[0].Owner != rag.OwnerUser || q.HintExtras != 3 {
			t.Errorf("query %d: %+v", i, q)
		}
	}
	q := d.shelf.queries[1]
	if q.K != 2 || q.Offset != 4 || len(q.Filters) != 2 || q.Filters[1].Field != "type" || q.Filters[1].Owner != rag.OwnerGuess {
		t.Errorf("%+v", q)
	}
	if f := out.Prepared.Filters; len(f) != 2 || f[0].Owner != rag.OwnerUser || f[1].Owner != rag.OwnerGuess {
		t.Errorf("%+v", f)
	}
}

func TestP41_ExtrasOfAnySearchComeAfterAllMatches(t *testing.T) {
	match, extra := hit(1, "A", "a"), hit(2, "B", "b")
	match.PassedFloor, match.Owner = true, rag.OwnerMatch
	extra.PassedFloor, extra.Owner = true, rag.OwnerHintExtra
	late, twice := hit(3, "C", "c"), hit(2, "B", "b")
	late.Owner, twice.Owner = rag.OwnerMatch, rag.OwnerMatch
	late.PassedFloor, twice.PassedFloor = true, true
	other := hit(4, "D", "d")
	other.Owner, other.PassedFloor = rag.OwnerHintExtra, true
	copied := hit(5, "A copy", "a")
	copied.ContentHash, copied.Owner, copied.PassedFloor = match.ContentHash, rag.OwnerMatch, true
	weak := hit(3, "C", "c")
	weak.Owner = rag.OwnerMatch

	r := union([]retrieve.Result{
		{Hits: []rag.Hit{match, weak, extra, other}, RestrictedCount: 2, Floor: 0.5, Notes: []string{"Only words."}},
		{Hits: []rag.Hit{copied, late, twice}, RestrictedCount: 2, Floor: 0.5, Notes: []string{"Only words."}},
	})
	var got []string
	for _, h := range r.Hits {
		got = append(got, fmt.Sprintf("%d %d %s %v", h.Rank, h.Chunk, h.Owner, h.PassedFloor))
	}
	want := []string{"1 1 match true", "2 3 match true", "3 2 match true", "4 4 hint_extra true"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(r.Considered) != 1 || r.Considered[0].Chunk != 5 || r.Considered[0].DuplicateOf != 1 || r.Considered[0].Packing != rag.PackedDuplicateOf {
		t.Errorf("%+v", r.Considered)
	}
	if r.RestrictedCount != 2 || r.Floor != 0.5 || len(r.Notes) != 1 {
		t.Errorf("%+v", r)
	}
}

func TestP43_AskUserIsTheAnswerAndIsNotChecked(t *testing.T) {
	for _, mode := range []rag.AnswerMode{rag.ModeGenerate, rag.ModeStrict, rag.ModeQuote} {
		d := newDesk(t, researches("never", "ask Which bridge do you mean?"))
		out := d.answered(Request{Question: "How long is the other one?", Engine: "research", Mode: mode})
		if out.Done.Answer != "Which bridge do you mean?" || d.shown() != out.Done.Answer || out.Done.AnswerCheck.Status != rag.CheckUnchecked || len(out.Done.Sources)+len(out.Done.Citations) != 0 {
			t.Errorf("%s: %+v", mode, out.Done)
		}
		if out.Prepared.Ended != rag.EndedAsked || out.Prepared.AskUser != out.Done.Answer || len(d.saved) != 1 || len(d.answerCalls()) != 1 {
			t.Errorf("%s: %+v", mode, out.Prepared)
		}
	}
}

// A question to the person may not carry what only the conversation says.
func TestP36_AQuestionThatStatesPlantedValuesIsNotPut(t *testing.T) {
	d := newDesk(t, researches("The Harlow Bridge is 320 metres long [1].", "ask Do you mean the 999 in Springfield?"))
	out := d.answered(Request{Question: howLong, History: isolation.Poison(howLong), Engine: "research"})
	if err := isolation.Clean(d.observe(out)); err != nil || out.Done.Answer != "The Harlow Bridge is 320 metres long [1]." {
		t.Errorf("%v: %q", err, out.Done.Answer)
	}
	for _, e := range d.events {
		if b, err := json.Marshal(e); err != nil || strings.Contains(string(b), "Springfield") {
			t.Errorf("the event %s holds it: %s %v", e.EventName(), b, err)
		}
	}
}

// A question to the person may not be an answer in disguise: a value that neither
// the question nor the evidence states lets the turn go on, in every mode.
func TestP36_AQuestionThatInventsAValueIsNotPut(t *testing.T) {
	for _, mode := range []rag.AnswerMode{rag.ModeGenerate, rag.ModeStrict, rag.ModeQuote} {
		for asked, put := range map[string]bool{
			"It is 777 metres long, right?":             false,
			"Is it the one that Quillfeather built?":    false,
			"Opened on 4 May 1999: is that the bridge?": false,
			"Do you mean the one of 320 metres?":        true, // the evidence says so
			"Do you mean the Harlow Bridge?":            true,
		} {
			d := newDesk(t, researches("The Harlow Bridge is 320 metres long [1].", "ask "+asked))
			out := d.answered(Request{Question: howLong, Engine: "research", Mode: mode})
			if (out.Done.Answer == asked) != put || (out.Prepared.AskUser == asked) != put || (d.shown() == asked) != put || d.saved[0].Prepared.AskUser != out.Prepared.AskUser {
				t.Errorf("%s, %q: %q, shown %q, kept %q", mode, asked, out.Done.Answer, d.shown(), out.Prepared.AskUser)
			}
			kept, err := json.Marshal(struct{ Events, Stored any }{d.events, d.saved[0].Prepared})
			if err != nil {
				t.Fatal(err)
			}
			if !put && strings.Contains(string(kept), strings.Trim(asked, "?")) {
				t.Errorf("%s: a question that was dropped is in %s", mode, kept)
			}
			if !put && !strings.Contains(out.Done.Answer, "320 metres") {
				t.Errorf("%s, %q: the turn did not go on: %q", mode, asked, out.Done.Answer)
			}
		}
	}
}

// What an answer cites or names must be a record whose passage is in the
// evidence, also when the loop has seen others.
func TestP45_ACitedRecordIsInTheEvidence(t *testing.T) {
	d := newDesk(t, researches("The Harlow Bridge is 320 metres long [1]. The boiler is old [7]. The Millbrook Register says so [1].", "list", "done"))
	d.deps.List = func(context.Context, rag.Scope, []rag.Filter) (retrieve.Listing, error) {
		return retrieve.Listing{Documents: []index.DocumentColumns{{ID: 9, Path: "/library/Millbrook Register.pdf", Kind: "pdf"}}}, nil
	}
	d.rebuild()
	out := d.answered(Request{Question: howLong, Engine: "research"})
	if seen := lastText(d.answerCalls()[1]); !strings.Contains(seen, "document=9 Millbrook Register.pdf, pdf") {
		t.Errorf("the list is not shown:\n%s", seen)
	}
	kinds := map[string]string{}
	for _, i := range out.Done.AnswerCheck.Issues {
		kinds[i.Kind] += i.Text
	}
	if out.Done.AnswerCheck.Status != rag.CheckFlagged || !strings.Contains(kinds["citation"], "[7]") || !strings.Contains(kinds["name"], "Millbrook Register") {
		t.Errorf("%s %+v", out.Done.AnswerCheck.Status, out.Done.AnswerCheck.Issues)
	}
	if strings.Contains(out.Done.Answer, "[7]") || len(out.Done.Sources) != 1 || !slices.Contains(evidenceOf(out), out.Done.Sources[0].Chunk) {
		t.Errorf("%+v", out.Done)
	}
}

// Without a window of the conversation the whole turn is blind to it, byte for
// byte: every search, the evidence and the answer.
func TestP04_ResearchWithoutAWindowIsIsolated(t *testing.T) {
	for _, n := range []int{0, 4} {
		d := newDesk(t, fake.Config{})
		o := Defaults()
		o.CondenseHistory, o.GenerationHistory = 0, n
		if err := isolation.Turn(d.observedResearch(o), asked, 9, 12); err != nil {
			t.Errorf("history %d: %v", n, err)
		}
	}
}

// observedResearch asks and looks at everything that was searched.
func (d *desk) observedResearch(o Options) func(string, []rag.Message) (isolation.Observed, error) {
	return func(question string, history []rag.Message) (isolation.Observed, error) {
		d.shelf.queries = nil
		out, err := d.ask(Request{Question: question, History: history, Engine: "research", Options: o})
		if err != nil {
			return isolation.Observed{}, err
		}
		seen := d.observe(out)
		seen.Request, err = json.Marshal(d.shelf.queries)
		return seen, err
	}
}

// With the window the loop may search for what the conversation says. It never
// becomes evidence or answer: here the model does its worst.
func TestP35_WhatResearchReadsInHistoryReachesNothing(t *testing.T) {
	worst := "The Harlow Bridge is 320 metres long [1]. It is 999 in Springfield. Quillfeather said so in 2099 [1]."
	for _, mode := range []rag.AnswerMode{rag.ModeGenerate, rag.ModeStrict, rag.ModeQuote} {
		for _, n := range []int{0, 4} {
			for i, history := range append(isolation.Histories(3, 4), isolation.Poison(howLong)) {
				d := newDesk(t, researches(worst, "search Springfield 2099 Quillfeather", "search Harlow Bridge 999", "ask Is it 999 in Springfield, Quillfeather?"))
				o := Defaults()
				o.GenerationHistory = n
				out := d.answered(Request{Question: howLong, History: history, Mode: mode, Options: o, Engine: "research"})
				seen := d.observe(out)
				if n == 0 {
					seen.Shown = "" // the answer model saw no history; Done replaces what was streamed
				}
				if i < 4 { // these state only some of the values: what no history says is invented, and flagged
					seen.Answer, seen.Shown = "", ""
				}
				if err := isolation.Clean(seen); err != nil {
					t.Errorf("%s, history %d of %d: %v in %q", mode, n, i, err, out.Done.Answer)
				}
				for _, h := range out.Retrieval.Hits {
					if !slices.ContainsFunc(library(), func(l rag.Hit) bool { return l.Chunk == h.Chunk && l.Text == h.Text }) {
						t.Errorf("evidence from nowhere: %+v", h)
					}
				}
			}
		}
	}
}

// The suite finds a research engine that lets the conversation into its searches.
type leakingResearch struct{ engine.Engine }

func (leakingResearch) Name() string { return "research" }
func (l leakingResearch) Prepare(ctx context.Context, req engine.Request, tools engine.Tools) (rag.Prepared, error) {
	if n := len(req.History); n > 0 {
		if _, err := tools.Library.Search(ctx, engine.Search{Text: req.History[n-1].Text}); err != nil {
			return rag.Prepared{}, err
		}
	}
	return l.Engine.Prepare(ctx, req, tools)
}

func TestP37_ALeakingResearchEngineFails(t *testing.T) {
	d := newDesk(t, fake.Config{})
	honest, err := engine.Default().Lookup("research")
	if err != nil {
		t.Fatal(err)
	}
	d.deps.Engines = engine.Default()
	d.deps.Engines.Register(leakingResearch{honest})
	d.rebuild()
	o := Defaults()
	o.CondenseHistory = 0
	if err := isolation.Turn(d.observedResearch(o), asked, 9, 12); err == nil {
		t.Error("the leak was not found")
	}
}

func TestP21_CancelDuringResearchStoresNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cfg := researches("never", "search Harlow Bridge")
	decoded := 0
	cfg.Step = func(_ context.Context, s fake.Step) error {
		if s.Phase == fake.PhaseDecode && s.Role == inference.RoleAnswer {
			if decoded++; decoded == 2 {
				cancel()
			}
		}
		return nil
	}
	d := newDesk(t, cfg)
	_, err := d.askIn(ctx, Request{Question: howLong, Engine: "research"})
	if !errors.Is(err, &rag.Error{Code: rag.CodeCancelled}) || len(d.saved) != 0 || decoded > 3 {
		t.Errorf("%v, %d saved, %d tokens", err, len(d.saved), decoded)
	}
	if got := d.names(); !slices.Equal(got, []string{"step", "error"}) {
		t.Errorf("%v", got)
	}
}

func TestP18_AFailedResearchFollowsThePolicy(t *testing.T) {
	d := newDesk(t, researches("The Harlow Bridge is 320 metres long [1].", "The bridge is long."))
	out := d.answered(Request{Question: howLong, Engine: "research"})
	if out.Prepared.Status != rag.StatusFailedVerbatim || out.Prepared.Reason != rag.ReasonBadBody || len(d.shelf.queries) != 1 || out.Done.AnswerCheck.Status != rag.CheckSupported {
		t.Errorf("%+v, %d queries", out.Prepared, len(d.shelf.queries))
	}
	o := Defaults()
	o.OnFailure = rag.PolicyStop
	_, err := d.ask(Request{Question: howLong, Engine: "research", Options: o})
	if !errors.Is(err, &rag.Error{Code: rag.CodeCondenseFailed}) || len(d.saved) != 1 {
		t.Errorf("%v, %d saved", err, len(d.saved))
	}
}

func TestResearch_PrepareAndSearchTellTheSteps(t *testing.T) {
	d := newDesk(t, researches("never", "search boiler pressure", "done"))
	p, err := d.runner.Prepare(ctx, Request{Question: howLong, Engine: "research", Options: Defaults()})
	if err != nil || len(p.Steps) != 2 || p.Ended != rag.EndedEnough {
		t.Errorf("%v %+v", err, p)
	}
	d = newDesk(t, researches("never", "search boiler pressure", "done"))
	p, found, err := d.runner.Search(ctx, Request{Question: howLong, Engine: "research", Options: Defaults()})
	if err != nil || len(p.Steps) != 2 || len(found.Hits) != 2 || len(d.shelf.queries) != 2 {
		t.Errorf("%v %+v %d hits", err, p, len(found.Hits))
	}
}

// A passage is opened with the section around it, and only if it was found.
func TestResearch_OpenShowsTheSection(t *testing.T) {
	d := newDesk(t, researches("", "open 1", "open 2", "open 2", "done"))
	for i := range d.shelf.texts {
		d.shelf.texts[i].Parent = 50
	}
	d.deps.Parents = parentsOf("The whole section about the bridge.")
	d.rebuild()
	out := d.answered(Request{Question: howLong, Engine: "research"})
	calls := d.answerCalls()
	if got := lastText(calls[1]); got != "(1) Bridge – The whole section about the bridge." {
		t.Errorf("the section is not shown:\n%s", got)
	}
	if len(out.Prepared.Steps) != 2 || out.Prepared.Ended != rag.EndedUnreadable {
		t.Errorf("%+v", out.Prepared)
	}
}

func TestR017_AReplyToAQuestionOfResearchKeepsTheSubject(t *testing.T) {
	d := newDesk(t, researches("The sales of product K in March were 40 [1].", "search sales of product K in March", "done"))
	d.shelf.texts = append(d.shelf.texts, hit(9, "Sales", "The sales of product K in March were 40."))
	out := d.answered(Request{Question: "March", History: said("How many of product K were sold?", "Which month do you mean?"), Engine: "research"})
	if searched(out) != "March product K sold | sales of product K in March" || !slices.Equal(evidenceOf(out), []int64{9}) || out.Done.AnswerCheck.Status != rag.CheckSupported {
		t.Errorf("searched %q, %v: %+v", searched(out), evidenceOf(out), out.Done)
	}
	asked := d.answerCalls()[0].Messages
	if seen := asked[len(asked)-3].Text; !strings.Contains(seen, "Person: How many of product K were sold?\nAssistant: Which month do you mean?\nQuestion: March") {
		t.Errorf("the model has not seen the conversation:\n%s", seen)
	}
}

func TestP07_ConcurrentResearchTurnsDoNotMix(t *testing.T) {
	subjects := map[string]int64{"Harlow Bridge": 1, "boiler pressure": 2, "warranty of pump A": 3, "parental leave policy": 5}
	d := newDesk(t, fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		if !researchPrompt(req) {
			return fake.Reply{}, false
		}
		if strings.HasPrefix(lastText(req), "Found") && len(req.Messages) > 12 {
			return fake.Reply{Text: "done\n"}, true
		}
		for subject := range subjects {
			if strings.Contains(fmt.Sprint(req.Messages[len(req.Messages)-3:]), subject) {
				return fake.Reply{Text: "search " + subject + "\n"}, true
			}
		}
		return fake.Reply{Text: "done\n"}, true
	}})
	d.deps.Save = nil // the desk's own is not for several at once
	d.rebuild()
	var wg sync.WaitGroup
	for range 6 {
		for subject, chunk := range subjects {
			wg.Go(func() {
				var seen []rag.Step
				out, err := d.runner.Ask(ctx, Request{Question: "What is known about the " + subject + "?", Engine: "research", Options: Defaults()}, func(e rag.Event) {
					if s, ok := e.(rag.Step); ok {
						seen = append(seen, s)
					}
				})
				if err != nil {
					t.Error(err)
					return
				}
				if len(seen) != 2 || !strings.Contains(string(seen[1].Arguments), subject) || !slices.Contains(evidenceOf(out), chunk) {
					t.Errorf("%s: %v, evidence %v", subject, seen, evidenceOf(out))
				}
			})
		}
	}
	wg.Wait()
}

// A stub names its passage, and the research tool shows it whole.
func TestP51_AStubIsOpenedByTheTool(t *testing.T) {
	d := newDesk(t, researches("The Harlow Bridge is 320 metres long [1].", "open 1", "done"))
	d.shelf.texts[0].Class = rag.ClassTransient
	o := Defaults()
	o.Compress, o.CompressKeepTop = true, 0
	out := d.answered(Request{Question: howLong, Engine: "research", Options: o})
	if h := out.Evidence()[0]; h.Strategy != rag.StrategyStub || h.Rendered != "[stub: passage=1 class=transient]" || h.Text != library()[0].Text {
		t.Errorf("%+v", h)
	}
	if got := lastText(d.answerCalls()[1]); !strings.Contains(got, library()[0].Text) {
		t.Errorf("the passage is not shown whole:\n%s", got)
	}
}
