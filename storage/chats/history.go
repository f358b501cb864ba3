package chats

import (
	"context"
	"database/sql"
	"encoding/json"
	"math"
)

// HistoryMessage is one earlier message, and nothing else of its turn.
type HistoryMessage struct {
	Role string // user | assistant
	Text string
}

// Past selects earlier messages of a conversation.
type Past struct {
	Conversation int64
	Newest       int     // messages; 0 or less: none, and nothing is asked
	Before       int     // only turns with a lower ordinal; 0: all
	Gone         []int64 // documents that have left the library
}

// before is the first ordinal that does not count.
func (p Past) before() int {
	if p.Before <= 0 {
		return math.MaxInt32
	}
	return p.Before
}

// History returns the newest messages of a conversation, the oldest of them
// first. A turn that rests on a withheld or forgotten document is left out, and
// of one that rests on a document that is gone only the question stays. The
// bound holds in SQL, before anything is left out, so that a long conversation
// costs no more than a short one; turns are ordered by their ordinal, which is
// unique. Error: ErrUnknownConversation.
func (s *Store) History(ctx context.Context, p Past) ([]HistoryMessage, error) {
	if p.Newest <= 0 {
		return nil, nil
	}
	gone, err := json.Marshal(append([]int64{}, p.Gone...))
	if err != nil {
		return nil, err
	}
	var messages []HistoryMessage
	err = s.query(ctx, func(rows *sql.Rows) error {
		var m HistoryMessage
		err := rows.Scan(&m.Role, &m.Text)
		messages = append(messages, m)
		return err
	}, historyQuery, p.Conversation, p.Newest, p.before(), string(gone))
	if err != nil || len(messages) > 0 {
		return messages, err
	}
	return nil, s.mustExist(ctx, p.Conversation)
}

// HistoryDocuments lists the documents that the answers of the same turns rest
// on, so that a caller can look up which of them may still be used.
func (s *Store) HistoryDocuments(ctx context.Context, p Past) ([]int64, error) {
	var ids []int64
	if p.Newest <= 0 {
		return nil, nil
	}
	err := s.query(ctx, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	}, newestTurns+" SELECT DISTINCT document FROM evidence WHERE n > 0 AND turn IN (SELECT id FROM newest) ORDER BY document", p.Conversation, p.Newest, p.before())
	return ids, err
}

const (
	newestTurns = `WITH newest AS (SELECT id, ordinal, question, answer FROM turns WHERE conversation = ?1 AND ordinal < ?3 ORDER BY ordinal DESC LIMIT (?2 + 1) / 2)`
	// hiddenTurn is true of a turn, named by its id, whose answer may not be used.
	hiddenTurn   = `EXISTS (SELECT 1 FROM evidence e WHERE e.n > 0 AND (e.withheld = 1 OR e.forgotten = 1) AND e.turn = `
	historyQuery = newestTurns + `,
		usable AS (SELECT ordinal, question, answer, EXISTS (SELECT 1 FROM evidence WHERE turn = newest.id AND n > 0
			AND document IN (SELECT value FROM json_each(?4))) AS gone FROM newest WHERE NOT ` + hiddenTurn + `newest.id)),
		messages AS (SELECT ordinal, 0 AS part, 'user' AS role, question AS text FROM usable
			UNION ALL SELECT ordinal, 1, 'assistant', answer FROM usable WHERE NOT gone)
		SELECT role, text FROM (SELECT * FROM messages ORDER BY ordinal DESC, part DESC LIMIT ?2) ORDER BY ordinal, part`
)
