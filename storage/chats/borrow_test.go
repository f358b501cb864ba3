package chats

import (
	"os"
	"strings"
	"testing"
)

// borrowing keeps a conversation of four turns: an answer that rests on document
// 7, one whose rewrite took its words and that rests on document 8, one that saw
// no history, and one before them all. It returns the last two.
func (b *book) borrowing() (borrows, own Turn) {
	b.t.Helper()
	c := b.conversation("T")
	save := func(document int64, used int, word string) Turn {
		t, err := b.SaveTurn(b.t.Context(), Turn{Conversation: c.ID, Question: "q", Answer: "a [1]", SearchQuery: &word, SearchQueries: []string{"the " + word},
			RerankQuery: word + "s", AddedWords: `["` + word + `"]`, Filters: `[{"value":["` + word + `"]}]`, Warnings: `["` + word + `"]`, Detail: `{"detail":"` + word + `"}`,
			HistoryUsed: &used, Sources: `[{"document":8,"path":"/kept"}]`, Evidence: []Evidence{{N: 1, Document: document, Text: "text"}}})
		b.ok(err)
		return t
	}
	save(6, 2, "earlier")
	save(7, 0, "zebra")
	return save(8, 2, "zebra"), save(8, 0, "kept")
}

// expectUnsearched fails unless nothing is told of how a turn was searched, while
// its answer stays.
func (b *book) expectUnsearched(id int64) {
	b.t.Helper()
	t, _, err := b.Turn(b.t.Context(), id)
	b.ok(err)
	if t.SearchQuery != nil || t.SearchQueries != nil || t.RerankQuery+t.AddedWords+t.Filters+t.Warnings+t.Detail != "" {
		b.t.Errorf("it still tells how it was searched: %+v", t)
	}
	if t.Withheld || t.Answer != "a [1]" || !strings.Contains(t.Sources, "/kept") || t.Evidence[0].Text != "text" {
		b.t.Errorf("its answer is gone: %+v", t)
	}
}

func TestP68_ARewriteLosesTheWordsOfAForgottenAnswer(t *testing.T) {
	b := newBook(t)
	borrows, own := b.borrowing()
	b.ok(b.ForgetDocument(t.Context(), 7))
	b.expectUnsearched(borrows.ID)
	turns, err := b.Turns(t.Context(), own.Conversation)
	b.ok(err)
	if first, last := turns[0], turns[3]; *first.SearchQuery != "earlier" || *last.SearchQuery != "kept" || last.Detail == "" {
		t.Errorf("what borrowed nothing was erased: %+v, %+v", first, last)
	}
	b.ok(b.Close())
	defer b.open()
	for _, name := range []string{FileName, FileName + "-wal"} {
		if bytes, err := os.ReadFile(b.dir + "/" + name); err == nil && strings.Contains(string(bytes), "zebra") {
			t.Errorf("%s holds forgotten words", name)
		}
	}
}

func TestP68_ARewriteDoesNotTellTheWordsOfAWithheldAnswer(t *testing.T) {
	b := newBook(t)
	borrows, own := b.borrowing()
	b.ok(b.MarkWithheld(t.Context(), []int64{7}))
	b.expectUnsearched(borrows.ID)
	if got, _, err := b.Turn(t.Context(), own.ID); err != nil || *got.SearchQuery != "kept" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A turn that found a passage and did not read it keeps its answer, and not the
// words of its research.
func TestP68_ResearchLosesTheWordsOfWhatItFound(t *testing.T) {
	for name, hide := range map[string]func(*book) error{
		"withheld":  func(b *book) error { return b.MarkWithheld(b.t.Context(), []int64{9}) },
		"forgotten": func(b *book) error { return b.ForgetDocument(b.t.Context(), 9) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBook(t)
			turn, err := b.SaveTurn(t.Context(), Turn{Conversation: b.conversation("T").ID, Question: "q", Answer: "a [1]", SearchQueries: []string{"q", "zebra"},
				Detail: `{"steps":["zebra"]}`, Sources: `[{"document":8,"path":"/kept"}]`, Evidence: []Evidence{{N: 1, Document: 8, Text: "text"}, {Document: 9, Text: "zebra"}}})
			b.ok(err)
			b.ok(hide(b))
			b.expectUnsearched(turn.ID)
		})
	}
}

// The same text is withheld whatever document it was read from, and no other.
func TestP68_ContentIsWithheldByItsHash(t *testing.T) {
	b := newBook(t)
	c := b.conversation("T")
	b.say(c.ID, "q1", "a1", Evidence{N: 1, Document: 1, ContentHash: "x", Text: "secret"}, Evidence{N: 2, Document: 1, ContentHash: "y", Text: "open"})
	b.say(c.ID, "q2", "a2", Evidence{N: 1, Document: 1, ContentHash: "y", Text: "open"})
	b.say(c.ID, "q3", "a3", Evidence{N: 1, Document: 2, Text: "without a hash"})
	b.ok(b.MarkContentWithheld(t.Context(), []string{"x", ""}))
	turns, err := b.Turns(t.Context(), c.ID)
	b.ok(err)
	if !turns[0].Withheld || turns[0].Evidence[0].Text != "" || turns[0].Evidence[1].Text != "open" || turns[1].Withheld || turns[2].Withheld {
		t.Errorf("%+v", turns)
	}
	basis, err := b.Basis(t.Context(), turns[0].ID, turns[1].ID)
	if b.ok(err); len(basis.Documents) != 1 || basis.Documents[0] != 1 || len(basis.Content) != 1 || basis.Content[0] != "y" {
		t.Errorf("%+v", basis)
	}
}
