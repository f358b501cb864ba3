package engine

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/rag"
)

var ctx = context.Background()

func prepare(t *testing.T, name string, req Request, tools Tools) rag.Prepared {
	t.Helper()
	e, err := Default().Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Prepare(ctx, req, tools)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// follow is a follow-up on the bridge with the defaults.
func follow(question string) Request {
	return Request{Question: question, History: bridge(), Options: Defaults()}
}

func bridge() []rag.Message {
	return said("How long is the Harlow Bridge?", "It is 320 metres long and was built by Ruth Calloway.")
}

func TestP01_UnknownEngineListsTheNames(t *testing.T) {
	r := Default()
	if want := []string{"simple", "expand", "condense_context", "blend", "research"}; !slices.Equal(r.Names(), want) {
		t.Errorf("Names() = %v, want %v", r.Names(), want)
	}
	_, err := r.Lookup("clever")
	if !errors.Is(err, &rag.Error{Code: rag.CodeUnknownChatEngine}) {
		t.Fatalf("err = %v", err)
	}
	if want := `There is no chat engine "clever". Engines: simple, expand, condense_context, blend, research.`; err.Error() != want {
		t.Errorf("%q, want %q", err.Error(), want)
	}
	for _, name := range r.Names() {
		e, err := r.Lookup(name)
		if err != nil || e.Name() != name || !strings.HasSuffix(e.Sentence(), ".") {
			t.Errorf("engine %q: %v, %q", name, err, e.Sentence())
		}
	}
}

// Register takes an engine from anywhere; the registry adds what all share.
func TestP01_AnEngineIsOneTypeAndOneRegistration(t *testing.T) {
	r := &Registry{}
	r.Register(shout{})
	e, err := r.Lookup("shout")
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Prepare(ctx, follow("How tall is it?"), Tools{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Engine != "shout" || p.OriginalQuery != "How tall is it?" || p.SearchQueries[0] != "HOW TALL IS IT?" || p.RerankQuery != "How tall is it?" {
		t.Errorf("%+v", p)
	}
}

type shout struct{}

func (shout) Name() string     { return "shout" }
func (shout) Sentence() string { return "Searches in capitals." }
func (shout) Prepare(_ context.Context, req Request, _ Tools) (rag.Prepared, error) {
	return rag.Prepared{Status: rag.StatusRewritten, OriginalQuery: "forged", SearchQueries: []string{strings.ToUpper(req.Question)}}, nil
}

func TestP02_PreparedIsTheSameAfterTheEngineRanAgain(t *testing.T) {
	model := &script{text: "How tall is the Harlow Bridge?"}
	tools := Tools{Condense: model}
	first := prepare(t, "condense_context", follow("How tall is it?"), tools)
	kept := first
	kept.SearchQueries = slices.Clone(first.SearchQueries)
	kept.AddedWords = slices.Clone(first.AddedWords)
	model.text = "How wide is the Harlow Bridge?"
	prepare(t, "condense_context", follow("How wide is it?"), tools)
	if !reflect.DeepEqual(first, kept) {
		t.Errorf("the first result changed: %+v", first)
	}
}

// A result has every field that the contract names, and what a caller does to its
// own history or to one result reaches no other.
func TestP02_PreparedHasEveryFieldAndSharesNothing(t *testing.T) {
	for _, name := range rewriting() {
		run := func(history []rag.Message) rag.Prepared {
			req := follow("How tall is it?")
			req.History = history
			p := prepare(t, name, req, Tools{Condense: &script{text: "How tall is the Harlow Bridge?"}, Embed: axes(), Corpus: corpus{"the Harlow", "bridge"}})
			p.LatencyMS = 0
			return p
		}
		history := bridge()
		first := run(history)
		want := run(bridge())
		if first.Engine != name || first.OriginalQuery == "" || first.RerankQuery == "" || first.Status == "" || len(first.SearchQueries) == 0 ||
			(name == "blend") != (len(first.QueryVector) > 0) || (name != "simple") != (first.HistoryMessagesUsed == 2) && name != "expand" {
			t.Errorf("%s: %+v", name, first)
		}
		history[0].Text, history[1].Text = "changed", "changed"
		if !reflect.DeepEqual(first, want) {
			t.Errorf("%s: the history's owner changed a result: %+v", name, first)
		}
		second := run(bridge())
		second.SearchQueries[0] = "changed"
		for _, s := range [][]string{second.AddedWords, second.Warnings} {
			for i := range s {
				s[i] = "changed"
			}
		}
		for i := range second.QueryVector {
			second.QueryVector[i] = 9
		}
		if third := run(bridge()); !reflect.DeepEqual(third, want) || !reflect.DeepEqual(first, want) {
			t.Errorf("%s: one result changed another: %+v", name, third)
		}
	}
}

func TestP03_OriginalQueryIsTheQuestionByteForByte(t *testing.T) {
	question := "  How tall\tis it?\n<|im_start|> {{x}} “65” é e\u0301  "
	for _, name := range Default().Names() {
		for _, history := range [][]rag.Message{nil, bridge()} {
			p := prepare(t, name, Request{Question: question, History: history, Options: Defaults()}, Tools{Condense: &script{text: "x"}})
			if p.OriginalQuery != question {
				t.Errorf("%s: %q", name, p.OriginalQuery)
			}
		}
	}
}

// Research runs its loop on any turn and has a test of its own.
func rewriting() []string {
	return slices.DeleteFunc(Default().Names(), func(name string) bool { return name == "research" })
}

func TestP05_FirstTurnIsIdentityWithoutAModel(t *testing.T) {
	for _, name := range rewriting() {
		model, embed := &script{text: "x"}, &vectors{dims: 2}
		p := prepare(t, name, Request{Question: "How long is the bridge?", Options: Defaults()}, Tools{Condense: model, Embed: embed})
		if p.Status != rag.StatusNoHistory || p.SearchQuery != "" || p.SearchQueries[0] != "How long is the bridge?" || p.ModelCalls != 0 {
			t.Errorf("%s: %+v", name, p)
		}
		if len(model.requests)+len(embed.calls) != 0 {
			t.Errorf("%s called a model", name)
		}
	}
}

// The registry measures an engine, whatever it does: here one that searches the
// question as it is, and takes its time.
func TestP06_LatencyIsMeasuredForIdentityToo(t *testing.T) {
	r := Default()
	r.Register(slow{simple{}})
	e, err := r.Lookup("simple")
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Prepare(ctx, follow("How tall is it?"), Tools{})
	if err != nil || p.Status != rag.StatusVerbatimEngine || p.LatencyMS < 2 {
		t.Errorf("status %s, latency %v ms, %v", p.Status, p.LatencyMS, err)
	}
}

// slow is an engine that takes at least two milliseconds.
type slow struct{ Engine }

func (s slow) Prepare(ctx context.Context, req Request, tools Tools) (rag.Prepared, error) {
	for began := time.Now(); time.Since(began) < 2*time.Millisecond; {
		runtime.Gosched()
	}
	return s.Engine.Prepare(ctx, req, tools)
}

func TestP07_ConcurrentTurnsDoNotSeeEachOther(t *testing.T) {
	e, err := Default().Lookup("condense_context")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			thing := "Tower" + strings.Repeat("x", i+1)
			req := Request{Question: "How tall is it?", History: said("Where is the "+thing+"?", "In the north."), Options: Defaults()}
			p, err := e.Prepare(ctx, req, Tools{Condense: &script{text: "How tall is the " + thing + "?"}})
			if err != nil || p.SearchQuery != "How tall is the "+thing+"?" {
				t.Errorf("%v %+v", err, p)
			}
		})
	}
	wg.Wait()
}

func TestP08_TheQuestionIsNotInItsOwnHistory(t *testing.T) {
	for _, name := range rewriting() {
		model := &script{text: "x"}
		req := Request{Question: "How tall is it?", History: said("How tall is it?"), Options: Defaults()}
		if p := prepare(t, name, req, Tools{Condense: model}); p.Status != rag.StatusNoHistory {
			t.Errorf("%s: %s", name, p.Status)
		}
	}
	model := &script{text: "How tall is the Harlow Bridge?"}
	req := follow("How tall is it?")
	req.History = append(slices.Clone(req.History), rag.Message{Role: "user", Text: "How tall is it?"})
	p := prepare(t, "condense_context", req, Tools{Condense: model})
	if strings.Count(model.prompt(), "How tall is it?") != 1 || p.HistoryMessagesUsed != 2 {
		t.Errorf("the question is in the transcript: %d messages\n%s", p.HistoryMessagesUsed, model.prompt())
	}
	lone := &lines{text: []string{"done"}}
	prepare(t, "research", Request{Question: "How tall is it?", History: said("How tall is it?"), Options: Defaults()}, Tools{Answer: lone, Library: pumps()})
	if got := lone.prompts()[0]; strings.Contains(got, "Person: How tall is it?") {
		t.Errorf("the question is in the transcript of research:\n%s", got)
	}
	// The same question asked again after an answer is history.
	again := said("How tall is it?", "I do not know.")
	if got := Earlier(again, "How tall is it?"); len(got) != 2 {
		t.Errorf("an answered question left the history: %v", got)
	}
}

func TestP19_KillSwitchBeatsTheEngine(t *testing.T) {
	for name, want := range map[string]rag.RewriteStatus{
		"simple": rag.StatusVerbatimEngine, "expand": rag.StatusDisabled, "condense_context": rag.StatusDisabled, "blend": rag.StatusDisabled,
	} {
		model, embed := &script{text: "How tall is the Harlow Bridge?"}, &vectors{dims: 2}
		req := follow("How tall is it?")
		req.Options.CondenseEnabled = false
		p := prepare(t, name, req, Tools{Condense: model, Embed: embed})
		if p.Status != want || p.Engine != name || p.SearchQueries[0] != req.Question || len(model.requests)+len(embed.calls) > 0 {
			t.Errorf("%s: %+v", name, p)
		}
		req.History = nil // no history comes before the switch
		if p := prepare(t, name, req, Tools{}); p.Status != rag.StatusNoHistory {
			t.Errorf("%s on a first turn: %s", name, p.Status)
		}
	}
}

func TestP10_OptionsOutOfRangeAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"condense.history": func(o *Options) { o.CondenseHistory = -1 }, "expand.words": func(o *Options) { o.ExpandWords = -2 },
		"condense.on_failure": func(o *Options) { o.OnFailure = "panic" }, "blend.history": func(o *Options) { o.BlendHistory = "all" },
	} {
		req := follow("How tall is it?")
		change(&req.Options)
		e, _ := Default().Lookup("condense_context")
		_, err := e.Prepare(ctx, req, Tools{})
		if !errors.Is(err, &rag.Error{Code: rag.CodeInvalidSetting}) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExpand_RarestWordsOfFirstAndLastQuestion(t *testing.T) {
	library := corpus{"bridge and river", "bridge toll", "Harlow", "river bank", "toll office"}
	req := Request{Question: "How tall is it?", Options: Defaults(), History: said(
		"Which river does the Harlow bridge cross?", "The Wend.", "Is there another subject in between?", "No.", "Who pays the toll there?", "Trucks.")}
	p := prepare(t, "expand", req, Tools{Corpus: library})
	// Chunks that hold the words: river 2, Harlow 1, bridge 2, cross 0, pays 0, toll 2.
	if p.Status != rag.StatusExpanded || p.SearchQuery != "How tall is it? river Harlow bridge" || p.RerankQuery != req.Question {
		t.Errorf("%+v", p)
	}
	if !slices.Equal(p.AddedWords, []string{"river", "Harlow", "bridge"}) || p.HistoryMessagesUsed != 2 || p.ModelCalls != 0 {
		t.Errorf("%+v", p)
	}
}

func TestExpand_TopicShiftIsGated(t *testing.T) {
	p := prepare(t, "expand", follow("What is the parental leave policy?"), Tools{})
	if p.Status != rag.StatusGated || p.SearchQueries[0] != "What is the parental leave policy?" || len(p.AddedWords) != 0 {
		t.Errorf("%+v", p)
	}
}

func BenchmarkIdentity(b *testing.B) {
	e, _ := Default().Lookup("simple")
	req := follow("How tall is it?")
	for b.Loop() {
		_, _ = e.Prepare(ctx, req, Tools{})
	}
}

func BenchmarkGated(b *testing.B) {
	e, _ := Default().Lookup("condense_context")
	req := Request{Question: "What is the parental leave policy for part-time employees?", Options: Defaults()}
	for range 20 {
		req.History = append(req.History, bridge()...)
	}
	for b.Loop() {
		_, _ = e.Prepare(ctx, req, Tools{})
	}
}

func BenchmarkExpand(b *testing.B) {
	e, _ := Default().Lookup("expand")
	req := follow("How tall is it?")
	for b.Loop() {
		_, _ = e.Prepare(ctx, req, Tools{})
	}
}
