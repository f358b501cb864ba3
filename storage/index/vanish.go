package index

import (
	"context"
	"database/sql"
	"time"

	"referent/storage"
)

// Missing marks files whose path vanished. Their rows stay for the grace time,
// so that the other half of a move finds them; searches and lists leave them
// out. It returns the documents.
func (s *Store) Missing(ctx context.Context, paths []string, at time.Time) (documents []int64, err error) {
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		documents = nil
		for _, path := range paths {
			ids, err := collect(ctx, tx, scanID, "UPDATE documents SET missing_at = ? WHERE path = ? AND missing_at IS NULL RETURNING id", millis(at), path)
			if err != nil {
				return err
			}
			documents = append(documents, ids...)
		}
		return nil
	})
	return documents, err
}

// PurgeMissing deletes documents that went missing before the given time, with
// text, chunks and vectors. One stays while a file of its size waits to be read
// for the first time: that may be its new place. It returns the documents.
func (s *Store) PurgeMissing(ctx context.Context, before time.Time) (documents []int64, err error) {
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		documents, err = collect(ctx, tx, scanID, `SELECT d.id FROM documents d WHERE d.missing_at IS NOT NULL AND d.missing_at < ? AND NOT EXISTS (
			SELECT 1 FROM documents n WHERE n.status IN ('waiting', 'indexing') AND n.verdict_status = '' AND n.size = d.size AND n.missing_at IS NULL)
			ORDER BY d.id`, millis(before))
		if err != nil {
			return err
		}
		return deleteDocuments(ctx, tx, documents)
	})
	if err != nil || len(documents) == 0 {
		return documents, err
	}
	return documents, s.db.Checkpoint(ctx)
}

// MissingByHash finds a vanished document with these bytes; false when there is
// none. Of several the one that vanished last is returned.
func (s *Store) MissingByHash(ctx context.Context, hash string, size int64) (Document, bool, error) {
	if hash == "" {
		return Document{}, false, nil
	}
	return first(collect(ctx, s.db.Read, scanDocument, selectDocument+" WHERE d.missing_at IS NOT NULL AND d.hash = ? AND d.size = ? ORDER BY d.missing_at DESC, d.id DESC LIMIT 1", hash, size))
}

// DocumentsByHash lists the documents with these bytes that are there.
func (s *Store) DocumentsByHash(ctx context.Context, hash string, size int64) ([]Document, error) {
	if hash == "" {
		return nil, nil
	}
	return collect(ctx, s.db.Read, scanDocument, selectDocument+" WHERE d.missing_at IS NULL AND d.hash = ? AND d.size = ? ORDER BY d.id", hash, size)
}

// Moved gives the document from the place of a file that was just found: the
// row that waited at that path goes away, and the document keeps its number,
// content, chunks and vectors. It is there again, with its last verdict, or
// waits if the file at the new place changed while it was being read. A
// title taken from the file's name must be set anew by the caller (Retitle).
func (s *Store) Moved(ctx context.Context, from int64, path string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		to, ok, err := first(collect(ctx, tx, scanFileState, selectFileState+" WHERE d.path = ?2", 0, path))
		if err != nil {
			return err
		}
		if !ok || to.Document == from {
			return &storage.Error{Kind: ErrUnknown, Message: "The new place of the file is not in the library."}
		}
		var stale bool // it changed after its bytes were compared
		if err := tx.QueryRowContext(ctx, "SELECT stale FROM documents WHERE id = ?", to.Document).Scan(&stale); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM placements WHERE document = ?", from); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "UPDATE placements SET document = ? WHERE document = ?", from, to.Document); err != nil {
			return err
		}
		if err := deleteDocuments(ctx, tx, []int64{to.Document}); err != nil {
			return err
		}
		err = mustTouch(tx.ExecContext(ctx, `UPDATE documents SET path = ?, size = ?, mtime = ?, inode = ?, missing_at = NULL,
			status = CASE WHEN ? OR verdict_status = '' THEN 'waiting' ELSE verdict_status END, reason = verdict_reason, attempts = 0 WHERE id = ?`,
			path, to.Size, to.ModTime.UnixNano(), int64(to.Inode), stale, from))
		if err != nil {
			return err
		}
		_, err = relabelWhere(ctx, tx, "d.id = ?", from)
		return err
	})
}

// Retitle sets a document's title.
func (s *Store) Retitle(ctx context.Context, id int64, title, source string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		return mustTouch(tx.ExecContext(ctx, "UPDATE documents SET title = ?, title_source = ? WHERE id = ?", title, source, id))
	})
}

// DropPlacement says that a folder no longer reaches a document (an exclusion,
// an ignore rule). A document that nothing reaches is deleted: true.
func (s *Store) DropPlacement(ctx context.Context, document, folder int64) (deleted bool, err error) {
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM placements WHERE document = ? AND folder = ?", document, folder); err != nil {
			return err
		}
		left, err := collect(ctx, tx, scanID, "SELECT folder FROM placements WHERE document = ?", document)
		if err != nil {
			return err
		}
		if deleted = len(left) == 0; deleted {
			return deleteDocuments(ctx, tx, []int64{document})
		}
		_, err = relabelWhere(ctx, tx, "d.id = ?", document)
		return err
	})
	return deleted, err
}

// deleteDocuments deletes documents with everything that only they need.
func deleteDocuments(ctx context.Context, tx *sql.Tx, ids []int64) error {
	for _, id := range ids {
		// Restricted for the moment of the delete, so that its own chunks do
		// not count as a need for their vectors.
		if _, err := tx.ExecContext(ctx, "UPDATE documents SET restricted = 1 WHERE id = ?", id); err != nil {
			return err
		}
		if err := dropUnused(ctx, tx, "SELECT content_hash FROM chunks WHERE document = ?", id); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM documents WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}

// FoundAgain takes back that the files of a folder vanished: the folder itself
// is away. It returns the documents.
func (s *Store) FoundAgain(ctx context.Context, folder int64) (documents []int64, err error) {
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		documents, err = collect(ctx, tx, scanID, `UPDATE documents SET missing_at = NULL WHERE missing_at IS NOT NULL
			AND EXISTS (SELECT 1 FROM placements p WHERE p.document = documents.id AND p.folder = ?) RETURNING id`, folder)
		return err
	})
	return documents, err
}

// MissingCount counts the documents that wait for the end of the grace time.
func (s *Store) MissingCount(ctx context.Context) (int, error) {
	var n int
	err := s.db.Read.QueryRowContext(ctx, "SELECT count(*) FROM documents WHERE missing_at IS NOT NULL").Scan(&n)
	return n, storage.Explain(err)
}
