package chats

import (
	"context"
	"database/sql"
	"errors"

	"referent/storage"
)

// Settings returns the settings that the user changed. Their meaning is the
// business of the table of settings, not of the store.
func (s *Store) Settings(ctx context.Context) (map[string]string, error) {
	settings := map[string]string{}
	err := s.query(ctx, func(rows *sql.Rows) error {
		var key, value string
		err := rows.Scan(&key, &value)
		settings[key] = value
		return err
	}, "SELECT key, value FROM settings")
	return settings, err
}

// SetSettings stores all changes, or none of them.
func (s *Store) SetSettings(ctx context.Context, changes map[string]string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		for key, value := range changes {
			if key == "" {
				return &storage.Error{Kind: ErrInvalid, Message: "A setting needs a name.", Hint: "List the settings to see their names."}
			}
			_, err := tx.ExecContext(ctx, "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// ResetSetting goes back to the default. A setting that was not changed stays so.
func (s *Store) ResetSetting(ctx context.Context, key string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM settings WHERE key = ?", key)
		return err
	})
}

// SetDraft keeps text that was typed and not sent; conversation 0 is a new one.
// An empty text removes the draft.
func (s *Store) SetDraft(ctx context.Context, conversation int64, text string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		if text == "" {
			_, err := tx.ExecContext(ctx, "DELETE FROM drafts WHERE conversation = ?", conversation)
			return err
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO drafts (conversation, text) VALUES (?, ?) ON CONFLICT (conversation) DO UPDATE SET text = excluded.text", conversation, text)
		return err
	})
}

// Draft returns what was typed and not sent; empty when there is nothing.
func (s *Store) Draft(ctx context.Context, conversation int64) (string, error) {
	var text string
	err := s.db.Read.QueryRowContext(ctx, "SELECT text FROM drafts WHERE conversation = ?", conversation).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return text, storage.Explain(err)
}
