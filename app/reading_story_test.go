package app_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// number finds the number of a document by its name.
func (s *story) number(name string) int64 {
	s.t.Helper()
	files, err := s.app.Files(s.t.Context(), app.FilesRequest{Search: name})
	if err != nil || len(files.Files) != 1 {
		s.t.Fatalf("%s: %v, %+v", name, err, files)
	}
	return files.Files[0].ID
}

func (s *story) Read(name string) app.DocumentText {
	s.t.Helper()
	d, err := s.app.DocumentText(s.t.Context(), s.number(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

// What the Reader opens tells where each passage stands, so that a passage that
// an answer rests on is found again by its content.
func TestReading_PartsLieInTheTextAndMatchTheEvidence(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(map[string]string{"prices.csv": "Flat,Rent\nA,810\nB,795\n", "boiler.md": town["boiler.md"]})
	d := s.Read("prices.csv")
	if d.Kind != "csv" || d.Label != "public" || d.State != app.FileSame || d.Version == "" || len(d.Parts) == 0 {
		t.Fatalf("%+v", d)
	}
	if at := d.Parts[0].Locator; at.LineFrom != 1 || at.LineTo != 3 {
		t.Errorf("the table stands at %+v", at)
	}
	boiler := s.Read("boiler.md")
	runes, end := []rune(boiler.Text), 0
	for _, p := range boiler.Parts {
		if p.Start < end || p.Start+p.Length > len(runes) || len(p.Locator.Rects) > 0 {
			t.Errorf("part %+v after %d in a text of %d", p, end, len(runes))
		}
		end = p.Start + p.Length
	}
	s.Ask("What pressure does the boiler have?")
	for _, h := range s.Hits() {
		if h.Document != s.number("boiler.md") {
			continue
		}
		if !slices.ContainsFunc(boiler.Parts, func(p app.Part) bool {
			return p.ContentHash == h.ContentHash && string(runes[p.Start:p.Start+p.Length]) == h.Text
		}) {
			t.Errorf("the passage %q is in no part", h.Text)
		}
	}
}

func TestReading_TellsWhetherTheFileIsStillTheSame(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	id := s.number("boiler.md")
	if err := s.app.SetPaused(t.Context(), true); err != nil { // as between a change and its reading
		t.Fatal(err)
	}
	before := s.Read("boiler.md")
	if err := os.WriteFile(s.Path("boiler.md"), []byte("# Another\n\nWords that are new.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	after, err := s.app.DocumentText(t.Context(), id)
	if err != nil || after.State != app.FileChanged || after.Version == before.Version || after.Text != before.Text {
		t.Errorf("changed: %v, state %s, text %q", err, after.State, after.Text)
	}
	if err := os.Remove(s.Path("boiler.md")); err != nil {
		t.Fatal(err)
	}
	gone, err := s.app.DocumentText(t.Context(), id)
	if err != nil || gone.State != app.FileGone || gone.Version != "" || !strings.Contains(gone.Text, "1.5 bar") {
		t.Errorf("gone: %v, state %s, text %q", err, gone.State, gone.Text)
	}
}

// The owner may read a restricted document in the window, where it is marked.
func TestReading_ARestrictedDocumentSaysSo(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Restrict(s.Path("boiler.md"))
	if d := s.Read("boiler.md"); d.Label != "restricted" || len(d.Parts) == 0 || !strings.Contains(d.Text, "1.5 bar") {
		t.Errorf("label %s, %d parts", d.Label, len(d.Parts))
	}
	f, err := s.app.DocumentFile(t.Context(), s.number("boiler.md"))
	if err != nil || f != (app.DocumentFile{Path: s.Path("boiler.md"), Kind: "markdown"}) {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := s.app.DocumentFile(t.Context(), 999); !errors.Is(err, &rag.Error{Code: rag.CodeUnknownDocument}) {
		t.Errorf("an unknown number: %v", err)
	}
}
