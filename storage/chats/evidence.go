package chats

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

// Evidence is a passage as a turn saw it. Chunk and Document are soft: the
// library may have lost them since.
type Evidence struct {
	N, Rank         int // N: citation number, 0 when it was not packed. Rank is unique in a turn
	Chunk, Document int64
	ContentHash     string
	Path            string
	Title           string
	Heading         string
	Locator         string // JSON
	Text            string // as in the document
	Rendered        string // as in the prompt
	Strategy        string
	Class           string
	Owner           string // match | hint_extra
	Packing         string
	Trace           string // JSON
	Pinned          bool
	Score           float64
	RenderedTokens  int
	// Withheld: the document became restricted later. It is read back without
	// path, title, heading and texts.
	Withheld bool
	// Forgotten: the user had its passages erased.
	Forgotten bool
}

const evidenceColumns = `rank, n, chunk, document, content_hash, path, title, heading, locator, text, rendered, rendered_tokens,
	strategy, class, owner, packing, trace, score, pinned, withheld, forgotten`

func saveEvidence(ctx context.Context, tx *sql.Tx, turn int64, evidence []Evidence) error {
	for i, e := range evidence {
		if e.Rank == 0 {
			e.Rank = i + 1
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO evidence (turn, `+evidenceColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			turn, e.Rank, e.N, e.Chunk, e.Document, e.ContentHash, e.Path, e.Title, e.Heading, e.Locator, e.Text, e.Rendered, e.RenderedTokens,
			e.Strategy, e.Class, e.Owner, e.Packing, e.Trace, e.Score, e.Pinned, e.Withheld, e.Forgotten)
		if err != nil {
			return fmt.Errorf("evidence of rank %d: %w", e.Rank, err)
		}
	}
	return nil
}

func (s *Store) evidence(ctx context.Context, turn int64) ([]Evidence, error) {
	var all []Evidence
	err := s.query(ctx, func(rows *sql.Rows) error {
		var e Evidence
		err := rows.Scan(&e.Rank, &e.N, &e.Chunk, &e.Document, &e.ContentHash, &e.Path, &e.Title, &e.Heading, &e.Locator, &e.Text, &e.Rendered,
			&e.RenderedTokens, &e.Strategy, &e.Class, &e.Owner, &e.Packing, &e.Trace, &e.Score, &e.Pinned, &e.Withheld, &e.Forgotten)
		if e.Withheld {
			e.Path, e.Title, e.Heading, e.Locator, e.Text, e.Rendered = "", "", "", "", "", ""
		}
		all = append(all, e)
		return err
	}, `SELECT rank, n, chunk, document, content_hash, path, title, heading, locator, text, rendered, rendered_tokens, strategy, class, owner,
		packing, trace, score, pinned, withheld, forgotten FROM evidence WHERE turn = ? ORDER BY rank`, turn)
	return all, err
}

// MarkWithheld hides the stored passages of documents that became restricted:
// from now on they are read back without text, path or title, also in the list
// of sources, and the answers that rest on them are read back empty, found by no
// search and part of no history.
func (s *Store) MarkWithheld(ctx context.Context, documents []int64) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		for _, d := range documents {
			if _, err := tx.ExecContext(ctx, "UPDATE evidence SET withheld = 1 WHERE document = ?", d); err != nil {
				return err
			}
			if err := blankSources(ctx, tx, d); err != nil {
				return err
			}
		}
		return nil
	})
}

// MarkContentWithheld does the same for stored passages by their content hash,
// whatever document they came from.
func (s *Store) MarkContentWithheld(ctx context.Context, hashes []string) error {
	list, err := json.Marshal(append([]string{}, hashes...))
	if err != nil {
		return err
	}
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE evidence SET withheld = 1 WHERE content_hash <> '' AND content_hash IN (SELECT value FROM json_each(?))", string(list))
		return err
	})
}

// AnswersFrom lists the answers that rest on a document, each once.
func (s *Store) AnswersFrom(ctx context.Context, document int64) ([]string, error) {
	var out []string
	err := s.query(ctx, func(rows *sql.Rows) error {
		var text string
		err := rows.Scan(&text)
		out = append(out, text)
		return err
	}, "SELECT DISTINCT answer FROM turns WHERE answer <> '' AND id IN (SELECT turn FROM evidence WHERE document = ? AND n > 0)", document)
	return out, err
}

// ForgetDocument erases the stored passages of a document from all old turns:
// texts, path, title and place, the answers that rest on them, and how the turns
// that found them or had such an answer as history were searched: research and
// rewrites take words from what they read.
// The questions stay.
func (s *Store) ForgetDocument(ctx context.Context, document int64) error {
	err := s.db.Update(ctx, func(tx *sql.Tx) error {
		if err := blankSources(ctx, tx, document); err != nil {
			return err
		}
		if err := eraseAnswers(ctx, tx, document); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE evidence SET content_hash = '', path = '', title = '', heading = '', locator = '', text = '', rendered = '',
			forgotten = 1 WHERE document = ?`, document)
		return err
	})
	if err != nil {
		return err
	}
	return s.db.Checkpoint(ctx)
}

// unsearched empties what a turn keeps of how it was searched.
const unsearched = "search_query = NULL, search_queries = NULL, rerank_query = NULL, added_words = NULL, filters = NULL, warnings = NULL, detail = NULL"

// eraseAnswers empties the answers that rest on a document, also in the words
// that are searched, and how was searched by whoever read the document or them.
func eraseAnswers(ctx context.Context, tx *sql.Tx, document int64) error {
	const those = "id IN (SELECT turn FROM evidence WHERE document = ? AND n > 0)"
	for _, q := range []string{
		"INSERT INTO turns_words (turns_words, rowid, question, answer) SELECT 'delete', id, question, answer FROM turns WHERE " + those,
		"UPDATE turns SET answer = '', answer_check = NULL, citations = NULL, " + unsearched + " WHERE " + those,
		"INSERT INTO turns_words (rowid, question, answer) SELECT id, question, answer FROM turns WHERE " + those,
		"UPDATE turns SET " + unsearched + ` WHERE id IN (SELECT turn FROM evidence WHERE document = ?1)
			OR history_used > 0 AND EXISTS (SELECT 1 FROM turns p JOIN evidence e ON e.turn = p.id
			WHERE e.document = ?1 AND e.n > 0 AND p.conversation = turns.conversation AND p.ordinal < turns.ordinal)`,
	} {
		if _, err := tx.ExecContext(ctx, q, document); err != nil {
			return err
		}
	}
	return nil
}

// blankSources empties path, title and place of a document in the source lists
// of the turns that saw it.
func blankSources(ctx context.Context, tx *sql.Tx, document int64) error {
	lists := map[int64]string{}
	err := queryOn(ctx, tx, func(rows *sql.Rows) error {
		var turn int64
		var sources string
		err := rows.Scan(&turn, &sources)
		lists[turn] = sources
		return err
	}, "SELECT id, sources FROM turns WHERE sources IS NOT NULL AND id IN (SELECT turn FROM evidence WHERE document = ?)", document)
	if err != nil {
		return err
	}
	for turn, text := range lists {
		var sources []map[string]any
		if err := json.Unmarshal([]byte(text), &sources); err != nil {
			sources = nil // a list that cannot be read cannot be shown either
		}
		for _, s := range sources {
			if id, ok := s["document"].(float64); ok && int64(id) == document {
				s["path"], s["title"], s["heading"], s["locator"] = "", "", "", map[string]any{}
			}
		}
		b, err := json.Marshal(sources)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE turns SET sources = ? WHERE id = ?", string(b), turn); err != nil {
			return err
		}
	}
	return nil
}
