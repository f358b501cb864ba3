package chunk

import (
	"testing"

	"referent/rag"
)

// TestQuotationsOfTwoMessagesStayApart: a chunk is cited with one message.
func TestQuotationsOfTwoMessagesStayApart(t *testing.T) {
	in := func(message string, b rag.Block) rag.Block {
		b.Locator = rag.Locator{Message: message}
		return b
	}
	quoted := rag.Block{Kind: rag.BlockNote, Text: "May I paint the wall?"}
	chunks, _ := Split(build("", "", in("1", heading(1, "Keys")), in("1", words(9, "Keys")), in("2", heading(1, "Wall")), in("2", words(9, "Wall")), in("1", quoted), in("2", quoted)), "a.mbox")
	want := []string{"1", "2", "1", "2"}
	if len(chunks) != len(want) {
		t.Fatalf("%d chunks: %q", len(chunks), texts(chunks))
	}
	for i, c := range chunks {
		if c.Locator.Message != want[i] || c.LowRank != (i > 1) {
			t.Errorf("chunk %d of message %s, low %v: %q", i, c.Locator.Message, c.LowRank, c.Text)
		}
	}
}
