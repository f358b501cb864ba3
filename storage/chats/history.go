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

// Basis is what turns have stored that is neither withheld nor forgotten, the
// passages that were not read among it.
type Basis struct {
	Documents []int64  // each once, by number
	Content   []string // content hashes, each once
}

// HistoryBasis lists what History's turns have stored, so that a caller can look
// up what of it may still be used.
func (s *Store) HistoryBasis(ctx context.Context, p Past) (Basis, error) {
	if p.Newest <= 0 {
		return Basis{}, nil
	}
	return s.basis(ctx, newestTurns, "SELECT id FROM newest", p.Conversation, p.Newest, p.before())
}

// Basis does so for turns by their numbers.
func (s *Store) Basis(ctx context.Context, turns ...int64) (Basis, error) {
	list, err := json.Marshal(append([]int64{}, turns...))
	if err != nil {
		return Basis{}, err
	}
	return s.basis(ctx, "", "SELECT value FROM json_each(?)", string(list))
}

func (s *Store) basis(ctx context.Context, with, turns string, args ...any) (Basis, error) {
	var b Basis
	seen := map[int64]bool{}
	hashes := map[string]bool{}
	err := s.query(ctx, func(rows *sql.Rows) error {
		var id int64
		var hash string
		err := rows.Scan(&id, &hash)
		if !seen[id] {
			seen[id] = true
			b.Documents = append(b.Documents, id)
		}
		if hash != "" && !hashes[hash] {
			hashes[hash] = true
			b.Content = append(b.Content, hash)
		}
		return err
	}, with+" SELECT DISTINCT document, content_hash FROM evidence WHERE withheld = 0 AND forgotten = 0 AND turn IN ("+turns+") ORDER BY document, content_hash", args...)
	return b, err
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
