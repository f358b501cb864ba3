package engine

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"referent/rag"
)

func TestP39_GuessesAreHintsAndScopeIsKept(t *testing.T) {
	model, library := &lines{text: []string{"search warranty of pump A | type=pdf | date>=2024 | limit=3 | offset=3", "search pump | label=restricted", "done"}}, pumps()
	p := researched(t, toll, model, library)
	q := library.searches[1]
	if q.Text != "warranty of pump A" || q.Limit != 3 || q.Offset != 3 || len(q.Guesses) != 2 {
		t.Fatalf("searched %+v", q)
	}
	for _, f := range q.Guesses {
		if f.Owner != rag.OwnerGuess {
			t.Errorf("the filter %+v is not a guess", f)
		}
	}
	if len(library.searches) != 2 || !strings.Contains(model.prompts()[2], "This line cannot be read. Filters are type, language, tag, date, document, folder, collection.") {
		t.Errorf("a filter by label was taken: %+v\n%s", library.searches, model.prompts()[2])
	}
	if got := filterText(p.Filters); got != "date>=2024, type=pdf" {
		t.Errorf("the guessed filters are told as %q", got)
	}
	var args struct {
		Filters []struct {
			Field, Op string
			Value     []string
		}
		Limit, Offset int
	}
	if err := json.Unmarshal(p.Steps[1].Arguments, &args); err != nil || len(args.Filters) != 2 || args.Filters[0].Op != "gte" || args.Limit != 3 || args.Offset != 3 {
		t.Errorf("%s: %v", p.Steps[1].Arguments, err)
	}
}

// Matches first and whole, then what the guess left out under a heading that
// names it, without the line that offers the next page.
func TestP40_ExtrasStandBelowUnderAHeading(t *testing.T) {
	model, library := &lines{text: []string{"search warranty of pump | type=pdf | limit=1", "search warranty of pump | limit=1", "done"}}, pumps()
	p := researched(t, toll, model, library)
	expectSteps(t, p, "search 1", "search 2", "search 1")
	if want := []string{toll, "warranty of pump"}; !slices.Equal(p.SearchQueries, want) {
		t.Errorf("searched %q", p.SearchQueries)
	}
	want := `Found 2, 2 of them new.
(2) Pump A – The warranty of pump A is five years.
More with offset=1.
Not marked as type=pdf:
(3) Pump B – The warranty of pump B is two years.
`
	if got := model.prompts()[1]; !strings.Contains(got, want) {
		t.Errorf("the result is not\n%s\nin\n%s", want, got)
	}
	want = "Call: search warranty of pump | limit=1\nFound 1, 0 of them new.\n(2) as above\nMore with offset=1.\n"
	if got := strings.TrimSuffix(model.prompts()[2], labelCall); !strings.HasSuffix(got, want) { // without a filter nothing is appended
		t.Errorf("the prompt does not end with\n%s\n%s", want, got)
	}
}

func TestP43_ARepeatedReadIsNotRunAgain(t *testing.T) {
	model, library := &lines{text: []string{
		"search pump warranty | type=pdf | language=en",
		"search Pump  warranty? | language=en | type=pdf", // other order, case, space
		"search pump warranty | type=pdf",                 // not the same
		"open 2", "open (2)", "list", "list", "done"}}, pumps()
	o := Defaults()
	o.ResearchPatience = 10
	p := prepare(t, "research", Request{Question: toll, Options: o}, Tools{Answer: model, Library: library})
	expectSteps(t, p, "search 1", "search 2", "search =2", "search 2", "open_passage 1", "open_passage =5", "list_documents 4", "list_documents =7")
	if len(library.searches) != 3 || len(library.opened) != 1 || len(library.lists) != 1 {
		t.Errorf("%d searches, %d opened, %d lists", len(library.searches), len(library.opened), len(library.lists))
	}
	if got := model.prompts()[2]; !strings.Contains(got, "This already ran as call 2, its result is above. Nothing new; write another call, or done.") {
		t.Errorf("the model is not told:\n%s", got)
	}
	if string(p.Steps[4].Arguments) != `{"chunk":31}` {
		t.Errorf("opened %s", p.Steps[4].Arguments)
	}
	// The next turn may run the same read again.
	model.asked = nil
	prepare(t, "research", Request{Question: toll, Options: o}, Tools{Answer: model, Library: library})
	if len(library.searches) != 6 || len(library.lists) != 2 {
		t.Errorf("the second turn ran %d searches and %d lists", len(library.searches)-3, len(library.lists)-1)
	}
}

func TestP43_WritesAlwaysRunAndResetTheRecord(t *testing.T) {
	written := 0
	note := tool{"take_note", "note", accessWrite, "", "", func(rest string, _ *loop) (call, error) { return call{text: rest}, nil },
		func(context.Context, *loop, call) (string, int, int, error) { written++; return "Noted.", 0, 0, nil }}
	r := Default()
	r.Register(research{append(researchTools(), note)})
	e, err := r.Lookup("research")
	if err != nil {
		t.Fatal(err)
	}
	o := Defaults()
	o.ResearchPatience = 10
	library := pumps()
	model := &lines{text: []string{"list", "note x", "note x", "list", "list", "done"}}
	p, err := e.Prepare(ctx, Request{Question: toll, Options: o}, Tools{Answer: model, Library: library})
	if err != nil {
		t.Fatal(err)
	}
	expectSteps(t, p, "search 1", "list_documents 4", "take_note 0", "take_note 0", "list_documents 4", "list_documents =5")
	if written != 2 || len(library.lists) != 2 {
		t.Errorf("%d written, %d lists", written, len(library.lists))
	}
}

// Every tool says what it does: three read, one asks.
func TestP43_ToolsDeclareTheirAccess(t *testing.T) {
	got := map[string]access{}
	for _, t := range researchTools() {
		got[t.name] = t.access
	}
	want := map[string]access{"search": accessRead, "open_passage": accessRead, "list_documents": accessRead, "ask_user": accessAsk}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestP43_AQuestionToThePersonEndsTheLoop(t *testing.T) {
	p := researched(t, toll, &lines{text: []string{"ask Which office do you mean?", "search never"}}, pumps())
	expectSteps(t, p, "search 1", "ask_user 0")
	if p.Ended != rag.EndedAsked || p.AskUser != "Which office do you mean?" || p.ModelCalls != 1 {
		t.Errorf("%+v", p)
	}
	if got := string(p.Steps[1].Arguments); got != `{"question":"Which office do you mean?"}` {
		t.Error(got)
	}
}

// A question to the person that only says again what was asked is not put: the
// model is told, and goes on.
func TestP43_AQuestionThatTheyHaveAskedIsNotPut(t *testing.T) {
	for ask, echo := range map[string]bool{
		"When is the toll office closed?":       true, // word for word
		"when is it closed?":                    true, // their question, in other words
		"the toll office of the Harlow Bridge?": true, // no question
		"Which office?":                         false,
		"Which office do you mean?":             false,
		"Do you mean the Harlow Bridge?":        false,
		"When did you want to visit it?":        false,
		"Which day?":                            false,
	} {
		model := &lines{text: []string{"ask " + ask, "search Harlow Bridge", "done"}}
		req := follow(toll)
		if ask == "when is it closed?" {
			req.Question = "When is it closed?"
		}
		p := prepare(t, "research", req, Tools{Answer: model, Library: pumps()})
		if put := p.AskUser != ""; put == echo || put != (p.Ended == rag.EndedAsked) {
			t.Errorf("%q: put %v, ended %s", ask, put, p.Ended)
		}
		if echo && !strings.Contains(model.prompts()[1], "The person asks just that. Search for it, or write done.") {
			t.Errorf("%q: the model is not told", ask)
		}
	}
}

func TestResearch_ASearchThatFailsEndsTheTurn(t *testing.T) {
	library := pumps()
	library.err = &rag.Error{Code: rag.CodeStorageFailed, Message: "The library could not be read."}
	e, _ := Default().Lookup("research")
	_, err := e.Prepare(ctx, Request{Question: toll, Options: Defaults()}, Tools{Answer: &lines{text: []string{"done"}}, Library: library})
	if !errors.Is(err, &rag.Error{Code: rag.CodeStorageFailed}) {
		t.Error(err)
	}
	// A filter that means nothing is told to the model, which may go on.
	library.err = &rag.Error{Code: rag.CodeInvalidFilter, Message: "There is no folder “attic”."}
	model := &lines{text: []string{"search bridge | folder=attic", "done"}}
	prepare(t, "research", follow("How long is it?"), Tools{Answer: model, Library: library})
	if got := strings.TrimSuffix(model.prompts()[1], labelCall); !strings.HasSuffix(got, "Call: search bridge | folder=attic\nThere is no folder “attic”.\n") {
		t.Errorf("the model is not told:\n%s", got)
	}
}

func TestR013_AComparisonIsSearchedForEachSide(t *testing.T) {
	model, library := &lines{text: []string{"done"}}, pumps()
	p := researched(t, "Compare the warranty of pump A and pump B", model, library)
	if want := []string{"the warranty of pump A", "the warranty of pump B"}; !slices.Equal(p.SearchQueries, want) || !slices.Equal(library.texts(), want) {
		t.Errorf("searched %q", library.texts())
	}
	for _, both := range []string{"Pump A – The warranty", "Pump B – The warranty"} {
		if !strings.Contains(model.prompts()[0], both) {
			t.Errorf("the model has not seen %q", both)
		}
	}
	// So is a comparison that the model writes.
	model, library = &lines{text: []string{"search difference between pump A and pump B in warranty", "done"}}, pumps()
	p = researched(t, toll, model, library)
	expectSteps(t, p, "search 1", "search 2", "search 2")
	if want := []string{toll, "pump A in warranty", "pump B in warranty"}; !slices.Equal(p.SearchQueries, want) {
		t.Errorf("searched %q", p.SearchQueries)
	}
	// A model that fails changes nothing about it.
	p = researched(t, "Compare the warranty of pump A and pump B", &lines{text: []string{"?"}}, pumps())
	if want := []string{"the warranty of pump A", "the warranty of pump B"}; p.Status != rag.StatusFailedVerbatim || !slices.Equal(p.SearchQueries, want) {
		t.Errorf("%+v", p)
	}
}
