package app_test

import (
	"errors"
	"testing"

	"referent/inference/fake"
	"referent/rag"
)

func TestStory_APinnedConversationLeadsTheList(t *testing.T) {
	s := newStory(t, fake.Config{})
	first, err := s.app.NewConversation(t.Context(), "first")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.app.NewConversation(t.Context(), "second"); err != nil {
		t.Fatal(err)
	}
	if err := s.app.PinConversation(t.Context(), first.ID, true); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	if all := s.ExpectConversations(2); all[0].ID != first.ID || !all[0].Pinned || all[1].Pinned {
		t.Errorf("%+v", all)
	}
	if err := s.app.PinConversation(t.Context(), first.ID, false); err != nil {
		t.Fatal(err)
	}
	if all := s.ExpectConversations(2); all[0].Pinned || all[1].Pinned {
		t.Errorf("%+v", all)
	}
	if err := s.app.DeleteConversation(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.app.PinConversation(t.Context(), first.ID, true); !errors.Is(err, &rag.Error{Code: rag.CodeUnknownConversation}) {
		t.Errorf("a deleted conversation: %v", err)
	}
}

func TestStory_NothingIsConnectedToByItself(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(town)
	s.Ask(howLong)
	if all, err := s.app.Connections(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}
