package chats

import (
	"context"
	"database/sql"
)

// BranchConversation copies a conversation up to and with the turn of an
// ordinal, in one transaction: options, turns and evidence, marks of withheld
// and forgotten passages included. Later turns are not part of the copy in any
// way. Error: ErrUnknownConversation, also where there is no such turn.
func (s *Store) BranchConversation(ctx context.Context, id int64, ordinal int, title string) (Conversation, error) {
	source, ok, err := s.Conversation(ctx, id)
	if err != nil {
		return Conversation{}, err
	}
	if !ok {
		return Conversation{}, unknownConversation()
	}
	c := Conversation{Title: title, Engine: source.Engine, Mode: source.Mode, GenerationHistory: source.GenerationHistory, Scope: source.Scope}
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		if err := insertConversation(ctx, tx, &c); err != nil {
			return err
		}
		r, err := tx.ExecContext(ctx, "INSERT INTO turns (conversation, "+afterConversation+") SELECT ?, "+afterConversation+
			" FROM turns WHERE conversation = ? AND ordinal <= ? AND EXISTS (SELECT 1 FROM turns WHERE conversation = ? AND ordinal = ?)", c.ID, id, ordinal, id, ordinal)
		if err := oneConversation(r, err); err != nil {
			return err
		}
		n, err := r.RowsAffected()
		c.Turns = int(n)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO evidence (turn, "+evidenceColumns+") SELECT t.id, "+evidenceColumns+` FROM turns t
			JOIN turns old ON old.conversation = ? AND old.ordinal = t.ordinal JOIN evidence e ON e.turn = old.id WHERE t.conversation = ?`, id, c.ID)
		return err
	})
	return c, err
}
