package engine

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"referent/inference"
	"referent/rag"
)

const toll = "When is the toll office closed?"

// researched runs the engine on a first question.
func researched(t *testing.T, question string, model *lines, library *shelf) rag.Prepared {
	t.Helper()
	return prepare(t, "research", Request{Question: question, Options: Defaults()}, Tools{Answer: model, Library: library})
}

// outline writes steps as "tool hits", a repeat as "tool =n".
func outline(steps []rag.Step) []string {
	var out []string
	for i, s := range steps {
		if s.N != i+1 {
			return []string{fmt.Sprintf("step %d has the number %d", i+1, s.N)}
		}
		text := fmt.Sprintf("%s %d", s.Tool, s.Hits)
		if s.RepeatedOf != nil {
			text = fmt.Sprintf("%s =%d", s.Tool, *s.RepeatedOf)
		}
		out = append(out, text)
	}
	return out
}

func expectSteps(t *testing.T, p rag.Prepared, want ...string) {
	t.Helper()
	if got := outline(p.Steps); !slices.Equal(got, want) {
		t.Errorf("the steps are %q, want %q", got, want)
	}
}

func TestP05_ResearchRunsOnAFirstTurn(t *testing.T) {
	model, library := &lines{text: []string{"search length of the Harlow Bridge", "done"}}, pumps()
	p := researched(t, toll, model, library)
	if p.Status != rag.StatusResearched || p.Ended != rag.EndedEnough || p.ModelCalls != 2 || p.Engine != "research" {
		t.Errorf("%+v", p)
	}
	expectSteps(t, p, "search 1", "search 2")
	if want := []string{toll, "length of the Harlow Bridge"}; !slices.Equal(p.SearchQueries, want) || !slices.Equal(library.texts(), want) || p.RerankQuery != toll || p.SearchQuery != toll {
		t.Errorf("searched %q, %+v", library.texts(), p)
	}
	if got, want := string(p.Steps[1].Arguments), `{"query":"length of the Harlow Bridge"}`; got != want {
		t.Errorf("arguments %s, want %s", got, want)
	}
}

func TestResearch_NothingBesideTheQuestionIsSearchedVerbatim(t *testing.T) {
	p := researched(t, toll, &lines{text: []string{"done"}}, pumps())
	if p.SearchQuery != "" || !slices.Equal(p.SearchQueries, []string{toll}) || p.Status != rag.StatusResearched {
		t.Errorf("%+v", p)
	}
}

func TestP44_PatienceEndsTheLoopWithWhatWasFound(t *testing.T) {
	// A found passage starts the patience anew; the same read, a list, and a
	// search that finds nothing new use it up.
	model := &lines{text: []string{"search unicorn", "list", "search Harlow Bridge", "search unicorn", "search dragon", "open 1", "search never"}}
	p := researched(t, toll, model, pumps())
	expectSteps(t, p, "search 1", "search 0", "list_documents 4", "search 2", "search =2", "search 0", "open_passage 1")
	if p.Ended != rag.EndedPatience || p.ModelCalls != 6 || p.Status != rag.StatusResearched || p.Reason != "" {
		t.Errorf("%+v", p)
	}
}

func TestP44_ThirteenProductiveRoundsGoOn(t *testing.T) {
	library := &shelf{}
	var text []string
	for i := range 13 {
		word := "topic" + strings.Repeat("x", i+1)
		library.passages = append(library.passages, passage(int64(i+1), word, "text", "About "+word+"."))
		text = append(text, "search "+word)
	}
	text = append(text[:6:6], append([]string{"list", "list"}, append(text[6:], "done")...)...)
	p := researched(t, "What is known?", &lines{text: text}, library)
	if p.Ended != rag.EndedEnough || p.ModelCalls != 16 || len(library.lists) != 1 {
		t.Errorf("ended %s after %d calls, %d lists", p.Ended, p.ModelCalls, len(library.lists))
	}
	if p.Steps[8].RepeatedOf == nil || *p.Steps[8].RepeatedOf != 8 {
		t.Errorf("%+v", p.Steps[8])
	}
}

func TestP44_TheRoundCapEndsTheLoop(t *testing.T) {
	for _, most := range []int{5, 0} {
		library, model := &shelf{}, &lines{}
		for i := range 30 {
			word := "topic" + strings.Repeat("x", i+1)
			library.passages = append(library.passages, passage(int64(i+1), word, "text", "About "+word+"."))
			model.text = append(model.text, "search "+word)
		}
		o := Defaults()
		o.ResearchMaxRounds = most
		p := prepare(t, "research", Request{Question: "What is known?", Options: o}, Tools{Answer: model, Library: library})
		want := most
		if most == 0 {
			want = 24
		}
		if p.Ended != rag.EndedMaxRounds || p.ModelCalls != want || len(p.SearchQueries) != want+1 {
			t.Errorf("most %d: ended %s after %d calls, %d searches", most, p.Ended, p.ModelCalls, len(p.SearchQueries))
		}
	}
}

func TestP10_ResearchOptionsOutOfRangeAreRefused(t *testing.T) {
	e, _ := Default().Lookup("research")
	for key, change := range map[string]func(*Options){
		"research.patience": func(o *Options) { o.ResearchPatience = -1 }, "research.max_rounds": func(o *Options) { o.ResearchMaxRounds = -1 }} {
		o := Defaults()
		change(&o)
		_, err := e.Prepare(ctx, Request{Question: toll, Options: o}, Tools{})
		if !errors.Is(err, &rag.Error{Code: rag.CodeInvalidSetting}) || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func TestResearch_AnUnreadableLineGetsOneMoreTry(t *testing.T) {
	model := &lines{text: []string{"The office is closed on Monday.", "search office hours", "{\"tool\": \"search\"}", "I do not know"}}
	p := researched(t, toll, model, pumps())
	expectSteps(t, p, "search 1", "search 1")
	if p.Ended != rag.EndedUnreadable || p.Status != rag.StatusResearched || p.ModelCalls != 4 || p.Reason != "" {
		t.Errorf("%+v", p)
	}
	if want := []string{"The model wrote no call that can be read. What was found until then is used."}; !slices.Equal(p.Warnings, want) {
		t.Errorf("%q", p.Warnings)
	}
	told := "Call: The office is closed on Monday.\nThis line cannot be read. A line begins with search, open, list, ask or done.\n"
	if got := strings.TrimSuffix(model.prompts()[1], labelCall); !strings.HasSuffix(got, told) {
		t.Errorf("the prompt ends otherwise:\n%s", got)
	}
	if got := model.prompts()[2]; strings.Contains(got, "cannot be read") {
		t.Errorf("a repaired line stays in the prompt:\n%s", got)
	}
}

func TestResearch_AModelThatWritesNoCallIsAFailedRewrite(t *testing.T) {
	for policy, want := range map[rag.FailurePolicy]rag.RewriteStatus{
		rag.PolicyVerbatim: rag.StatusFailedVerbatim, rag.PolicyStop: rag.StatusFailedStopped, rag.PolicyExpand: rag.StatusFailedVerbatim} {
		for name, c := range map[string]struct {
			tools  Tools
			reason rag.Reason
		}{
			"no model":  {Tools{Library: pumps()}, rag.ReasonCallError},
			"no call":   {Tools{Library: pumps(), Answer: &lines{text: []string{"Monday."}}}, rag.ReasonBadBody},
			"too long":  {Tools{Library: pumps(), Answer: &lines{text: []string{strings.Repeat("word ", 100)}}}, rag.ReasonBadBody},
			"dead":      {Tools{Library: pumps(), Answer: &lines{then: func(int) error { return inference.ErrWorkerDied }}}, rag.ReasonCallError},
			"no window": {Tools{Library: pumps(), Answer: &lines{text: []string{"done"}, info: inference.ModelInfo{Context: 800}}}, rag.ReasonContextOverflow},
		} {
			o := Defaults()
			o.OnFailure = policy
			p := prepare(t, "research", Request{Question: toll, Options: o}, c.tools)
			if p.Status != want || p.Reason != c.reason || p.Detail == "" || !slices.Equal(p.SearchQueries, []string{toll}) || p.SearchQuery != "" {
				t.Errorf("%s, %s: %+v", policy, name, p)
			}
		}
	}
}

func TestResearch_ALaterFailureKeepsWhatWasFound(t *testing.T) {
	model := &lines{text: []string{"search Harlow Bridge"}, then: func(n int) error {
		if n == 2 {
			return inference.ErrWorkerDied
		}
		return nil
	}}
	p := researched(t, toll, model, pumps())
	if p.Status != rag.StatusResearched || p.Ended != rag.EndedFailed || len(p.Warnings) != 1 || len(p.SearchQueries) != 2 || p.Reason != "" {
		t.Errorf("%+v", p)
	}
}

func TestP19_KillSwitchBeatsResearch(t *testing.T) {
	o := Defaults()
	o.CondenseEnabled = false
	model, library := &lines{text: []string{"done"}}, pumps()
	p := prepare(t, "research", Request{Question: toll, Options: o}, Tools{Answer: model, Library: library})
	if p.Status != rag.StatusDisabled || p.Engine != "research" || len(model.asked)+len(library.searches) != 0 || len(p.Steps) != 0 {
		t.Errorf("%+v", p)
	}
}

func TestP21_CancelEndsResearchWithinAToken(t *testing.T) {
	ctx, cancel := context.WithCancel(ctx)
	library := pumps()
	model := &lines{text: []string{"search Harlow Bridge"}, then: func(n int) error {
		if n == 2 {
			cancel()
		}
		return nil
	}}
	e, _ := Default().Lookup("research")
	_, err := e.Prepare(ctx, Request{Question: toll, Options: Defaults()}, Tools{Answer: model, Library: library})
	if !errors.Is(err, context.Canceled) || len(model.asked) != 2 || len(library.searches) != 2 {
		t.Errorf("%v after %d calls and %d searches", err, len(model.asked), len(library.searches))
	}
}

func TestResearch_EachCallIsToldAsItHappens(t *testing.T) {
	var told []rag.Step
	model := &lines{text: []string{"search Harlow Bridge", "open 1", "done"}}
	model.then = func(n int) error {
		if len(told) != n { // the person's own words, then one a round
			t.Errorf("before call %d of the model %d steps were told", n, len(told))
		}
		return nil
	}
	p := prepare(t, "research", Request{Question: toll, Options: Defaults()},
		Tools{Answer: model, Library: pumps(), Emit: func(s rag.Step) { told = append(told, s) }})
	if !reflect.DeepEqual(told, p.Steps) || len(told) != 3 {
		t.Errorf("told %v, kept %v", outline(told), outline(p.Steps))
	}
}

// A follow-up is searched as expand searches it, before the model is asked: the
// first search finds what it finds, and the model goes on from there.
func TestResearch_AFollowUpBeginsAsExpandDoes(t *testing.T) {
	model, library := &lines{text: []string{"search length of the Harlow Bridge", "done"}}, pumps()
	tools := Tools{Answer: model, Library: library, Corpus: corpus{"the Harlow", "bridge"}}
	p := prepare(t, "research", follow("How long is it?"), tools)
	begun := prepare(t, "expand", follow("How long is it?"), tools).SearchQuery
	if want := []string{begun, "length of the Harlow Bridge"}; begun != "How long is it? Harlow Bridge" || !slices.Equal(library.texts(), want) || p.HistoryMessagesUsed != 2 {
		t.Errorf("searched %q with %d messages", library.texts(), p.HistoryMessagesUsed)
	}
	if want := []string{"Harlow", "Bridge"}; !slices.Equal(p.AddedWords, want) || p.SearchQuery != begun || p.RerankQuery != begun {
		t.Errorf("added %q: %+v", p.AddedWords, p)
	}
	if got := model.prompts()[0]; !strings.Contains(got, "search "+begun+"\nFound") {
		t.Errorf("the model has not seen the search:\n%s", got)
	}
	head := model.asked[0].Messages[len(model.asked[0].Messages)-3].Text
	if !strings.Contains(head, "Person: How long is the Harlow Bridge?\nAssistant: It is 320") || strings.Count(head, "Question: How long is it?") != 1 {
		t.Errorf("the conversation is missing:\n%s", head)
	}
	// What stands on its own is searched as it is.
	library = pumps()
	p = prepare(t, "research", follow("What is the parental leave policy?"), Tools{Answer: &lines{text: []string{"done"}}, Library: library})
	if !slices.Equal(p.SearchQueries, []string{"What is the parental leave policy?"}) || len(library.searches) != 1 {
		t.Errorf("%+v", p)
	}
}

// With no window of the conversation, research depends on nothing of it.
func TestP04_ResearchWithoutAWindowIsBlindToHistory(t *testing.T) {
	run := func(history []rag.Message) (rag.Prepared, []string) {
		model := &lines{text: []string{"search Harlow Bridge", "done"}}
		o := Defaults()
		o.CondenseHistory = 0
		p := prepare(t, "research", Request{Question: "How long is it?", History: history, Options: o}, Tools{Answer: model, Library: pumps()})
		p.LatencyMS = 0
		return p, model.prompts()
	}
	base, asked := run(nil)
	again, askedAgain := run(bridge())
	if !reflect.DeepEqual(base, again) || !slices.Equal(asked, askedAgain) {
		t.Errorf("%+v\n%+v", base, again)
	}
}

func TestP20_ResearchRepeatsItself(t *testing.T) {
	run := func() (rag.Prepared, []inference.GenerateRequest) {
		model := &lines{text: []string{"search Harlow Bridge | type=pdf", "list", "open 1", "search pump", "done"}}
		p := prepare(t, "research", follow("Who pays the toll there?"), Tools{Answer: model, Library: pumps()})
		p.LatencyMS = 0
		return p, model.asked
	}
	p, asked := run()
	for range 5 {
		if q, again := run(); !reflect.DeepEqual(p, q) || !reflect.DeepEqual(asked, again) {
			t.Fatalf("%+v\n%+v", p, q)
		}
	}
	if asked[0].Cache != inference.CacheFixedCut || asked[0].StableBytes != len(foundWord) || asked[0].Temperature != 0 {
		t.Errorf("the first call starts from %+v", asked[0])
	}
}

func TestP07_ConcurrentResearchDoesNotMix(t *testing.T) {
	e, err := Default().Lookup("research")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			word := "topic" + strings.Repeat("x", i+1)
			library := &shelf{passages: []rag.Hit{passage(int64(i+1), word, "text", "About "+word+".")}}
			p, err := e.Prepare(ctx, Request{Question: "What is " + word + "?", Options: Defaults()},
				Tools{Answer: &lines{text: []string{"search " + word, "open 1", "done"}}, Library: library})
			if err != nil || p.SearchQueries[1] != word || string(p.Steps[2].Arguments) != fmt.Sprintf(`{"chunk":%d}`, i+1) {
				t.Errorf("%v %+v", err, p)
			}
		})
	}
	wg.Wait()
}
