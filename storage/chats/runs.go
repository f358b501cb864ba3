package chats

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"time"
)

// Span is one stage of a run.
type Span struct {
	Name       string         `json:"name"`
	Started    time.Time      `json:"started"`
	DurationMS float64        `json:"duration_ms"`
	Attributes map[string]any `json:"attributes"` // numbers, switches and codes
	Status     string         `json:"status"`
}

// Run is what the log keeps of a turn, also of one that failed or was stopped.
type Run struct {
	ID           int64
	Started      time.Time
	Conversation *int64 // soft
	Turn         *int64 // soft; nil: nothing was stored
	Engine       string
	Status       string
	Code         string
	Reason       string
	Spans        []Span
}

// keptRuns bounds the log.
const keptRuns = 2000

// SaveRun adds a run to the log and returns it with its number. Whatever in it
// could be text of a person or a document is left out: of strings only codes
// stay.
func (s *Store) SaveRun(ctx context.Context, r Run) (Run, error) {
	if r.Started.IsZero() {
		r.Started = now()
	}
	r.Engine, r.Status, r.Code, r.Reason = code(r.Engine), code(r.Status), code(r.Code), code(r.Reason)
	spans := make([]Span, len(r.Spans))
	for i, span := range r.Spans {
		span.Name, span.Status, span.Attributes = code(span.Name), code(span.Status), codesOnly(span.Attributes)
		spans[i] = span
	}
	r.Spans = spans
	b, err := json.Marshal(spans)
	if err != nil {
		return r, err
	}
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "INSERT INTO runs (started, conversation, turn, engine, status, code, reason, spans) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			r.Started.UnixMilli(), r.Conversation, r.Turn, r.Engine, r.Status, r.Code, r.Reason, string(b))
		if err != nil {
			return err
		}
		if r.ID, err = result.LastInsertId(); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM runs WHERE id <= ?", r.ID-keptRuns)
		return err
	})
	return r, err
}

// Runs lists the newest runs first. Limit 0: all that are kept.
func (s *Store) Runs(ctx context.Context, limit int) ([]Run, error) {
	if limit <= 0 {
		limit = -1
	}
	return s.runs(ctx, " ORDER BY id DESC LIMIT ?", limit)
}

// Run finds one run; false when there is none.
func (s *Store) Run(ctx context.Context, id int64) (Run, bool, error) {
	found, err := s.runs(ctx, " WHERE id = ?", id)
	if err != nil || len(found) == 0 {
		return Run{}, false, err
	}
	return found[0], true, nil
}

func (s *Store) runs(ctx context.Context, clause string, args ...any) ([]Run, error) {
	var all []Run
	err := s.query(ctx, func(rows *sql.Rows) error {
		var r Run
		var started int64
		var spans string
		if err := rows.Scan(&r.ID, &started, &r.Conversation, &r.Turn, &r.Engine, &r.Status, &r.Code, &r.Reason, &spans); err != nil {
			return err
		}
		r.Started = time.UnixMilli(started)
		all = append(all, r)
		return json.Unmarshal([]byte(spans), &all[len(all)-1].Spans)
	}, "SELECT id, started, conversation, turn, engine, status, code, reason, spans FROM runs"+clause, args...)
	return all, err
}

// code keeps a string that can only be a name or a code: short, one word, of
// letters, digits and few signs.
func code(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.-:", r)
	}
	if len(s) > 64 || strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return ""
	}
	return s
}

// codesOnly keeps numbers, switches, codes and lists of numbers.
func codesOnly(attributes map[string]any) map[string]any {
	kept := make(map[string]any, len(attributes))
	for name, value := range attributes {
		if code(name) == "" {
			continue
		}
		switch v := value.(type) {
		case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, []int, []int64, []float64:
			kept[name] = v
		case string:
			if c := code(v); c != "" {
				kept[name] = c
			}
		}
	}
	return kept
}
