package chats

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
)

// Turn is a question, its answer, how it was searched and what it cost. Fields
// marked JSON hold JSON text; empty is null. A nil pointer is null: not
// measured, or not a matter of this turn.
type Turn struct {
	ID, Conversation int64
	Ordinal          int // from 1; set by SaveTurn
	Created          time.Time
	Question         string // byte for byte
	Answer           string
	Mode             string

	ChatEngine    string
	SearchQuery   *string // nil: the user's words were searched
	SearchQueries []string
	RerankQuery   string
	RewriteStatus string
	RewriteReason *string
	RewriteMS     *float64
	HistoryUsed   *int // messages
	BlendAlpha    *float64

	AddedWords, Warnings, Filters       string // JSON
	AnswerCheck, Citations, Sources     string // JSON
	Latency, Usage, Compression, Detail string // JSON

	TokensPerSecond *float64
	Seed            *uint32
	Threads         *int
	BudgetTokens    int
	PackedTokens    int
	Floor           float64 // cosine
	RestrictedCount int
	Continued       bool
	Evidence        []Evidence
	// Withheld: the answer rests on a document that became restricted or was
	// forgotten. It is read back without answer, check, citations, sources and
	// how it was searched.
	Withheld bool
}

// SaveTurn stores a turn with its evidence and the conversation's time in one
// transaction and returns it with its number, ordinal and time. Error:
// ErrUnknownConversation.
func (s *Store) SaveTurn(ctx context.Context, t Turn) (Turn, error) {
	err := s.db.Update(ctx, func(tx *sql.Tx) error { return insertTurn(ctx, tx, &t) })
	return t, err
}

// SaveFirstTurn stores a new conversation and its first turn in one
// transaction, so that no conversation is left without what was asked in it.
func (s *Store) SaveFirstTurn(ctx context.Context, c Conversation, t Turn) (Turn, error) {
	err := s.db.Update(ctx, func(tx *sql.Tx) error {
		if err := insertConversation(ctx, tx, &c); err != nil {
			return err
		}
		t.Conversation = c.ID
		return insertTurn(ctx, tx, &t)
	})
	return t, err
}

func insertTurn(ctx context.Context, tx *sql.Tx, t *Turn) error {
	if t.Created.IsZero() {
		t.Created = now()
	}
	var queries *string
	if t.SearchQueries != nil {
		b, err := json.Marshal(t.SearchQueries)
		if err != nil {
			return err
		}
		queries = orNull(string(b))
	}
	err := oneConversation(tx.ExecContext(ctx, "UPDATE conversations SET updated = max(updated, ?) WHERE id = ?", t.Created.UnixMilli(), t.Conversation))
	if err != nil {
		return err
	}
	if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(ordinal), 0) + 1 FROM turns WHERE conversation = ?", t.Conversation).Scan(&t.Ordinal); err != nil {
		return err
	}
	r, err := tx.ExecContext(ctx, "INSERT INTO turns ("+turnColumns+") VALUES (?"+strings.Repeat(", ?", strings.Count(turnColumns, ","))+")",
		t.Conversation, t.Ordinal, t.Created.UnixMilli(), t.Question, t.Answer, orNull(t.Mode), orNull(t.ChatEngine), t.SearchQuery, queries,
		orNull(t.RerankQuery), orNull(t.RewriteStatus), t.RewriteReason, t.RewriteMS, t.HistoryUsed, t.BlendAlpha,
		orNull(t.AddedWords), orNull(t.Warnings), orNull(t.Filters), orNull(t.AnswerCheck), orNull(t.Citations), orNull(t.Sources),
		orNull(t.Latency), orNull(t.Usage), orNull(t.Compression), orNull(t.Detail),
		t.TokensPerSecond, t.Seed, t.Threads, t.BudgetTokens, t.PackedTokens, t.Floor, t.RestrictedCount, t.Continued)
	if err != nil {
		return err
	}
	if t.ID, err = r.LastInsertId(); err != nil {
		return err
	}
	return saveEvidence(ctx, tx, t.ID, t.Evidence)
}

const (
	turnColumns       = "conversation, " + afterConversation
	afterConversation = `ordinal, created, question, answer, mode, chat_engine, search_query, search_queries, rerank_query, rewrite_status,
	rewrite_reason, rewrite_ms, history_used, blend_alpha, added_words, warnings, filters, answer_check, citations, sources, latency, usage, compression,
	detail, tokens_per_second, seed, threads, budget_tokens, packed_tokens, floor, restricted_count, continued`
)

// Turns returns a conversation's turns in order with their evidence. Error:
// ErrUnknownConversation.
func (s *Store) Turns(ctx context.Context, conversation int64) ([]Turn, error) {
	turns, err := s.turns(ctx, " WHERE conversation = ? ORDER BY ordinal", conversation)
	if err != nil || len(turns) > 0 {
		return turns, err
	}
	return nil, s.mustExist(ctx, conversation)
}

// Turn finds one turn with its evidence; false when there is none.
func (s *Store) Turn(ctx context.Context, id int64) (Turn, bool, error) {
	turns, err := s.turns(ctx, " WHERE id = ?", id)
	if err != nil || len(turns) == 0 {
		return Turn{}, false, err
	}
	return turns[0], true, nil
}

func (s *Store) turns(ctx context.Context, clause string, args ...any) ([]Turn, error) {
	var turns []Turn
	err := s.query(ctx, func(rows *sql.Rows) error {
		t, err := scanTurn(rows)
		turns = append(turns, t)
		return err
	}, "SELECT id, "+turnColumns+", "+borrows+" FROM turns"+clause, args...)
	if err != nil {
		return nil, err
	}
	for i := range turns {
		if turns[i].Evidence, err = s.evidence(ctx, turns[i].ID); err != nil {
			return nil, err
		}
		turns[i].withhold()
	}
	return turns, nil
}

// withhold hides what an answer says of documents that may not be shown.
func (t *Turn) withhold() {
	for _, e := range t.Evidence {
		if !e.Withheld && !e.Forgotten {
			continue
		}
		if e.N > 0 {
			t.Withheld, t.Answer, t.AnswerCheck, t.Citations, t.Sources = true, "", "", "", ""
		}
		t.unsearch() // research reads what it finds, packed or not
	}
}

// unsearch hides how a turn was searched: that may hold words of what may not be
// shown, and its steps and notes may name it.
func (t *Turn) unsearch() {
	t.SearchQuery, t.SearchQueries, t.RerankQuery = nil, nil, ""
	t.AddedWords, t.Warnings, t.Filters, t.Detail = "", "", "", ""
}

// borrows is true of a turn whose rewrite saw an earlier answer that may not be
// shown any more.
const borrows = "coalesce(history_used, 0) > 0 AND EXISTS (SELECT 1 FROM turns p WHERE p.conversation = turns.conversation AND p.ordinal < turns.ordinal AND " +
	hiddenTurn + "p.id))"

func scanTurn(rows *sql.Rows) (Turn, error) {
	var t Turn
	var created int64
	var queries *string
	var budget, packed, restricted, continued *int
	var floor *float64
	var borrowed bool
	texts := []*string{&t.Mode, &t.ChatEngine, &t.RerankQuery, &t.RewriteStatus, &t.AddedWords, &t.Warnings, &t.Filters, &t.AnswerCheck,
		&t.Citations, &t.Sources, &t.Latency, &t.Usage, &t.Compression, &t.Detail}
	null := make([]*string, len(texts))
	err := rows.Scan(&t.ID, &t.Conversation, &t.Ordinal, &created, &t.Question, &t.Answer, &null[0], &null[1], &t.SearchQuery, &queries,
		&null[2], &null[3], &t.RewriteReason, &t.RewriteMS, &t.HistoryUsed, &t.BlendAlpha, &null[4], &null[5], &null[6], &null[7],
		&null[8], &null[9], &null[10], &null[11], &null[12], &null[13],
		&t.TokensPerSecond, &t.Seed, &t.Threads, &budget, &packed, &floor, &restricted, &continued, &borrowed)
	if err != nil {
		return t, err
	}
	for i, text := range texts {
		*text = deref(null[i])
	}
	t.Created = time.UnixMilli(created)
	t.BudgetTokens, t.PackedTokens, t.RestrictedCount, t.Floor, t.Continued = deref(budget), deref(packed), deref(restricted), deref(floor), deref(continued) == 1
	if queries != nil {
		err = json.Unmarshal([]byte(*queries), &t.SearchQueries)
	}
	if borrowed {
		t.unsearch()
	}
	return t, err
}
