package chats

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"referent/storage"
)

// Conversation is a series of turns with the options chosen for it alone.
type Conversation struct {
	ID                int64
	Title             string
	Created, Updated  time.Time
	Pinned            bool
	Engine            string // empty: the stored setting
	Mode              string // empty: the stored setting
	GenerationHistory *int   // messages; nil: the stored setting
	Scope             string // JSON; empty: the whole library
	Turns             int
}

// CreateConversation stores a new conversation and returns it with its number
// and times.
func (s *Store) CreateConversation(ctx context.Context, c Conversation) (Conversation, error) {
	err := s.db.Update(ctx, func(tx *sql.Tx) error { return insertConversation(ctx, tx, &c) })
	return c, err
}

func insertConversation(ctx context.Context, tx *sql.Tx, c *Conversation) error {
	if c.Created.IsZero() {
		c.Created = now()
	}
	if c.Updated.IsZero() {
		c.Updated = c.Created
	}
	c.Turns = 0
	r, err := tx.ExecContext(ctx, `INSERT INTO conversations (title, created, updated, pinned, engine, mode, generation_history, scope) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		c.Title, c.Created.UnixMilli(), c.Updated.UnixMilli(), c.Pinned, orNull(c.Engine), orNull(c.Mode), c.GenerationHistory, orNull(c.Scope))
	if err != nil {
		return err
	}
	c.ID, err = r.LastInsertId()
	return err
}

// Conversations lists conversations: pinned first, then the newest. Limit 0: all.
func (s *Store) Conversations(ctx context.Context, limit, offset int) ([]Conversation, error) {
	if limit <= 0 {
		limit = -1
	}
	return s.conversations(ctx, " ORDER BY pinned DESC, updated DESC, id DESC LIMIT ? OFFSET ?", limit, offset)
}

// Conversation finds a conversation; false when there is none.
func (s *Store) Conversation(ctx context.Context, id int64) (Conversation, bool, error) {
	found, err := s.conversations(ctx, " WHERE id = ?", id)
	if err != nil || len(found) == 0 {
		return Conversation{}, false, err
	}
	return found[0], true, nil
}

func (s *Store) conversations(ctx context.Context, clause string, args ...any) ([]Conversation, error) {
	var all []Conversation
	err := s.query(ctx, func(rows *sql.Rows) error {
		var c Conversation
		var created, updated int64
		var engine, mode, scope *string
		err := rows.Scan(&c.ID, &c.Title, &created, &updated, &c.Pinned, &engine, &mode, &c.GenerationHistory, &scope, &c.Turns)
		c.Created, c.Updated = time.UnixMilli(created), time.UnixMilli(updated)
		c.Engine, c.Mode, c.Scope = deref(engine), deref(mode), deref(scope)
		all = append(all, c)
		return err
	}, `SELECT id, title, created, updated, pinned, engine, mode, generation_history, scope,
		(SELECT count(*) FROM turns WHERE conversation = conversations.id) FROM conversations`+clause, args...)
	return all, err
}

// RenameConversation changes the title. Error: ErrUnknownConversation.
func (s *Store) RenameConversation(ctx context.Context, id int64, title string) error {
	return s.touch(ctx, "UPDATE conversations SET title = ? WHERE id = ?", title, id)
}

// ReplaceTitle changes the title if it is still old, and tells whether it was.
func (s *Store) ReplaceTitle(ctx context.Context, id int64, old, title string) (bool, error) {
	err := s.touch(ctx, "UPDATE conversations SET title = ? WHERE id = ? AND title = ?", title, id, old)
	if errors.Is(err, ErrUnknownConversation) {
		return false, nil
	}
	return err == nil, err
}

// PinConversation keeps a conversation at the top of the list, or lets it go.
// Error: ErrUnknownConversation.
func (s *Store) PinConversation(ctx context.Context, id int64, pinned bool) error {
	return s.touch(ctx, "UPDATE conversations SET pinned = ? WHERE id = ?", pinned, id)
}

// SetConversationOptions stores Engine, Mode, GenerationHistory and Scope of c.
// Error: ErrUnknownConversation.
func (s *Store) SetConversationOptions(ctx context.Context, c Conversation) error {
	return s.touch(ctx, "UPDATE conversations SET engine = ?, mode = ?, generation_history = ?, scope = ? WHERE id = ?",
		orNull(c.Engine), orNull(c.Mode), c.GenerationHistory, orNull(c.Scope), c.ID)
}

// DeleteConversation erases a conversation with its turns, evidence and draft,
// also from the words that are searched. Error: ErrUnknownConversation.
func (s *Store) DeleteConversation(ctx context.Context, id int64) error {
	err := s.db.Update(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM drafts WHERE conversation = ?", id); err != nil {
			return err
		}
		return oneConversation(tx.ExecContext(ctx, "DELETE FROM conversations WHERE id = ?", id))
	})
	if err != nil {
		return err
	}
	return s.db.Checkpoint(ctx)
}

func (s *Store) touch(ctx context.Context, query string, args ...any) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error { return oneConversation(tx.ExecContext(ctx, query, args...)) })
}

// oneConversation turns "no row changed" into ErrUnknownConversation.
func oneConversation(r sql.Result, err error) error {
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return unknownConversation()
	}
	return nil
}

func (s *Store) mustExist(ctx context.Context, id int64) error {
	var one int
	err := s.db.Read.QueryRowContext(ctx, "SELECT count(*) FROM conversations WHERE id = ?", id).Scan(&one)
	if err != nil {
		return storage.Explain(err)
	}
	if one == 0 {
		return unknownConversation()
	}
	return nil
}
