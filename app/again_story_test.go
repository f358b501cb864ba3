package app_test

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
)

// lastTurn is the newest stored turn of the story's conversation.
func (s *story) lastTurn() app.StoredTurn {
	s.t.Helper()
	turns := s.Reloaded().Turns
	if len(turns) == 0 {
		s.t.Fatal("no turn is stored")
	}
	return turns[len(turns)-1]
}

// Regenerate: the question of a turn again, with the history that it had then.
// With the same evidence nothing is searched; with a new search, what came into
// the library since is found.
func TestP62_RegenerateWithTheSameEvidenceOrANewSearch(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	s.FollowUp("condense_context", "When was it opened?")
	follow := s.lastTurn()
	searched := s.Prepared().SearchQuery
	s.FollowUp("", "What must the boiler pressure be?")
	s.Write(map[string]string{"plaque.md": "# Plaque\n\nThe Harlow Bridge was opened on a Monday in May.\n"})
	s.Sync()

	rewrites, embedded := s.models.rewrites(), s.models.Count("embed")
	done, err := s.AskWith(t.Context(), app.AskRequest{Again: &follow.ID, SameEvidence: true})
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Prepared(); p.SearchQuery != searched || p.Status != rag.StatusRewritten || p.OriginalQuery != "When was it opened?" || p.Engine != "condense_context" {
		t.Errorf("%+v", p)
	}
	if s.models.rewrites() != rewrites || s.models.Count("embed") != embedded {
		t.Error("the same evidence was searched again")
	}
	if got, want := chunks(s.Hits()), packedChunks(follow); !slices.Equal(got, want) {
		t.Errorf("evidence %v, want %v", got, want)
	}
	if done.Answer != follow.Done.Answer || *done.Conversation != *s.conversation {
		t.Errorf("%q in %d, want %q", done.Answer, *done.Conversation, follow.Done.Answer)
	}
	if got := s.Reloaded().Turns; len(got) != 4 || got[3].Question != "When was it opened?" {
		t.Errorf("%d turns", len(got))
	}

	if _, err := s.AskWith(t.Context(), app.AskRequest{Again: &follow.ID, Engine: "condense_context"}); err != nil {
		t.Fatal(err)
	}
	if p := s.Prepared(); p.HistoryMessagesUsed != 2 || strings.Contains(p.Searched(), "boiler") {
		t.Errorf("a later turn is in the history of an earlier one: %+v", p)
	}
	if !slices.ContainsFunc(s.Hits(), func(h rag.Hit) bool { return strings.HasSuffix(h.Path, "plaque.md") }) {
		t.Error("the new search does not find the new file")
	}

	// The person corrects what is searched.
	if _, err := s.AskWith(t.Context(), app.AskRequest{Again: &follow.ID, EditedQuery: "Harlow Bridge opened Monday May"}); err != nil {
		t.Fatal(err)
	}
	if p := s.Prepared(); p.Status != rag.StatusUserEdited || p.Searched() != "Harlow Bridge opened Monday May" || p.OriginalQuery != "When was it opened?" {
		t.Errorf("%+v", p)
	}
	unknown := int64(999)
	s.ExpectFails(app.AskRequest{Again: &unknown}, rag.CodeUnknownConversation)
	other, err := s.app.NewConversation(t.Context(), "other")
	if err != nil {
		t.Fatal(err)
	}
	s.ExpectFails(app.AskRequest{Again: &follow.ID, Conversation: &other.ID}, rag.CodeUnknownConversation)
}

func chunks(hits []rag.Hit) []int64 {
	var out []int64
	for _, h := range hits {
		out = append(out, h.Chunk)
	}
	return out
}

func packedChunks(t app.StoredTurn) []int64 {
	var out []int64
	for _, h := range t.Retrieval.Hits {
		if h.Packing == rag.Packed {
			out = append(out, h.Chunk)
		}
	}
	return out
}

// Earlier evidence is no evidence any more once it changed or is restricted.
func TestP62P68_TheSameEvidenceOnlyWhereItStillStands(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	turn := s.lastTurn()
	s.Write(map[string]string{"bridge.md": "# Harlow Bridge\n\nThe bridge was pulled down.\n"})
	now := time.Now().Add(-time.Minute)
	if err := os.Chtimes(s.Path("bridge.md"), now, now); err != nil {
		t.Fatal(err)
	}
	s.Sync()
	if _, err := s.AskWith(t.Context(), app.AskRequest{Again: &turn.ID, SameEvidence: true}); err != nil {
		t.Fatal(err)
	}
	s.ExpectRefused()
	retrieval, _ := last[rag.Retrieval](s)
	if len(retrieval.Notes) != 1 || !strings.Contains(retrieval.Notes[0], "no longer in the library") {
		t.Errorf("notes %q", retrieval.Notes)
	}
	if got := s.lastTurn().Retrieval.Notes; len(got) != 1 || got[0] != retrieval.Notes[0] {
		t.Errorf("stored notes %q", got)
	}
	s.Ask("What must the boiler pressure be?")
	turn = s.lastTurn()
	s.Restrict(s.Path("boiler.md"))
	if _, err := s.AskWith(t.Context(), app.AskRequest{Again: &turn.ID, SameEvidence: true}); err != nil {
		t.Fatal(err)
	}
	s.ExpectRefused()
	if all, _ := json.Marshal(s.events); strings.Contains(string(all), "1.5") {
		t.Errorf("restricted text in %s", all)
	}
}

// Branch at turn 1: what came later is no history, also of a rewrite.
func TestR119_ABranchDoesNotKnowWhatCameLater(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	source := *s.conversation
	s.FollowUp("", "What must the boiler pressure be?")
	branch, err := s.app.BranchConversation(t.Context(), source, 1)
	if err != nil || branch.Turns != 1 || branch.Title != howLong {
		t.Fatalf("%+v %v", branch, err)
	}
	s.conversation = &branch.ID
	s.FollowUp("condense_context", "When was it opened?")
	s.ExpectSearchedFor("Harlow Bridge")
	if p := s.Prepared(); p.HistoryMessagesUsed != 2 || strings.Contains(strings.ToLower(p.Searched()), "boiler") {
		t.Errorf("%+v", p)
	}
	s.conversation = &source
	if turns := s.Reloaded().Turns; len(turns) != 2 {
		t.Errorf("the source has %d turns", len(turns))
	}
	if _, err := s.app.BranchConversation(t.Context(), source, 9); !errors.Is(err, &rag.Error{Code: rag.CodeUnknownConversation}) {
		t.Errorf("a branch at no turn: %v", err)
	}
}

// A setting that cannot be followed is said in the turn, and kept with it.
func TestP60_NotesOfATurnAreShownAndKept(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Set(map[string]string{"retrieve.retriever": "reranked"})
	s.Ask(howLong)
	retrieval, _ := last[rag.Retrieval](s)
	if len(retrieval.Notes) != 1 || !strings.Contains(retrieval.Notes[0], "hybrid is used instead") {
		t.Errorf("%q", retrieval.Notes)
	}
	if got := s.lastTurn().Retrieval.Notes; !slices.Equal(got, retrieval.Notes) {
		t.Errorf("stored: %q", got)
	}
}
