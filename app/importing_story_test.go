package app_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// exported is the open conversation as the export to JSON writes it.
func (s *story) exported() (app.ConversationDetail, string) {
	s.t.Helper()
	d := s.Reloaded()
	body, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		s.t.Fatal(err)
	}
	return d, string(body)
}

// imported takes a text in and returns what it became.
func (s *story) imported(text string) app.ConversationDetail {
	s.t.Helper()
	c, err := s.app.ImportConversation(s.t.Context(), text)
	if err != nil {
		s.t.Fatal(err)
	}
	d, err := s.app.Conversation(s.t.Context(), c.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

// forgetNumbers takes out of a turn what names documents and chunks.
func forgetNumbers(turn *app.StoredTurn) {
	for i := range turn.Retrieval.Hits {
		turn.Retrieval.Hits[i].Chunk, turn.Retrieval.Hits[i].Document = 0, 0
	}
	for i := range turn.Done.Citations {
		turn.Done.Citations[i].Chunk = 0
	}
	for i := range turn.Done.Sources {
		turn.Done.Sources[i].Chunk, turn.Done.Sources[i].Document = 0, 0
	}
}

func TestStory_AnExportedConversationComesBackWhole(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(map[string]string{"garden.txt": "The compost is turned in March.", "house.txt": "The boiler hums in the cellar."})
	s.Ask("When is the compost turned?")
	s.FollowUp("simple", "Where does the boiler hum?")
	d, text := s.exported()
	_, about, err := app.ReadConversation([]byte(text))
	if err != nil || about.Turns != 2 || about.Passages == 0 || about.Questions[1] != "Where does the boiler hum?" || about.Title != d.Conversation.Title {
		t.Fatalf("%+v, %v", about, err)
	}
	back := s.imported(text)
	if back.Conversation.ID == d.Conversation.ID || back.Conversation.Title != d.Conversation.Title {
		t.Errorf("became %+v", back.Conversation)
	}
	for i, was := range d.Turns {
		is := back.Turns[i]
		chunks := map[int64]bool{}
		for _, h := range is.Retrieval.Hits {
			if h.Chunk >= 0 || h.Document >= 0 || chunks[h.Chunk] {
				t.Errorf("a passage has the number %d of document %d", h.Chunk, h.Document)
			}
			chunks[h.Chunk] = true
		}
		for _, c := range is.Done.Citations {
			if !chunks[c.Chunk] {
				t.Errorf("a citation names passage %d", c.Chunk)
			}
		}
		forgetNumbers(&was) // passages of a file belong to no document here
		forgetNumbers(&is)
		is.ID, is.Done.Turn, is.Done.Conversation, is.Gone = was.ID, was.Done.Turn, was.Done.Conversation, was.Gone
		if asJSON(t, is) != asJSON(t, was) {
			t.Errorf("turn %d became\n%s, was\n%s", i+1, asJSON(t, is), asJSON(t, was))
		}
	}
	s.ExpectConversations(2)
}

// What is restricted here stays so, also when a file brings it back.
func TestStory_AnImportTellsNothingRestricted(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(map[string]string{"garden.txt": "The compost is turned in March."})
	s.Ask("When is the compost turned?")
	_, text := s.exported()
	s.Restrict(s.Path("garden.txt"))
	s.Sync()
	back := s.imported(text)
	if !back.Turns[0].Withheld || strings.Contains(back.Turns[0].Done.Answer, "March") {
		t.Errorf("told %q", back.Turns[0].Done.Answer)
	}
	for _, h := range back.Turns[0].Retrieval.Hits {
		if h.Text != "" {
			t.Errorf("a passage came back: %q", h.Text)
		}
	}
}

func TestReadConversation_SaysWhyAFileIsNone(t *testing.T) {
	turn := `{"question":"Why?","created":"2026-01-02T10:00:00Z","prepared":{},"retrieval":{"hits":[{"n":1},{"n":1}]},"done":{}}`
	for body, want := range map[string]string{
		"hello":                          "not what the export to JSON writes",
		`{"turns":[]}`:                   "It holds 0 questions",
		`{"turns":[` + turn + `]}`:       "two passages with one number",
		`{"turns":[{"question":"  "}]}`:  "Question 1 is empty",
		`{"turns":[{"question":"Why"}]}`: "Question 1 has no time",
		`{"turns":[{"question":"` + strings.Repeat("a", 1<<20+1) + `"}]}`: "longer than 1 MB",
	} {
		_, _, err := app.ReadConversation([]byte(body))
		var known *rag.Error
		if !errors.As(err, &known) || !strings.Contains(known.Message, want) || known.Hint == "" {
			t.Errorf("%.60s: %v, want %q", body, err, want)
		}
	}
}

func FuzzReadConversation(f *testing.F) {
	f.Add([]byte(`{"conversation":{"title":"A"},"turns":[{"question":"Why?","created":"2026-01-02T10:00:00Z","prepared":{},"retrieval":{"hits":[]},"done":{}}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		_, about, err := app.ReadConversation(body)
		if err == nil && (about.Turns == 0 || len(about.Questions) != about.Turns) {
			t.Errorf("%+v", about)
		}
	})
}
