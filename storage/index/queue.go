package index

import (
	"context"
	"database/sql"
	"time"

	"referent/storage"
)

// Sizes in bytes between the ranks of the queue.
const (
	smallFile = 256 << 10
	largeFile = 4 << 20
)

// SizeRank is 0 for a small file, which is read before those of rank 1 and 2.
func SizeRank(size int64) int {
	switch {
	case size <= smallFile:
		return 0
	case size <= largeFile:
		return 1
	}
	return 2
}

// NextWaiting takes the next file of the queue, those named first before all
// others, then small and recent ones; it marks it as being read and counts the attempt. Files of paused and offline
// folders are passed over. False: nothing waits.
func (s *Store) NextWaiting(ctx context.Context, preferred ...int64) (Document, bool, error) {
	var d Document
	var ok bool
	wanted, err := idList(preferred)
	if err != nil {
		return d, false, err
	}
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		ids, err := collect(ctx, tx, scanID, `UPDATE documents SET status = 'indexing', stale = 0, attempts = attempts + 1 WHERE id = (
			SELECT d.id FROM documents d WHERE d.status = 'waiting' AND d.missing_at IS NULL AND EXISTS (
				SELECT 1 FROM placements p JOIN folders f ON f.id = p.folder WHERE p.document = d.id AND f.state NOT IN ('paused', 'offline'))
			ORDER BY d.id IN (SELECT value FROM json_each(?)) DESC, (CASE WHEN d.size <= ? THEN 0 WHEN d.size <= ? THEN 1 ELSE 2 END), d.mtime DESC, d.id LIMIT 1) RETURNING id`, wanted, smallFile, largeFile)
		if err != nil || len(ids) == 0 {
			return err
		}
		d, ok, err = first(collect(ctx, tx, scanDocument, selectDocument+" WHERE d.id = ?", ids[0]))
		return err
	})
	return d, ok && err == nil, err
}

// maxInterrupted is after how many interrupted attempts in a row a file is put
// aside: a file that ends the program each time must not do so for ever.
const maxInterrupted = 5

// RequeueInterrupted puts files that were being read when the program ended
// back into the queue, at start. It returns how many.
func (s *Store) RequeueInterrupted(ctx context.Context) (int, error) {
	var n int64
	err := s.db.Update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE documents SET status = 'parked', verdict_status = 'parked', reason = ?1, verdict_reason = ?1
			WHERE status = 'indexing' AND attempts >= ?2`,
			"Reading this file was interrupted several times. It is left alone until it changes or you retry it.", maxInterrupted)
		if err != nil {
			return err
		}
		r, err := tx.ExecContext(ctx, "UPDATE documents SET status = 'waiting', stale = 0 WHERE status = 'indexing'")
		if err != nil {
			return err
		}
		n, err = r.RowsAffected()
		return err
	})
	return int(n), err
}

// RequeueOutdated puts files that an earlier version of the extractor could not
// read, or not wholly, back into the queue: a newer one may know their kind. It
// returns how many.
func (s *Store) RequeueOutdated(ctx context.Context, extractorVersion int) (int, error) {
	var n int64
	err := s.db.Update(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `UPDATE documents SET status = 'waiting', reason = '', attempts = 0, hash = ''
			WHERE extractor_version <> 0 AND extractor_version <> ?
			AND status IN ('unsupported', 'damaged', 'parked', 'needs_ocr', 'timed_out', 'partly_indexed')`, extractorVersion)
		if err != nil {
			return err
		}
		n, err = r.RowsAffected()
		return err
	})
	return int(n), err
}

// SetStatus sets a status without touching content. A final status becomes the
// file's verdict, with no bytes attached to it: the file is read again when its
// size or time changes.
func (s *Store) SetStatus(ctx context.Context, id int64, status, reason string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		if status == statusWaiting || status == statusIndexing {
			return mustTouch(tx.ExecContext(ctx, "UPDATE documents SET status = ?, reason = ? WHERE id = ?", status, reason, id))
		}
		return mustTouch(tx.ExecContext(ctx, `UPDATE documents SET status = CASE stale WHEN 1 THEN 'waiting' ELSE ?1 END, reason = ?2, stale = 0,
			verdict_status = ?1, verdict_reason = ?2, hash = '', updated = ?3 WHERE id = ?4`, status, reason, time.Now().UnixMilli(), id))
	})
}

// Judged keeps a verdict about the bytes with this hash without touching
// content: the file could not be read now, and what was stored stays
// searchable. The same bytes are not tried again unless Requeue says so.
func (s *Store) Judged(ctx context.Context, id int64, status, reason, hash string, extractorVersion int) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		return mustTouch(tx.ExecContext(ctx, `UPDATE documents SET status = CASE stale WHEN 1 THEN 'waiting' ELSE ?1 END, reason = ?2, stale = 0,
			verdict_status = ?1, verdict_reason = ?2, hash = `+judgedHash+`, extractor_version = ?4, updated = ?5 WHERE id = ?6`, status, reason, hash, extractorVersion, time.Now().UnixMilli(), id))
	})
}

// Unchanged ends the reading of a file whose bytes were judged before: its last
// verdict stands.
func (s *Store) Unchanged(ctx context.Context, id int64) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		return mustTouch(tx.ExecContext(ctx, `UPDATE documents SET status = CASE stale WHEN 1 THEN 'waiting' ELSE verdict_status END,
			reason = verdict_reason, stale = 0, attempts = 0
			WHERE id = ? AND verdict_status <> ''`, id))
	})
}

// Requeue makes a file wait again as if its bytes were new. Its content stays.
func (s *Store) Requeue(ctx context.Context, id int64) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error { return mustTouch(requeue(ctx, tx, id)) })
}

// SetEncoding keeps the encoding that a person has set for a file (empty: it is
// found out) and makes the file wait again, as Requeue does.
func (s *Store) SetEncoding(ctx context.Context, id int64, encoding string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		if err := mustTouch(tx.ExecContext(ctx, "UPDATE documents SET encoding_choice = ? WHERE id = ?", encoding, id)); err != nil {
			return err
		}
		return mustTouch(requeue(ctx, tx, id))
	})
}

func requeue(ctx context.Context, tx *sql.Tx, id int64) (sql.Result, error) {
	return tx.ExecContext(ctx, `UPDATE documents SET reason = '', attempts = 0, hash = '',
		stale = (status = 'indexing'), status = CASE status WHEN 'indexing' THEN 'indexing' ELSE 'waiting' END WHERE id = ?`, id)
}

// judgedHash is the hash that a verdict stores, of that of the bytes (?3): a file
// that was requeued while it was being read is still to be read as if its bytes
// were new.
const judgedHash = "CASE WHEN stale = 1 AND hash = '' THEN '' ELSE ?3 END"

// Release puts a file that was being read back into the queue without counting
// the attempt: the reading was called off, not ended by the file.
func (s *Store) Release(ctx context.Context, id int64) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE documents SET status = 'waiting', stale = 0, attempts = max(attempts - 1, 0) WHERE id = ? AND status = 'indexing'", id)
		return err
	})
}

// Again puts a file that was being read back into the queue; the attempt counts.
func (s *Store) Again(ctx context.Context, id int64) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE documents SET status = 'waiting', stale = 0 WHERE id = ? AND status = 'indexing'", id)
		return err
	})
}

// Unfinished counts the files that wait or are being read, without those that
// only paused or offline folders reach.
func (s *Store) Unfinished(ctx context.Context) (int, error) {
	var n int
	err := s.db.Read.QueryRowContext(ctx, `SELECT count(*) FROM documents d WHERE d.status IN ('waiting', 'indexing') AND d.missing_at IS NULL AND EXISTS (
		SELECT 1 FROM placements p JOIN folders f ON f.id = p.folder WHERE p.document = d.id AND f.state NOT IN ('paused', 'offline'))`).Scan(&n)
	return n, storage.Explain(err)
}
