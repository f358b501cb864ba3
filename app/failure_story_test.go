package app_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"referent/app"
	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// brokenRewrite answers normally and fails every rewrite as the script says.
func brokenRewrite(r fake.Reply) fake.Config {
	return fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		return r, role == inference.RoleCondense && req.MaxTokens > 1
	}}
}

func TestP18_FailurePoliciesInTheWholeProgram(t *testing.T) {
	died := &inference.Error{Kind: inference.ErrWorkerDied, Message: "The worker ended."}
	for _, c := range []struct {
		policy string
		reply  fake.Reply
		reason rag.Reason
		status rag.RewriteStatus
	}{
		{"expand", fake.Reply{Err: died}, rag.ReasonCallError, rag.StatusFailedExpanded},
		{"verbatim", fake.Reply{Err: died}, rag.ReasonCallError, rag.StatusFailedVerbatim},
		{"verbatim", fake.Reply{Text: " "}, rag.ReasonEmptyQuery, rag.StatusFailedVerbatim},
		{"verbatim", fake.Reply{Text: "When was the Harlow Bridge of 1745 opened?"}, rag.ReasonGuardRejected, rag.StatusFailedVerbatim},
		{"expand", fake.Reply{Text: strings.Repeat("When was the Harlow Bridge opened and ", 40)}, rag.ReasonTooLong, rag.StatusFailedExpanded},
	} {
		t.Run(c.policy+" "+string(c.reason), func(t *testing.T) {
			s := newStory(t, brokenRewrite(c.reply))
			s.AddFolder(town)
			s.Set(map[string]string{"condense.on_failure": c.policy})
			s.Ask(howLong)
			s.FollowUp("condense_context", "When was it opened?")
			p := s.Prepared()
			if p.Status != c.status || p.Reason != c.reason {
				t.Fatalf("%s %s, want %s %s", p.Status, p.Reason, c.status, c.reason)
			}
			if c.status == rag.StatusFailedVerbatim {
				s.ExpectSearchedYourWords(c.status)
			} else {
				s.ExpectSearchedFor("When was it opened?", "Harlow", "Bridge")
				s.ExpectCited("bridge.md", 0, "1932")
			}
			if run := s.LastRun(); run.Status != string(c.status) || run.Reason != app.Optional(c.reason) || run.Code != "" {
				t.Errorf("%+v", run)
			}
		})
	}
}

func TestP18_StopStoresNothingButTheRun(t *testing.T) {
	s := newStory(t, brokenRewrite(fake.Reply{Err: errors.New("strange")}))
	s.AddFolder(town)
	s.Set(map[string]string{"condense.on_failure": "stop"})
	s.Ask(howLong)
	before := len(s.models.answerPrompts())
	err := s.ExpectFails(app.AskRequest{Question: "When was it opened?", Engine: "condense_context", Conversation: s.conversation}, rag.CodeCondenseFailed)
	if err.Reason != rag.ReasonCallError || !strings.Contains(err.Hint, "search your own words") {
		t.Errorf("%+v", err)
	}
	if turns := s.Reloaded().Turns; len(turns) != 1 {
		t.Errorf("%d turns", len(turns))
	}
	if n := len(s.models.answerPrompts()); n != before {
		t.Error("the answer model was asked")
	}
	if run := s.LastRun(); run.Code != "condense_failed" || run.Reason != "call_error" || run.Turn != nil || run.Conversation == nil {
		t.Errorf("%+v", run)
	}
	// The two ways out that the error offers.
	done, again := s.AskWith(t.Context(), app.AskRequest{Question: "When was it opened?", Engine: "condense_context", Conversation: s.conversation, OwnWords: true})
	if again != nil || done.Turn == nil {
		t.Fatal(again)
	}
	s.ExpectSearchedYourWords(rag.StatusUserWords)
	if _, err := s.AskWith(t.Context(), app.AskRequest{Question: "When was it opened?", Engine: "condense_context", Conversation: s.conversation,
		EditedQuery: "Harlow Bridge opened"}); err != nil {
		t.Fatal(err)
	}
	s.ExpectSearchedFor("Harlow Bridge opened")
	s.ExpectCited("bridge.md", 0, "1932")
}

func TestP18_StopInANewConversationLeavesNoConversation(t *testing.T) {
	s := newStory(t, brokenRewrite(fake.Reply{Err: errors.New("strange")}))
	s.AddFolder(town)
	s.ExpectFails(app.AskRequest{Question: "When was it opened?", Engine: "condense_context", Set: map[string]string{"condense.on_failure": "stop"},
		History: []rag.Message{{Role: "user", Text: howLong}}}, rag.CodeCondenseFailed)
	s.ExpectConversations(0)
}

func TestP21_CancelStoresNothingAndTheRunSaysCancelled(t *testing.T) {
	for _, c := range []struct {
		name  string
		role  inference.Role
		phase fake.Phase
		after int
	}{
		{"loading", inference.RoleAnswer, fake.PhaseLoad, 3}, {"the rewrite", inference.RoleCondense, fake.PhaseDecode, 2},
		{"the search", inference.RoleEmbed, fake.PhaseEmbed, 0}, {"reading the prompt", inference.RoleAnswer, fake.PhasePrefill, 0},
		{"the answer", inference.RoleAnswer, fake.PhaseDecode, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			var armed atomic.Bool
			s := newStory(t, fake.Config{Step: func(ctx context.Context, step fake.Step) error {
				if armed.Load() && step.Role == c.role && step.Phase == c.phase && step.N == c.after {
					cancel()
				}
				return ctx.Err()
			}})
			s.AddFolder(town)
			if c.phase != fake.PhaseLoad {
				s.Ask(howLong) // everything is loaded and warm
			} else {
				for _, role := range []string{"answer", "condense"} {
					if err := s.app.UnloadModel(t.Context(), role); err != nil {
						t.Fatal(err)
					}
				}
			}
			armed.Store(true)
			req := app.AskRequest{Question: "When was it opened?", Engine: "condense_context", Conversation: s.conversation,
				History: []rag.Message{{Role: "user", Text: howLong}}}
			before := len(s.ExpectConversations(map[bool]int{true: 0, false: 1}[c.phase == fake.PhaseLoad]))
			_, err := s.AskWith(ctx, req)
			armed.Store(false)
			if !errors.Is(err, &rag.Error{Code: rag.CodeCancelled}) {
				t.Fatalf("ended with %v", err)
			}
			s.ExpectConversations(before)
			if before == 1 && len(s.Reloaded().Turns) != 1 {
				t.Error("a turn was stored")
			}
			if run := s.LastRun(); run.Code != "cancelled" || run.Turn != nil {
				t.Errorf("%+v", run)
			}
			// The next question is answered as if nothing had happened.
			if _, err := s.AskWith(t.Context(), app.AskRequest{Question: howLong}); err != nil {
				t.Errorf("the next question: %v", err)
			}
		})
	}
}

func TestStory_AModelThatDiesInTheAnswerFailsOnlyItsTurn(t *testing.T) {
	var healthy atomic.Bool
	s := newStory(t, fake.Config{Match: func(role inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Text: "The Harlow Bridge is long.", Die: true, After: 2}, !healthy.Load() && role == inference.RoleAnswer && req.MaxTokens > 1
	}})
	s.AddFolder(town)
	s.ExpectFails(app.AskRequest{Question: howLong}, rag.CodeModelFailed)
	if run := s.LastRun(); run.Code != "model_failed" || run.Turn != nil {
		t.Errorf("%+v", run)
	}
	s.ExpectConversations(0)
	healthy.Store(true)
	s.Ask(howLong)
	s.ExpectCited("bridge.md", 0, "320 metres")
}

func TestStory_GivenHistoryStoresNothing(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	done, err := s.AskWith(t.Context(), app.AskRequest{Question: "When was it opened?", Engine: "condense_context", GivenHistory: true,
		History: []rag.Message{{Role: "user", Text: howLong}, {Role: "assistant", Text: "320 metres [1]."}}})
	if err != nil || done.Conversation != nil || done.Turn != nil {
		t.Fatalf("%+v, %v", done, err)
	}
	s.ExpectSearchedFor("Harlow Bridge")
	if _, err := s.AskWith(t.Context(), app.AskRequest{Question: howLong, NoStore: true}); err != nil {
		t.Fatal(err)
	}
	s.ExpectConversations(0)
	if runs, err := s.app.Runs(t.Context(), 10); err != nil || len(runs) != 0 {
		t.Errorf("%+v, %v", runs, err)
	}
}
