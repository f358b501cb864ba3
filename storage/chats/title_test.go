package chats

import "testing"

func TestReplaceTitle_OnlyTheOldOneIsReplaced(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	c, err := s.CreateConversation(t.Context(), Conversation{Title: "question"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		id         int64
		old, title string
		changed    bool
		want       string
	}{
		{c.ID, "question", "short", true, "short"},
		{c.ID, "question", "late", false, "short"}, // someone was faster
		{c.ID + 1, "short", "other", false, "short"},
	} {
		changed, err := s.ReplaceTitle(t.Context(), test.id, test.old, test.title)
		if err != nil || changed != test.changed {
			t.Errorf("%+v: %v, %v", test, changed, err)
		}
		if got, _, err := s.Conversation(t.Context(), c.ID); err != nil || got.Title != test.want {
			t.Errorf("%+v: %q, %v", test, got.Title, err)
		}
	}
}
