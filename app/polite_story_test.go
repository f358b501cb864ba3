package app_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"referent/app"
	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// endless is a model whose reply with the number hold stops before its fourth
// token and says so; it never ends by itself.
type endless struct {
	role inference.Role
	hold int

	mu      sync.Mutex
	replies int
	reached chan struct{}
}

func newEndless(role inference.Role, hold int) *endless {
	return &endless{role: role, hold: hold, reached: make(chan struct{})}
}

func (m *endless) step(ctx context.Context, s fake.Step) error {
	if s.Phase != fake.PhaseDecode || s.Role != m.role {
		return ctx.Err()
	}
	m.mu.Lock()
	if s.N == 0 {
		m.replies++
	}
	held := m.replies == m.hold && s.N == 3
	m.mu.Unlock()
	if held {
		close(m.reached)
		<-ctx.Done()
	}
	return ctx.Err()
}

// heard is the order in which the words of several turns came.
type heard struct {
	mu    sync.Mutex
	order []string
	text  map[string]string
}

func (h *heard) from(who string) func(rag.Event) {
	return func(e rag.Event) {
		h.mu.Lock()
		defer h.mu.Unlock()
		switch e := e.(type) {
		case rag.Token:
			h.text[who] += e.Text
		case rag.Done:
			h.text[who+" at the end"] = e.Answer
		default:
			return
		}
		if n := len(h.order); n == 0 || h.order[n-1] != who {
			h.order = append(h.order, who)
		}
	}
}

var harlow = map[string]string{"bridge.md": "# Harlow Bridge\n\nThe Harlow Bridge is 320 metres long.\n\n" +
	"## History\n\nThe Harlow Bridge was opened in 1932 by the mayor.\n"}

const howLongIsIt = "How long is the Harlow Bridge?"

// An answer for another program that is being written makes way for the person,
// and goes on behind its own text when the person has theirs.
func TestPolite_AGuestsAnswerMakesWayAndGoesOn(t *testing.T) {
	alone := newStory(t, fake.Config{})
	alone.AddFolder(harlow)
	want, err := alone.AskWith(t.Context(), app.AskRequest{Question: howLongIsIt, NoStore: true, Mode: "generate"})
	if err != nil {
		t.Fatal(err)
	}
	var m *endless
	s := newStory(t, fake.Config{Step: func(ctx context.Context, s fake.Step) error { return m.step(ctx, s) }})
	m = newEndless(inference.RoleAnswer, 2) // the first is the warm-up
	s.AddFolder(harlow)
	h := &heard{text: map[string]string{}}
	ended := make(chan error, 1)
	go func() {
		ended <- s.app.Ask(t.Context(), app.AskRequest{Question: howLongIsIt, NoStore: true, Mode: "generate", Guest: true}, h.from("guest"))
	}()
	<-m.reached
	when := app.AskRequest{Question: "When was the Harlow Bridge opened?", NoStore: true, Mode: "generate"}
	if err := s.app.Ask(t.Context(), when, h.from("person")); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(h.order, []string{"guest", "person", "guest"}) {
		t.Errorf("the words came from %v", h.order)
	}
	if got := h.text["guest at the end"]; got != want.Answer || !strings.HasPrefix(got, strings.TrimSpace(h.text["guest"])) {
		t.Errorf("the guest was answered %q (streamed %q), alone it is %q", got, h.text["guest"], want.Answer)
	}
	var prefills []string
	for _, c := range s.models.Calls() {
		if c.Kind == "generate" && c.Role == inference.RoleAnswer && c.Request.MaxTokens > 1 {
			prefills = append(prefills, c.Request.Prefill)
		}
	}
	if len(prefills) != 3 || prefills[0] != "" || prefills[1] != "" || prefills[2] == "" || !strings.HasPrefix(want.Answer, strings.TrimSpace(prefills[2])) {
		t.Errorf("the replies began with %q", prefills)
	}
}

// A rewrite for another program makes way too, also for a search of the person;
// the time that it stood aside is no reason to give it up.
func TestPolite_AGuestsRewriteMakesWayAndIsNotLate(t *testing.T) {
	var m *endless
	s := newStory(t, fake.Config{Step: func(ctx context.Context, s fake.Step) error { return m.step(ctx, s) }})
	m = newEndless(inference.RoleCondense, 2)
	s.AddFolder(harlow)
	past := []rag.Message{{Role: "user", Text: howLongIsIt}, {Role: "assistant", Text: "The Harlow Bridge is 320 metres long [1]."}}
	req := app.AskRequest{Question: "When was it opened?", Engine: "condense_context", History: past, GivenHistory: true, NoStore: true, Guest: true}
	type result struct {
		p   rag.Prepared
		err error
	}
	ended := make(chan result, 1)
	go func() {
		p, err := s.app.Prepare(t.Context(), req)
		ended <- result{p, err}
	}()
	<-m.reached
	if _, err := s.app.Search(t.Context(), app.AskRequest{Question: howLongIsIt}); err != nil {
		t.Fatal(err)
	}
	got := <-ended
	if got.err != nil || got.p.Status != rag.StatusRewritten || !strings.Contains(got.p.SearchQuery, "Harlow Bridge") {
		t.Errorf("%v %+v", got.err, got.p)
	}
}

// A guest that gives up while it stands aside leaves nothing behind.
func TestPolite_AGuestThatGoesWhileItStandsAside(t *testing.T) {
	var m *endless
	var asks, goesOn chan struct{}
	s := newStory(t, fake.Config{Step: func(ctx context.Context, s fake.Step) error {
		if err := m.step(ctx, s); err != nil {
			return err
		}
		if s.Phase == fake.PhaseEmbed && asks != nil { // of the person's turn
			close(asks)
			<-goesOn
			asks = nil
		}
		return nil
	}})
	m = newEndless(inference.RoleAnswer, 2)
	s.AddFolder(harlow)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- s.app.Ask(ctx, app.AskRequest{Question: howLongIsIt, Mode: "generate", Guest: true}, func(rag.Event) {})
	}()
	<-m.reached
	asks, goesOn = make(chan struct{}), make(chan struct{})
	begun := asks
	answered := make(chan error, 1)
	go func() {
		answered <- s.app.Ask(t.Context(), app.AskRequest{Question: howLongIsIt, NoStore: true, Mode: "generate"}, func(rag.Event) {})
	}()
	<-begun
	cancel()
	var e *rag.Error
	if err := <-ended; !errors.As(err, &e) || e.Code != rag.CodeCancelled {
		t.Errorf("%v", err)
	}
	close(goesOn)
	if err := <-answered; err != nil {
		t.Error(err)
	}
	if all, err := s.app.Conversations(t.Context(), 0); err != nil || len(all) != 0 {
		t.Errorf("%v %+v", err, all)
	}
}
