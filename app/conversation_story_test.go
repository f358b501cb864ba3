package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"referent/app"
	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// asJSON is what a front sees of a value.
func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestP60_AReloadShowsWhatTheLiveTurnShowed(t *testing.T) {
	fails := false
	var mu sync.Mutex
	s := newStory(t, fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		mu.Lock()
		defer mu.Unlock()
		return fake.Reply{Err: errors.New("strange")}, fails && role == inference.RoleCondense && req.MaxTokens > 1
	}})
	s.AddFolder(town)
	s.Write(map[string]string{"copy.md": town["bridge.md"]}) // a duplicate, so that every packing decision occurs
	s.Sync()
	alpha := map[string]string{"blend.alpha": "0.4"}
	var live [][3]string
	for _, req := range []app.AskRequest{
		{Question: howLong},
		{Question: "When was it opened?", Engine: "condense_context"},
		{Question: "And by whom was it opened?", Engine: "expand"},
		{Question: "What about its history?", Engine: "blend", Set: alpha},
		{Question: "Who is the pope?", Engine: "simple"},
		{Question: "Was it opened by the mayor?", Engine: "condense_context", Mode: "quote"},
		{Question: "Was it opened in 1932?", Engine: "condense_context", Set: alpha, Mode: "strict"},
		{Question: "pets", EditedQuery: "consent for dogs"},
	} {
		mu.Lock()
		fails = req.Mode == "quote"
		mu.Unlock()
		req.Conversation = s.conversation
		if _, err := s.AskWith(t.Context(), req); err != nil {
			t.Fatalf("%q: %v", req.Question, err)
		}
		retrieval, _ := last[rag.Retrieval](s)
		done, _ := last[rag.Done](s)
		live = append(live, [3]string{asJSON(t, s.Prepared()), asJSON(t, retrieval), asJSON(t, done)})
	}
	statuses := map[rag.RewriteStatus]bool{}
	check := func(when string) {
		t.Helper()
		turns := s.Reloaded().Turns
		if len(turns) != len(live) {
			t.Fatalf("%s: %d turns, want %d", when, len(turns), len(live))
		}
		for i, turn := range turns {
			statuses[turn.Prepared.Status] = true
			for j, got := range []string{asJSON(t, turn.Prepared), asJSON(t, turn.Retrieval), asJSON(t, turn.Done)} {
				if got != live[i][j] {
					t.Errorf("%s: turn %d, part %d differs: %s", when, i+1, j, firstDifference(got, live[i][j]))
				}
			}
		}
	}
	check("at once")
	s.Restart()
	check("after a restart")
	for _, want := range []rag.RewriteStatus{rag.StatusNoHistory, rag.StatusRewritten, rag.StatusExpanded, rag.StatusBlended, rag.StatusVerbatimEngine,
		rag.StatusFailedVerbatim, rag.StatusUserEdited} {
		if !statuses[want] {
			t.Errorf("no turn had the status %s: %v", want, statuses)
		}
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("reloaded %s\n live %s", strings.Join(a[max(0, i-2):min(len(a), i+2)], "\n"), strings.Join(b[max(0, i-2):min(len(b), i+2)], "\n"))
		}
	}
	return "the live one is longer"
}

func TestStory_ADeletedConversationComesBackUntilTheEnd(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask("Do dogs need the consent of the board?")
	kept := *s.conversation
	s.Ask(howLong)
	id := *s.conversation
	if err := s.app.DeleteConversation(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	s.ExpectConversations(1)
	if _, err := s.app.Conversation(t.Context(), id); !errors.Is(err, &rag.Error{Code: rag.CodeUnknownConversation}) {
		t.Errorf("a deleted conversation opens: %v", err)
	}
	s.ExpectFails(app.AskRequest{Question: "And now?", Conversation: &id}, rag.CodeUnknownConversation)
	if found, err := s.app.SearchConversations(t.Context(), "Harlow"); err != nil || len(found) != 0 {
		t.Errorf("it is found: %+v, %v", found, err)
	}
	if err := s.app.RestoreConversation(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	s.conversation = &id
	if turns := s.Reloaded().Turns; len(turns) != 1 {
		t.Errorf("%d turns came back", len(turns))
	}
	if err := s.app.RestoreConversation(t.Context(), id); !errors.Is(err, &rag.Error{Code: rag.CodeUnknownConversation}) {
		t.Errorf("restored twice: %v", err)
	}
	if err := s.app.DeleteConversation(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	if all := s.ExpectConversations(1); all[0].ID != kept {
		t.Errorf("%+v", all)
	}
	if err := s.app.RestoreConversation(t.Context(), id); !errors.Is(err, &rag.Error{Code: rag.CodeUnknownConversation}) {
		t.Errorf("restored after the end: %v", err)
	}
}

func TestStory_TitlesDraftsAndSearch(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	long := "How long\nis the Harlow Bridge, and who measured it with which instrument in which year and on behalf of which office?"
	s.Ask(long)
	title := s.ExpectConversations(1)[0].Title
	if strings.Contains(title, "\n") || !strings.HasSuffix(title, "…") || len([]rune(title)) > 81 || !strings.HasPrefix(long, title[:8]) {
		t.Errorf("title %q", title)
	}
	if err := s.app.RenameConversation(t.Context(), *s.conversation, " The  bridge "); err != nil {
		t.Fatal(err)
	}
	if err := s.app.SetDraft(t.Context(), *s.conversation, "And when"); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	if all := s.ExpectConversations(1); all[0].Title != "The bridge" {
		t.Errorf("%+v", all)
	}
	if draft, err := s.app.Draft(t.Context(), *s.conversation); err != nil || draft != "And when" {
		t.Errorf("%q, %v", draft, err)
	}
	if found, err := s.app.SearchConversations(t.Context(), "instrument"); err != nil || len(found) != 1 || !strings.Contains(found[0].Snippet, "instrument") {
		t.Errorf("%+v, %v", found, err)
	}
	empty, err := s.app.NewConversation(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	s.conversation = &empty.ID
	s.FollowUp("", howLong)
	if got := s.Reloaded().Conversation.Title; got != howLong {
		t.Errorf("a conversation without a title is called %q after its first question", got)
	}
}

func TestP07_ConcurrentTurnsOfTheWholeProgram(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong) // models are there
	questions := map[string]string{howLong: "320 metres", "What must the boiler pressure be?": "1.5 bar"}
	var wg sync.WaitGroup
	for range 4 {
		for q, want := range questions {
			wg.Go(func() {
				var answer string
				err := s.app.Ask(t.Context(), app.AskRequest{Question: q}, func(e rag.Event) {
					if d, ok := e.(rag.Done); ok {
						answer = d.Answer
					}
				})
				if err != nil || !strings.Contains(answer, want) {
					t.Errorf("%q: %q, %v", q, answer, err)
				}
			})
		}
	}
	wg.Wait()
	s.ExpectConversations(9)
}
