package app_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"referent/app"
	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// calls makes the answer model write these calls while it researches, the last
// one for ever; it answers as the fake does.
func calls(lines ...string) fake.Config {
	var mu sync.Mutex
	n := 0
	return fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		if role != inference.RoleAnswer || len(req.Messages) == 0 || !strings.Contains(req.Messages[0].Text, "\ndone - ends the search") {
			return fake.Reply{}, false
		}
		mu.Lock()
		defer mu.Unlock()
		n++
		return fake.Reply{Text: lines[min(n, len(lines))-1] + "\n"}, true
	}}
}

func steps(s *story) []rag.Step {
	var out []rag.Step
	for _, e := range s.events {
		if step, ok := e.(rag.Step); ok {
			out = append(out, step)
		}
	}
	return out
}

func TestP44_ResearchIsSeenKeptAndReloaded(t *testing.T) {
	s := newStory(t, calls("search pressure of the boiler", "list", "open 1", "done"))
	s.AddFolder(town)
	done, err := s.AskWith(t.Context(), app.AskRequest{Question: howLong, Engine: "research"})
	if err != nil {
		t.Fatal(err)
	}
	s.ExpectCited("bridge.md", 0, "320 metres")
	s.ExpectEvidence("boiler.md", 0, "1.5 bar")
	live, p := steps(s), s.Prepared()
	if len(live) != 4 || p.Status != rag.StatusResearched || p.Ended != rag.EndedEnough || !reflect.DeepEqual(live, p.Steps) || live[2].Hits != len(town) {
		t.Errorf("%+v\n%+v", live, p)
	}
	if run := s.LastRun(); run.Engine != "research" || run.Status != "researched" {
		t.Errorf("%+v", run)
	}
	s.Restart()
	detail, err := s.app.Conversation(t.Context(), *done.Conversation)
	if err != nil || len(detail.Turns) != 1 {
		t.Fatalf("%v %+v", err, detail)
	}
	stored := detail.Turns[0].Prepared
	if !reflect.DeepEqual(stored.Steps, live) || stored.Ended != p.Ended || !reflect.DeepEqual(stored.SearchQueries, p.SearchQueries) {
		t.Errorf("reloaded %+v", stored)
	}
	// The owner's socket carries the same.
	var read rag.Prepared
	if b, err := json.Marshal(p); err != nil || json.Unmarshal(b, &read) != nil || !reflect.DeepEqual(read.Steps, live) || read.Ended != p.Ended {
		t.Errorf("%v %+v", err, read)
	}
}

func TestP43_AQuestionToThePersonIsKeptAsOne(t *testing.T) {
	s := newStory(t, calls("ask Which house do you mean?"))
	s.AddFolder(town)
	done, err := s.AskWith(t.Context(), app.AskRequest{Question: "How warm is the other house?", Engine: "research"})
	if err != nil || done.Answer != "Which house do you mean?" || done.AnswerCheck.Status != rag.CheckUnchecked || len(done.Sources) != 0 {
		t.Fatalf("%v %+v", err, done)
	}
	detail, err := s.app.Conversation(t.Context(), *done.Conversation)
	if err != nil || detail.Turns[0].Prepared.AskUser != done.Answer || detail.Turns[0].Done.AnswerCheck.Status != rag.CheckUnchecked {
		t.Errorf("%v %+v", err, detail)
	}
}

func TestP44_TheSettingsOfResearchCount(t *testing.T) {
	for _, c := range []struct {
		set   map[string]string
		ended rag.ResearchEnd
		calls int
	}{
		{map[string]string{"research.max_rounds": "2"}, rag.EndedMaxRounds, 2},
		{map[string]string{"research.patience": "1"}, rag.EndedPatience, 1},
		{nil, rag.EndedPatience, 3},
	} {
		s := newStory(t, calls("list"))
		s.AddFolder(town)
		if _, err := s.AskWith(t.Context(), app.AskRequest{Question: howLong, Engine: "research", Set: c.set}); err != nil {
			t.Fatal(err)
		}
		if p := s.Prepared(); p.Ended != c.ended || p.ModelCalls != c.calls {
			t.Errorf("%v: ended %s after %d calls", c.set, p.Ended, p.ModelCalls)
		}
	}
}

// Research needs the answer model also where the mode does not, and without one
// the words are searched.
func TestResearch_InTheModeQuote(t *testing.T) {
	s := newStory(t, calls("done"))
	s.AddFolder(town)
	if _, err := s.AskWith(t.Context(), app.AskRequest{Question: howLong, Engine: "research", Mode: "quote"}); err != nil {
		t.Fatal(err)
	}
	if p := s.Prepared(); p.Status != rag.StatusResearched {
		t.Errorf("%+v", p)
	}
}

// What is restricted is not in the list, not found, not opened, and so in no
// prompt of the loop.
func TestP68_ResearchNeverMeetsWhatIsRestricted(t *testing.T) {
	s := newStory(t, calls("list", "search secret garden of the mayor", "search Quillon | type=markdown", "open 1", "search Quillon | document=1 | limit=50", "done"))
	s.Write(map[string]string{"bridge.md": town["bridge.md"], "secret/mayor.md": "# Quillon\n\nThe secret garden of the mayor is in Quillon.\n"})
	s.Add(app.AddRequest{Paths: []string{s.Path("bridge.md")}})
	s.Add(app.AddRequest{Paths: []string{s.Path("secret")}, Restricted: true})
	for _, history := range [][]rag.Message{nil, {{Role: "user", Text: "Where is it?"}, {Role: "assistant", Text: "In the garden."}}} {
		_, err := s.AskWith(t.Context(), app.AskRequest{Question: howLong, Engine: "research", History: history, GivenHistory: history != nil})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.models.Calls() {
			if c.Kind != "generate" || c.Role != inference.RoleAnswer || len(c.Request.Messages) == 0 {
				continue
			}
			for line := range strings.Lines(c.Request.Messages[len(c.Request.Messages)-1].Text) {
				if !strings.HasPrefix(line, "Call:") && (strings.Contains(line, "Quillon") || strings.Contains(line, "mayor.md") || strings.Contains(line, "secret")) {
					t.Errorf("the model has seen %q", line)
				}
			}
		}
		if retrieval, _ := last[rag.Retrieval](s); retrieval.RestrictedCount != 1 || strings.Contains(fmt.Sprint(retrieval.Hits), "Quillon") {
			t.Errorf("%d restricted, %v", retrieval.RestrictedCount, retrieval.Hits)
		}
	}
}

// A wrong guess hides nothing: no file is a PDF, and the one call with that guess
// still finds what there is. The guess is told as one, and the passage is cited.
func TestP73_AWrongGuessStillFindsThePassageInOneCall(t *testing.T) {
	s := newStory(t, calls("search length of the Harlow Bridge | type=pdf", "done"))
	s.AddFolder(town)
	history := []rag.Message{{Role: "user", Text: "Where is the Harlow Bridge?"}, {Role: "assistant", Text: "In Harlow."}}
	if _, err := s.AskWith(t.Context(), app.AskRequest{Question: "How long is it?", Engine: "research", History: history, GivenHistory: true}); err != nil {
		t.Fatal(err)
	}
	s.ExpectCited("bridge.md", 0, "320 metres")
	p := s.Prepared()
	if len(p.Filters) != 1 || p.Filters[0].Owner != rag.OwnerGuess {
		t.Errorf("filters %+v", p.Filters)
	}
	// The words that expand adds are searched first, then the model's call.
	if len(p.Steps) != 2 || p.Steps[1].Hits == 0 || p.Steps[1].Hits != p.Steps[0].Hits || !strings.Contains(string(p.Steps[1].Arguments), "pdf") {
		t.Errorf("steps %+v", p.Steps)
	}
}
