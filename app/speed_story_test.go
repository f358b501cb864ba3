package app_test

import (
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
)

func TestStory_AModelIsTestedByAShortReply(t *testing.T) {
	s := newStory(t, fake.Config{})
	speed, err := s.app.TestModel(t.Context(), "answer")
	if err != nil || speed.Tokens == 0 || speed.Role != "answer" || speed.Reached != 0 {
		t.Errorf("%+v, %v", speed, err)
	}
	if _, err := s.app.TestModel(t.Context(), "embed"); err == nil || !strings.Contains(err.Error(), "Only models that write") {
		t.Errorf("got %v", err)
	}
}

func TestStory_WhereProgramsAreAnsweredIsTold(t *testing.T) {
	s := newStory(t, fake.Config{})
	if err := s.app.NoteServing(t.Context(), app.Serving{Address: "127.0.0.1:7337", Token: "not this"}); err != nil {
		t.Fatal(err)
	}
	first, err := s.app.Serving(t.Context())
	if err != nil || first.Address != "127.0.0.1:7337" || len(first.Token) != 64 {
		t.Fatalf("%+v, %v", first, err)
	}
	if err := s.app.RotateToken(t.Context()); err != nil {
		t.Fatal(err)
	}
	if next, err := s.app.Serving(t.Context()); err != nil || next.Token == first.Token {
		t.Errorf("the token stayed: %v", err)
	}
}
