package chats

import "testing"

func TestP63_AFirstTurnComesWithItsConversationOrNotAtAll(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	turn, err := s.SaveFirstTurn(t.Context(), Conversation{Title: "T"}, Turn{Question: "Q", Answer: "A"})
	if err != nil || turn.Ordinal != 1 {
		t.Fatalf("%+v, %v", turn, err)
	}
	if c, ok, err := s.Conversation(t.Context(), turn.Conversation); err != nil || !ok || c.Title != "T" || c.Turns != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	twice := []Evidence{{Rank: 1}, {Rank: 1}} // two rows of one rank cannot be stored
	if _, err := s.SaveFirstTurn(t.Context(), Conversation{Title: "U"}, Turn{Question: "Q", Answer: "A", Evidence: twice}); err == nil {
		t.Fatal("it was stored")
	}
	if all, err := s.Conversations(t.Context(), 0, 0); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}
