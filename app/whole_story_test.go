package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// A question about a document reads the document, cites it, and is stored like
// any other; a restricted one is not there to be read.
func TestR095P68_AQuestionAboutADocument(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	done := s.Ask("What is the boiler manual about?")
	s.ExpectCited("boiler.md", 0, "1.5 bar")
	for _, h := range s.Hits() {
		if !strings.HasSuffix(h.Path, "boiler.md") {
			t.Errorf("it read %s", h.Path)
		}
	}
	if retrieval, _ := last[rag.Retrieval](s); len(retrieval.Notes) != 1 || !strings.Contains(retrieval.Notes[0], "read as a whole") {
		t.Errorf("notes %q", retrieval.Notes)
	}
	if turn := s.lastTurn(); turn.Done.Answer != done.Answer || len(turn.Retrieval.Notes) != 1 || len(turn.Retrieval.Hits) != len(s.Hits()) {
		t.Errorf("stored %+v", turn)
	}
	if _, err := s.AskWith(t.Context(), app.AskRequest{Question: "Comment on this document", Scope: rag.Scope{PathUnder: s.Path("bridge.md")}}); err != nil {
		t.Fatal(err)
	}
	s.ExpectCited("bridge.md", 0, "320 metres")

	s.Restrict(s.Path("boiler.md"))
	for _, q := range []string{"What is the boiler manual about?", "Summarise boiler.md"} {
		s.Ask(q)
		if all, _ := json.Marshal(s.events); strings.Contains(string(all), "1.5 bar") {
			t.Errorf("%q reads a restricted document: %s", q, all)
		}
	}
}

// A library of one document: "this document" is that one.
func TestR095_TheOnlyDocument(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(map[string]string{"bridge.md": town["bridge.md"]})
	s.Ask("Comment on this document")
	s.ExpectCited("bridge.md", 0, "320 metres")
}
