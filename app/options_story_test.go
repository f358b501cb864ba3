package app_test

import (
	"errors"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// choose stores the options of the story's conversation.
func (s *story) choose(o app.ConversationOptions) {
	s.t.Helper()
	if err := s.app.SetConversationOptions(s.t.Context(), *s.conversation, o); err != nil {
		s.t.Fatal(err)
	}
}

func number(n int) *int { return &n }

// P-65 for engine, mode and history: kill switch, request, conversation, stored
// setting, default. P-61: what was chosen for a conversation is stored and read.
func TestP61P65_AConversationBeatsTheSettingAndTheRequestBeatsBoth(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	follow := "When was it opened?"

	s.FollowUp("", follow)
	if p := s.Prepared(); p.Engine != "expand" { // the default
		t.Errorf("default: %s", p.Engine)
	}
	s.Set(map[string]string{"chat.engine": "blend", "chat.mode": "quote", "chat.history": "2"})
	done := s.FollowUp("", follow)
	if p := s.Prepared(); p.Engine != "blend" || done.Mode != rag.ModeQuote {
		t.Errorf("stored: %s %s", p.Engine, done.Mode)
	}
	chosen := app.ConversationOptions{Engine: "condense_context", Mode: "strict", History: number(4)}
	s.choose(chosen)
	s.Restart()
	if o := s.Reloaded().Conversation.Options; o.Engine != "condense_context" || o.Mode != "strict" || o.History == nil || *o.History != 4 {
		t.Errorf("after a restart: %+v", o)
	}
	done = s.FollowUp("", follow)
	if p := s.Prepared(); p.Engine != "condense_context" || p.Status != rag.StatusRewritten || done.Mode != rag.ModeStrict {
		t.Errorf("conversation: %+v %s", p, done.Mode)
	}
	if n := s.messagesOfTheAnswer(); n != 2+4 {
		t.Errorf("conversation: the answer model saw %d messages, want system, four of history and the question", n)
	}
	done, err := s.AskWith(t.Context(), app.AskRequest{Question: follow, Conversation: s.conversation, Engine: "simple", Mode: "generate", Set: map[string]string{"chat.history": "0"}})
	if err != nil || s.Prepared().Engine != "simple" || done.Mode != rag.ModeGenerate || s.messagesOfTheAnswer() != 2 {
		t.Errorf("request: %s %s, %d messages, %v", s.Prepared().Engine, done.Mode, s.messagesOfTheAnswer(), err)
	}
	s.Set(map[string]string{"condense.enabled": "false"})
	s.FollowUp("", follow)
	if p := s.Prepared(); p.Status != rag.StatusDisabled || p.Engine != "condense_context" {
		t.Errorf("kill switch: %s %s", p.Status, p.Engine)
	}
	s.Set(map[string]string{"condense.enabled": "true"})
	s.choose(app.ConversationOptions{}) // the stored settings again
	done = s.FollowUp("", follow)
	if p := s.Prepared(); p.Engine != "blend" || done.Mode != rag.ModeQuote {
		t.Errorf("reset: %s %s", p.Engine, done.Mode)
	}
}

// messagesOfTheAnswer counts the messages of the last call that wrote an answer.
func (s *story) messagesOfTheAnswer() int {
	n := 0
	for _, c := range s.models.Calls() {
		if c.Kind == "generate" && c.Role == "answer" && c.Request.MaxTokens > 1 && len(c.Request.Messages) > 0 {
			n = len(c.Request.Messages)
		}
	}
	return n
}

func TestP65_OptionsAreTakenAsAWholeOrNotAtAll(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	s.choose(app.ConversationOptions{Engine: "expand"})
	for _, o := range []app.ConversationOptions{{Engine: "oracle", Mode: "quote"}, {Engine: "simple", Mode: "sing"}, {Engine: "simple", History: number(99)}, {History: number(-1)}} {
		if err := s.app.SetConversationOptions(t.Context(), *s.conversation, o); !errors.Is(err, &rag.Error{Code: rag.CodeInvalidSetting}) {
			t.Errorf("%+v: %v", o, err)
		}
		if got := s.Reloaded().Conversation.Options; got.Engine != "expand" || got.Mode != "" || got.History != nil {
			t.Errorf("%+v left %+v", o, got)
		}
	}
	if err := s.app.SetConversationOptions(t.Context(), 99, app.ConversationOptions{}); !errors.Is(err, &rag.Error{Code: rag.CodeUnknownConversation}) {
		t.Error(err)
	}
}

// Two chats with a scope of their own, five times in turn, without saying it
// again; a scope in the request goes before.
func TestR011_EachChatStaysInItsScope(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.Write(town)
	s.Add(app.AddRequest{Paths: []string{s.Path("rules")}, Collection: "Rules"})
	s.Add(app.AddRequest{Paths: []string{s.Path("bridge.md"), s.Path("boiler.md")}, Collection: "Manuals"})
	chats := map[string]int64{}
	for _, name := range []string{"Rules", "Manuals"} {
		c, err := s.app.NewConversation(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		chats[name] = c.ID
		s.conversation = &c.ID
		s.choose(app.ConversationOptions{Scope: rag.Scope{Collections: []string{name}}})
	}
	s.Restart()
	for range 5 {
		for name, id := range chats {
			s.conversation = &id
			s.FollowUp("", "Is the garden watered, and how long is the Harlow Bridge with its boiler pressure?")
			for _, h := range s.Hits() {
				if inRules := strings.Contains(h.Path, "rules"); inRules != (name == "Rules") {
					t.Errorf("%s shows %s", name, h.Path)
				}
			}
		}
	}
	rules := chats["Rules"]
	s.conversation = &rules
	s.FollowUp("", howLong)
	s.ExpectRefused()
	if _, err := s.AskWith(t.Context(), app.AskRequest{Question: howLong, Conversation: &rules, Scope: rag.Scope{Collections: []string{"Manuals"}}}); err != nil {
		t.Fatal(err)
	}
	s.ExpectCited("bridge.md", 0, "320 metres")
}
