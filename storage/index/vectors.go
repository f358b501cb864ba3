package index

import (
	"context"
	"database/sql"

	"referent/storage"
)

// metaEmbedModel is the meta key of the model that vectors were last stored for.
const metaEmbedModel = "embed_model"

// HashVector is the vector of a content.
type HashVector struct {
	ContentHash string
	V           []float32 // unit length
}

// MissingVectors returns chunks that may be found and have no vector of the
// model yet, the newest first, one for each content. Limit: at most so many.
func (s *Store) MissingVectors(ctx context.Context, model string, limit int) ([]Chunk, error) {
	return s.missing(ctx, "vectors", "model", model, limit)
}

// missing finds chunks without a row in a table keyed by (model, content hash).
func (s *Store) missing(ctx context.Context, table, column, key string, limit int) ([]Chunk, error) {
	if limit <= 0 {
		return nil, nil
	}
	found, err := collect(ctx, s.db.Read, scanChunk, selectChunk+" WHERE "+findable+` AND NOT EXISTS (SELECT 1 FROM `+table+` t
		WHERE t.`+column+` = (SELECT id FROM models WHERE key = ?) AND t.content_hash = c.content_hash) ORDER BY c.id DESC LIMIT ?`, key, limit)
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(found))
	distinct := found[:0]
	for _, c := range found {
		if !seen[c.ContentHash] {
			seen[c.ContentHash] = true
			distinct = append(distinct, c)
		}
	}
	return distinct, nil
}

// PutVectors keeps vectors of a model in half precision and makes it the model
// that documents are counted for. A vector whose content no public chunk has
// any more is dropped: the file went away or became restricted meanwhile.
func (s *Store) PutVectors(ctx context.Context, model string, vectors []HashVector) error {
	return s.putVectors(ctx, model, vectors, func(tx *sql.Tx) error { return setMeta(ctx, tx, metaEmbedModel, model) })
}

// StageVectors keeps vectors of a model that is not counted for yet: they are
// made beside those that are served.
func (s *Store) StageVectors(ctx context.Context, model string, vectors []HashVector) error {
	return s.putVectors(ctx, model, vectors, func(*sql.Tx) error { return nil })
}

// CountFor makes a model the one that documents are counted for.
func (s *Store) CountFor(ctx context.Context, model string) error {
	return s.SetMeta(ctx, metaEmbedModel, model)
}

func (s *Store) putVectors(ctx context.Context, model string, vectors []HashVector, also func(*sql.Tx) error) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		id, err := modelID(ctx, tx, model)
		if err != nil {
			return err
		}
		if err := also(tx); err != nil {
			return err
		}
		insert, err := tx.PrepareContext(ctx, "INSERT INTO vectors (model, content_hash, v) SELECT ?1, ?2, ?3 WHERE "+needed+
			" ON CONFLICT (model, content_hash) DO UPDATE SET v = excluded.v")
		if err != nil {
			return err
		}
		defer insert.Close()
		for _, v := range vectors {
			if _, err := insert.ExecContext(ctx, id, v.ContentHash, toHalf(v.V)); err != nil {
				return err
			}
		}
		return nil
	})
}

// needed holds for a content hash (?2) that a public chunk has.
const needed = "EXISTS (SELECT 1 FROM chunks c JOIN documents d ON d.id = c.document WHERE c.content_hash = ?2 AND d.restricted = 0)"

// EachVector hands the vector of every chunk that may be found to fn, by
// ascending chunk number. v is the callee's to keep.
func (s *Store) EachVector(ctx context.Context, model string, fn func(chunk int64, v []float32) error) error {
	return s.eachVector(ctx, fn, "TRUE", model)
}

// DocumentVectors does the same for the chunks of one document.
func (s *Store) DocumentVectors(ctx context.Context, model string, document int64, fn func(chunk int64, v []float32) error) error {
	return s.eachVector(ctx, fn, "c.document = ?2", model, document)
}

func (s *Store) eachVector(ctx context.Context, fn func(int64, []float32) error, where string, args ...any) error {
	rows, err := s.db.Read.QueryContext(ctx, `SELECT c.id, v.v FROM chunks c JOIN documents d ON d.id = c.document
		JOIN vectors v ON v.model = (SELECT id FROM models WHERE key = ?1) AND v.content_hash = c.content_hash
		WHERE `+findable+" AND "+where+" ORDER BY c.id", args...)
	if err != nil {
		return storage.Explain(err)
	}
	defer rows.Close()
	var raw sql.RawBytes
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id, &raw); err != nil {
			return storage.Explain(err)
		}
		if err := fn(id, fromHalf(raw)); err != nil {
			return err
		}
	}
	return storage.Explain(rows.Err())
}

// VectorProgress counts the chunks that may be found, and those of them that
// have a vector of the model.
func (s *Store) VectorProgress(ctx context.Context, model string) (done, total int, err error) {
	err = s.db.Read.QueryRowContext(ctx, `SELECT count(v.content_hash), count(*) FROM chunks c JOIN documents d ON d.id = c.document
		LEFT JOIN vectors v ON v.model = (SELECT id FROM models WHERE key = ?) AND v.content_hash = c.content_hash WHERE `+findable, model).Scan(&done, &total)
	return done, total, storage.Explain(err)
}

// DropVectors deletes all vectors of a model that is no longer used.
func (s *Store) DropVectors(ctx context.Context, model string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE model = (SELECT id FROM models WHERE key = ?)", model)
		return err
	})
}

// modelID returns the short number of a model's or tokenizer's key.
func modelID(ctx context.Context, tx *sql.Tx, key string) (int64, error) {
	if _, err := tx.ExecContext(ctx, "INSERT INTO models (key) VALUES (?) ON CONFLICT DO NOTHING", key); err != nil {
		return 0, err
	}
	var id int64
	err := tx.QueryRowContext(ctx, "SELECT id FROM models WHERE key = ?", key).Scan(&id)
	return id, err
}
