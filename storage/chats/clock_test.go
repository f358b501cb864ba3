package chats

import (
	"database/sql"
	"testing"
	"time"
)

// A clock that goes back changes neither the order of what was said nor what is
// kept: turns have ordinals.
func TestAClockThatGoesBackLosesNothing(t *testing.T) {
	b := newBook(t)
	c := b.conversation("A")
	b.say(c.ID, "first", "one")
	b.ok(b.db.Update(t.Context(), func(tx *sql.Tx) error { // it was said while the clock was ten years ahead
		_, err := tx.Exec("UPDATE turns SET created = ?", time.Now().AddDate(10, 0, 0).UnixMilli())
		return err
	}))
	b.say(c.ID, "second", "two")
	turns, err := b.Turns(t.Context(), c.ID)
	b.ok(err)
	if len(turns) != 2 || turns[0].Question != "first" || turns[1].Question != "second" {
		t.Errorf("turns %+v", turns)
	}
	history, err := b.History(t.Context(), Past{Conversation: c.ID, Newest: 2})
	b.ok(err)
	if len(history) != 2 || history[0].Text != "second" || history[1].Text != "two" {
		t.Errorf("the newest messages are %+v", history)
	}
}
