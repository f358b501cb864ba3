package index

import (
	"context"
	"database/sql"
	"strings"

	"referent/storage"
)

// SetDocumentLabel changes a document's own label. A document is restricted
// while its own label, a folder's or a collection's is. It returns the chunks
// that may no longer be found: their vectors are gone when it returns.
func (s *Store) SetDocumentLabel(ctx context.Context, id int64, label string) (removed []int64, err error) {
	return s.setLabel(ctx, "UPDATE documents SET label = ? WHERE id = ?", id, label)
}

// SetFolderLabel does the same for everything in a folder.
func (s *Store) SetFolderLabel(ctx context.Context, id int64, label string) (removed []int64, err error) {
	return s.setLabel(ctx, "UPDATE folders SET label = ? WHERE id = ?", id, label)
}

func (s *Store) setLabel(ctx context.Context, update string, id int64, label string) (removed []int64, err error) {
	label, err = checkLabel(label)
	if err != nil {
		return nil, err
	}
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		if err := mustTouch(tx.ExecContext(ctx, update, label, id)); err != nil {
			return err
		}
		removed, err = relabel(ctx, tx)
		return err
	})
	if err != nil || len(removed) == 0 {
		return removed, err
	}
	return removed, s.db.Checkpoint(ctx)
}

// RestrictedCount returns the number of restricted documents.
func (s *Store) RestrictedCount(ctx context.Context) (int, error) {
	var n int
	err := s.db.Read.QueryRowContext(ctx, "SELECT count(*) FROM documents WHERE restricted = 1").Scan(&n)
	return n, storage.Explain(err)
}

// DocumentLabel is whether a document may be used.
type DocumentLabel struct {
	Label   string // the strictest
	Missing bool   // its path vanished
}

// Labels looks up documents by number; those that are not in the library are
// left out.
func (s *Store) Labels(ctx context.Context, documents []int64) (map[int64]DocumentLabel, error) {
	list, err := idList(documents)
	if err != nil {
		return nil, err
	}
	type row struct {
		id int64
		DocumentLabel
	}
	scan := func(rows *sql.Rows) (row, error) {
		r := row{DocumentLabel: DocumentLabel{Label: labelPublic}}
		var restricted bool
		err := rows.Scan(&r.id, &restricted, &r.Missing)
		if restricted {
			r.Label = labelRestricted
		}
		return r, err
	}
	out := make(map[int64]DocumentLabel, len(documents))
	err = each(ctx, s.db.Read, scan, func(r row) error { out[r.id] = r.DocumentLabel; return nil },
		"SELECT id, restricted, missing_at IS NOT NULL FROM documents WHERE id IN (SELECT value FROM json_each(?))", list)
	return out, err
}

// strictest is 1 for a document d that any of its labels restricts.
const strictest = `(d.label = 'restricted' OR EXISTS (
	SELECT 1 FROM placements p JOIN folders f ON f.id = p.folder
	LEFT JOIN memberships m ON m.folder = f.id LEFT JOIN collections c ON c.id = m.collection
	WHERE p.document = d.id AND (f.label = 'restricted' OR c.label = 'restricted')))`

// relabel brings documents.restricted in step with all labels. It returns the
// chunks of documents that became restricted, after deleting the vectors and
// token counts that no public chunk needs.
func relabel(ctx context.Context, tx *sql.Tx) (hidden []int64, err error) {
	return relabelWhere(ctx, tx, "TRUE")
}

func relabelWhere(ctx context.Context, tx *sql.Tx, where string, args ...any) (hidden []int64, err error) {
	changed, err := collect(ctx, tx, scanID, "UPDATE documents AS d SET restricted = "+strictest+
		" WHERE d.restricted <> "+strictest+" AND "+where+" RETURNING id", args...)
	if err != nil {
		return nil, err
	}
	for _, id := range changed {
		chunks, err := collect(ctx, tx, scanID, `SELECT c.id FROM chunks c JOIN documents d ON d.id = c.document
			WHERE c.document = ? AND d.restricted = 1 ORDER BY c.id`, id)
		if err != nil {
			return nil, err
		}
		if len(chunks) == 0 {
			continue
		}
		hidden = append(hidden, chunks...)
		if err := dropUnused(ctx, tx, "SELECT content_hash FROM chunks WHERE document = ?", id); err != nil {
			return nil, err
		}
	}
	return hidden, nil
}

// dropUnused deletes vectors and token counts of the content hashes that the
// query names, where no public chunk has that content.
func dropUnused(ctx context.Context, tx *sql.Tx, hashes string, args ...any) error {
	const unused = ` AND NOT EXISTS (SELECT 1 FROM chunks c JOIN documents d ON d.id = c.document
		WHERE c.content_hash = %.content_hash AND d.restricted = 0)`
	for _, table := range []string{"vectors", "token_counts"} {
		query := "DELETE FROM " + table + " WHERE content_hash IN (" + hashes + ")" + strings.Replace(unused, "%", table, 1)
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return err
		}
	}
	return nil
}
