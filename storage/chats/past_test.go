package chats

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// said is the history as one line.
func (b *book) said(p Past) string {
	b.t.Helper()
	messages, err := b.History(b.t.Context(), p)
	b.ok(err)
	var got []string
	for _, m := range messages {
		got = append(got, m.Text)
	}
	return strings.Join(got, " ")
}

// What a withheld, forgotten or vanished document said is no history. The three
// turns rest on the documents 1, 2 and 3; the second has also seen 9, unpacked.
func TestP68_HistoryOfHiddenDocuments(t *testing.T) {
	b := newBook(t)
	c := b.conversation("T")
	for i := 1; i <= 3; i++ {
		b.say(c.ID, fmt.Sprint("q", i), fmt.Sprint("a", i), Evidence{N: 1, Document: int64(i)}, Evidence{N: 0, Document: 9})
	}
	all := Past{Conversation: c.ID, Newest: 20}
	for _, s := range []struct {
		past Past
		want string
	}{
		{all, "q1 a1 q2 a2 q3 a3"},
		{Past{Conversation: c.ID, Newest: 20, Before: 3}, "q1 a1 q2 a2"},
		{Past{Conversation: c.ID, Newest: 2, Before: 2}, "q1 a1"},
		{Past{Conversation: c.ID, Newest: 20, Before: 1}, ""},
		{Past{Conversation: c.ID, Newest: 20, Gone: []int64{2}}, "q1 a1 q2 q3 a3"},
		{Past{Conversation: c.ID, Newest: 20, Gone: []int64{9}}, "q1 a1 q2 a2 q3 a3"}, // a candidate was not read by the model
	} {
		if got := b.said(s.past); got != s.want {
			t.Errorf("%+v: %q, want %q", s.past, got, s.want)
		}
	}
	if got, err := b.HistoryBasis(t.Context(), Past{Conversation: c.ID, Newest: 3}); err != nil || !reflect.DeepEqual(got.Documents, []int64{2, 3, 9}) {
		t.Errorf("the newest three messages rest on %v, %v", got, err)
	}
	b.ok(b.MarkWithheld(t.Context(), []int64{9}))
	if got := b.said(all); got != "q1 a1 q2 a2 q3 a3" {
		t.Errorf("a candidate that nobody read hides %q", got)
	}
	b.ok(b.MarkWithheld(t.Context(), []int64{2}))
	if got := b.said(all); got != "q1 a1 q3 a3" {
		t.Errorf("withheld: %q", got)
	}
	b.ok(b.ForgetDocument(t.Context(), 3))
	if got := b.said(all); got != "q1 a1" {
		t.Errorf("forgotten: %q", got)
	}
}

func TestR119_ABranchEndsAtItsTurn(t *testing.T) {
	b := newBook(t)
	source, err := b.CreateConversation(t.Context(), Conversation{Title: "T", Engine: "expand", GenerationHistory: ref(4), Scope: `{"path_under":"/a"}`})
	b.ok(err)
	for range 3 {
		_, err := b.SaveTurn(t.Context(), fullTurn(source.ID))
		b.ok(err)
	}
	b.say(source.ID, "late zebra", "late")
	b.ok(b.MarkWithheld(t.Context(), []int64{7}))
	branch, err := b.BranchConversation(t.Context(), source.ID, 3, "Branch")
	b.ok(err)
	if branch.Turns != 3 || branch.Engine != "expand" || *branch.GenerationHistory != 4 || branch.Scope != source.Scope || branch.Title != "Branch" {
		t.Errorf("%+v", branch)
	}
	want, err := b.Turns(t.Context(), source.ID)
	b.ok(err)
	got, err := b.Turns(t.Context(), branch.ID)
	b.ok(err)
	for i := range got {
		if got[i].ID == want[i].ID || got[i].Conversation != branch.ID {
			t.Errorf("turn %d is not a copy: %+v", i, got[i])
		}
		got[i].ID, got[i].Conversation = want[i].ID, want[i].Conversation
	}
	if !reflect.DeepEqual(got, want[:3]) || !got[0].Withheld {
		t.Errorf("got  %+v\nwant %+v", got, want[:3])
	}
	if found, err := b.Search(t.Context(), "zebra"); err != nil || len(found) != 1 || found[0].Conversation != source.ID {
		t.Errorf("%+v, %v", found, err)
	}
	b.ok(b.DeleteConversation(t.Context(), source.ID))
	if left, err := b.Turns(t.Context(), branch.ID); err != nil || len(left) != 3 || len(left[0].Evidence) != 2 {
		t.Errorf("the branch hangs on its source: %+v, %v", left, err)
	}
	for _, at := range []int{0, 4} {
		if _, err := b.BranchConversation(t.Context(), branch.ID, at, ""); err == nil || err.Error() != "There is no such conversation. It may have been deleted." {
			t.Errorf("a branch at turn %d: %v", at, err)
		}
	}
	if all, err := b.Conversations(t.Context(), 0, 0); err != nil || len(all) != 1 {
		t.Errorf("a failed branch left %+v, %v", all, err)
	}
}
