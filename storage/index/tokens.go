package index

import (
	"context"
	"database/sql"
)

// TokenCounts returns the stored token counts of chunks' texts. A chunk that is
// not counted yet is not in the map. tokenizer names whose tokens: the hash of
// the model.
func (s *Store) TokenCounts(ctx context.Context, tokenizer string, ids []int64) (map[int64]int, error) {
	list, err := idList(ids)
	if err != nil {
		return nil, err
	}
	type row struct {
		id int64
		n  int
	}
	scan := func(rows *sql.Rows) (row, error) {
		var r row
		err := rows.Scan(&r.id, &r.n)
		return r, err
	}
	counts := make(map[int64]int, len(ids))
	err = each(ctx, s.db.Read, scan, func(r row) error { counts[r.id] = r.n; return nil }, tokenCountsQuery, list, tokenizer)
	return counts, err
}

// A CROSS JOIN keeps its order. Left to itself, SQLite walks through every count
// of the tokenizer, which took 13 ms of each question with 100,000 chunks.
const tokenCountsQuery = `SELECT c.id, t.tokens FROM json_each(?) j CROSS JOIN chunks c ON c.id = j.value
	CROSS JOIN token_counts t ON t.content_hash = c.content_hash AND t.tokenizer = (SELECT id FROM models WHERE key = ?)`

// PutTokenCounts keeps token counts by chunk number. A chunk that went away
// meanwhile is passed over.
func (s *Store) PutTokenCounts(ctx context.Context, tokenizer string, counts map[int64]int) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		id, err := modelID(ctx, tx, tokenizer)
		if err != nil {
			return err
		}
		insert, err := tx.PrepareContext(ctx, `INSERT INTO token_counts (tokenizer, content_hash, tokens) SELECT ?, c.content_hash, ? FROM chunks c
			JOIN documents d ON d.id = c.document WHERE c.id = ? AND d.restricted = 0 ON CONFLICT (tokenizer, content_hash) DO UPDATE SET tokens = excluded.tokens`)
		if err != nil {
			return err
		}
		defer insert.Close()
		for chunk, n := range counts {
			if _, err := insert.ExecContext(ctx, id, n, chunk); err != nil {
				return err
			}
		}
		return nil
	})
}

// MissingTokenCounts returns chunks that are not counted by this tokenizer, the
// newest first, one for each content. Limit: at most so many.
func (s *Store) MissingTokenCounts(ctx context.Context, tokenizer string, limit int) ([]Chunk, error) {
	return s.missing(ctx, "token_counts", "tokenizer", tokenizer, limit)
}
