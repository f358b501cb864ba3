package app_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/fake"
)

const longQuestion = "How long is the Harlow Bridge, and who measured it with which instrument in which year?"

// inWindow opens the story's program again as the window does, with a model
// that writes a title.
func inWindow(t *testing.T, title string) *story {
	t.Helper()
	var asked atomic.Int32
	s := newStory(t, fake.Config{Match: func(_ inference.Role, req inference.GenerateRequest) (fake.Reply, bool) {
		if len(req.Messages) == 1 && strings.Contains(req.Messages[0].Text, "Write only the title.") {
			asked.Add(1)
			return fake.Reply{Text: title}, true
		}
		return fake.Reply{}, false
	}})
	s.config.Window = true
	s.Restart()
	s.AddFolder(town)
	t.Cleanup(func() {
		if n := asked.Load(); n > 1 {
			t.Errorf("%d titles were asked for", n)
		}
	})
	return s
}

func TestTitles_ALongQuestionGetsAShortTitleInTheBackground(t *testing.T) {
	s := inWindow(t, "Instrument of the Harlow Bridge")
	s.Ask(longQuestion)
	s.Eventually("the title", 10*time.Second, func() bool { return s.ExpectConversations(1)[0].Title == "Instrument of the Harlow Bridge" })
	s.FollowUp("", "When was it opened?")
	s.Restart()
	if got := s.ExpectConversations(1)[0].Title; got != "Instrument of the Harlow Bridge" {
		t.Errorf("%q", got)
	}
}

// The title that is there is the question; a short one and one that the person
// gave stay, and so does the question where the model invents.
func TestTitles_WhatStays(t *testing.T) {
	s := inWindow(t, "320 metres of steel")
	s.Ask(howLong)
	s.Ask(longQuestion)
	s.Restart() // waits for what runs
	for _, c := range s.ExpectConversations(2) {
		if c.Title != howLong && !strings.HasPrefix(c.Title, "How long is the Harlow Bridge, and who") {
			t.Errorf("%q", c.Title)
		}
	}
}

func TestTitles_ACommandWritesNone(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(longQuestion)
	if n := len(s.models.answerPrompts()); n != 1 {
		t.Errorf("%d prompts, want the answer's", n)
	}
	if _, err := s.app.Conversations(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
}
