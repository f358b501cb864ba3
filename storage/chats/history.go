package chats

import (
	"context"
	"database/sql"
)

// HistoryMessage is one earlier message, and nothing else of its turn.
type HistoryMessage struct {
	Role string // user | assistant
	Text string
}

// History returns the newest messages of a conversation, the oldest of them
// first. The bound holds in SQL, so that a long conversation costs no more than
// a short one; turns are ordered by their ordinal, which is unique. newest <= 0
// returns nothing and asks nothing. Error: ErrUnknownConversation.
func (s *Store) History(ctx context.Context, conversation int64, newest int) ([]HistoryMessage, error) {
	if newest <= 0 {
		return nil, nil
	}
	var messages []HistoryMessage
	err := s.query(ctx, func(rows *sql.Rows) error {
		var m HistoryMessage
		err := rows.Scan(&m.Role, &m.Text)
		messages = append(messages, m)
		return err
	}, historyQuery, conversation, newest)
	if err != nil || len(messages) > 0 {
		return messages, err
	}
	return nil, s.mustExist(ctx, conversation)
}

const historyQuery = `WITH newest AS (SELECT ordinal, question, answer FROM turns WHERE conversation = ?1 ORDER BY ordinal DESC LIMIT (?2 + 1) / 2),
		messages AS (SELECT ordinal, 0 AS part, 'user' AS role, question AS text FROM newest UNION ALL SELECT ordinal, 1, 'assistant', answer FROM newest)
		SELECT role, text FROM (SELECT * FROM messages ORDER BY ordinal DESC, part DESC LIMIT ?2) ORDER BY ordinal, part`
