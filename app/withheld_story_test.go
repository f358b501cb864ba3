package app_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// secret words of the bridge's file.
var secret = []string{"320 metres", "in 1932", "mayor"}

// expectSilence fails if a value that only the bridge's file holds is in a text.
func (s *story) expectSilence(where string, v any) {
	s.t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, word := range secret {
		if strings.Contains(string(b), word) {
			s.t.Errorf("%s holds %q: %s", where, word, b)
		}
	}
}

// promptsSince returns everything that models were given since a call.
func (s *story) promptsSince(n int) []any {
	var out []any
	for _, c := range s.models.Calls()[n:] {
		if c.Kind == "generate" || c.Kind == "embed" {
			out = append(out, c.Request.Messages, c.Request.Completion, c.Texts)
		}
	}
	return out
}

// After an answer its document is hidden, in each of the ways there are: the
// answer is shown no more, found by no search, in no title, and no model is told
// of it, whatever the engine and with the history of answers on.
func TestP68_AnOldTurnOfAHiddenDocumentIsToldToNobody(t *testing.T) {
	for name, hide := range map[string]func(s *story){
		"restricted file":       func(s *story) { s.Restrict(s.Path("bridge.md")) },
		"restricted folder":     func(s *story) { s.Restrict(s.docs) },
		"restricted collection": func(s *story) { s.Restrict("Town") },
		"forgotten": func(s *story) {
			if err := s.app.Remove(s.t.Context(), app.RemoveRequest{Paths: []string{s.docs}, Forget: true}); err != nil {
				s.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t, fake.Config{})
			s.Write(town)
			s.Add(app.AddRequest{Paths: []string{s.docs}, Collection: "Town"})
			s.Ask(howLong)
			s.FollowUp("condense_context", "When was it opened, and by whom?")
			if done, _ := last[rag.Done](s); !strings.Contains(done.Answer, "1932") && !strings.Contains(done.Answer, "320") {
				t.Fatalf("nothing to hide in %q", done.Answer)
			}
			hide(s)
			detail := s.Reloaded()
			s.expectSilence("the conversation", detail)
			for _, turn := range detail.Turns {
				if !turn.Withheld || turn.Done.AnswerCheck.Status != rag.CheckWithheld || !strings.Contains(turn.Done.Answer, "not shown any more") {
					t.Errorf("%+v", turn.Done)
				}
			}
			found, err := s.app.SearchConversations(t.Context(), "metres")
			if err != nil || len(found) != 0 {
				t.Errorf("a search finds %+v, %v", found, err)
			}
			before := len(s.models.Calls())
			s.Set(map[string]string{"chat.history": "12", "condense.gate": "false"})
			for engine, mode := range map[string]string{"simple": "generate", "expand": "strict", "condense_context": "generate", "blend": "quote", "research": "generate"} {
				_, err := s.AskWith(t.Context(), app.AskRequest{Question: "And how long is it now?", Conversation: s.conversation, Engine: engine, Mode: mode})
				if err != nil {
					t.Fatalf("%s %s: %v", engine, mode, err)
				}
				s.expectSilence(engine+" "+mode, s.events)
			}
			s.expectSilence("a prompt", s.promptsSince(before))
			s.Restart()
			s.expectSilence("the conversation after a restart", s.Reloaded())
			s.expectSilence("the list", s.ExpectConversations(1))
		})
	}
}

// The reverse proof: without hiding, the same calls do hold the values.
func TestP68_TheProofSeesWhatIsNotHidden(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	before := len(s.models.Calls())
	s.Set(map[string]string{"chat.history": "12"})
	s.FollowUp("condense_context", "When was it opened?")
	b, err := json.Marshal(s.promptsSince(before))
	if err != nil || !strings.Contains(string(b), "320 metres") {
		t.Errorf("the prompts hold nothing of the history: %s, %v", b, err)
	}
}

// ask, delete the file, ask in other words: not found, no citation; what the
// old answer said is in no prompt, and the question may still be referred to.
func TestR027R093_ADeletedFileIsNotAssertedFromTheConversation(t *testing.T) {
	parrot := func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Text: "The Harlow Bridge is 320 metres long [1]."}, role == inference.RoleAnswer && req.MaxTokens > 1 && req.Cache == inference.CacheReuse
	}
	s := newStory(t, fake.Config{Match: parrot})
	s.AddFolder(town)
	s.Ask(howLong)
	s.ExpectCited("bridge.md", 0, "320 metres")
	if err := os.Remove(s.Path("bridge.md")); err != nil {
		t.Fatal(err)
	}
	s.Eventually("the file's leaving the search", 3*time.Second, func() bool { return !s.finds("Harlow Bridge", "bridge.md") })
	s.Set(map[string]string{"chat.history": "12"})
	before := len(s.models.Calls())
	for _, engine := range []string{"simple", "expand", "condense_context", "blend"} {
		s.FollowUp(engine, "What length has the Harlow Bridge?")
		s.ExpectRefused()
		s.expectSilence(engine, s.events)
	}
	s.expectSilence("a prompt", s.promptsSince(before))
}
