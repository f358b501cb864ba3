package index

import (
	"context"
	"database/sql"
	"time"
)

// Statuses that the ledger itself sets. The others come from the caller.
const (
	statusWaiting  = "waiting"
	statusIndexing = "indexing"
)

// FileSeen is a file as it lies on the disk.
type FileSeen struct {
	Folder  int64
	Path    string // absolute
	Size    int64  // bytes
	ModTime time.Time
	Inode   uint64 // 0: not known
}

// FileState is what the ledger knows of a file.
type FileState struct {
	Document                         int64
	Path                             string
	Size                             int64
	ModTime                          time.Time
	Inode                            uint64
	Status                           string
	Missing                          bool
	Placed                           bool // the folder that was asked for reaches it
	ExtractorVersion, ChunkerVersion int
}

// EachFile hands the ledger of a folder to fn: every document that it reaches,
// missing ones too, as they entered it. Rows are met as they lie in the file,
// which takes a third of the time of going by their paths.
func (s *Store) EachFile(ctx context.Context, folder int64, fn func(FileState) error) error {
	return each(ctx, s.db.Read, scanFileState, fn, `SELECT d.id, d.path, d.size, d.mtime, d.inode, d.status, d.missing_at IS NOT NULL,
		1, d.extractor_version, d.chunker_version FROM placements p CROSS JOIN documents d ON d.id = p.document WHERE p.folder = ?1 ORDER BY p.document`, folder)
}

// File finds one file in the ledger; false when it was never seen.
func (s *Store) File(ctx context.Context, folder int64, path string) (FileState, bool, error) {
	return first(collect(ctx, s.db.Read, scanFileState, selectFileState+" WHERE d.path = ?2", folder, path))
}

const selectFileState = `SELECT d.id, d.path, d.size, d.mtime, d.inode, d.status, d.missing_at IS NOT NULL,
	EXISTS (SELECT 1 FROM placements WHERE document = d.id AND folder = ?1), d.extractor_version, d.chunker_version FROM documents d`

func scanFileState(rows *sql.Rows) (FileState, error) {
	var f FileState
	var modified, inode int64
	err := rows.Scan(&f.Document, &f.Path, &f.Size, &modified, &inode, &f.Status, &f.Missing, &f.Placed, &f.ExtractorVersion, &f.ChunkerVersion)
	f.ModTime, f.Inode = time.Unix(0, modified), uint64(inode)
	return f, err
}

// Found enters files into the ledger: a new one, or one whose size or time
// differs, waits to be read; one that had vanished is there again. It returns
// the documents that now wait. Content that is stored stays searchable.
func (s *Store) Found(ctx context.Context, files []FileSeen) (changed []int64, err error) {
	changed, _, err = s.Enter(ctx, files)
	return changed, err
}

// Enter does what Found does and also returns the documents that a search may
// see otherwise than before: they had vanished and are there again, or another
// folder with labels of its own reaches them now.
func (s *Store) Enter(ctx context.Context, files []FileSeen) (changed, shown []int64, err error) {
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		changed, shown = nil, nil
		for _, f := range files {
			e, err := enter(ctx, tx, f)
			if err != nil {
				return err
			}
			if e.waits {
				changed = append(changed, e.document)
			}
			if e.shown {
				shown = append(shown, e.document)
			}
		}
		return nil
	})
	return changed, shown, err
}

// entry is what entering a file did.
type entry struct {
	document     int64
	waits, shown bool
}

func enter(ctx context.Context, tx *sql.Tx, f FileSeen) (entry, error) {
	known, err := collect(ctx, tx, scanFileState, selectFileState+" WHERE d.path = ?2", f.Folder, f.Path)
	if err != nil {
		return entry{}, err
	}
	modified := f.ModTime.UnixNano()
	if len(known) == 0 {
		r, err := tx.ExecContext(ctx, `INSERT INTO documents (path, size, mtime, inode, status, reason, verdict_status, verdict_reason, hash, stale, attempts,
			kind, title, title_source, language, encoding, class, class_source, label, restricted, pages, chunk_count, extractor_version, chunker_version, updated)
			VALUES (?, ?, ?, ?, 'waiting', '', '', '', '', 0, 0, '', '', '', '', '', 'unknown', 'rule', 'public', 0, 0, 0, 0, 0, ?)`,
			f.Path, f.Size, modified, int64(f.Inode), time.Now().UnixMilli())
		if err != nil {
			return entry{}, err
		}
		id, err := r.LastInsertId()
		if err != nil {
			return entry{}, err
		}
		return entry{document: id, waits: true}, place(ctx, tx, id, f.Folder)
	}
	was := known[0]
	e := entry{document: was.Document, shown: was.Missing || !was.Placed}
	if !was.Placed {
		if err := place(ctx, tx, was.Document, f.Folder); err != nil {
			return entry{}, err
		}
	}
	if was.Size == f.Size && was.ModTime.UnixNano() == modified {
		_, err := tx.ExecContext(ctx, "UPDATE documents SET inode = ?, missing_at = NULL WHERE id = ?", int64(f.Inode), was.Document)
		return e, err
	}
	// A file that is being read at this moment is only marked; it waits again
	// when that reading ends.
	_, err = tx.ExecContext(ctx, `UPDATE documents SET size = ?, mtime = ?, inode = ?, missing_at = NULL, reason = '', attempts = 0,
		stale = (status = 'indexing'), status = CASE status WHEN 'indexing' THEN 'indexing' ELSE 'waiting' END WHERE id = ?`,
		f.Size, modified, int64(f.Inode), was.Document)
	e.waits = true
	return e, err
}

func place(ctx context.Context, tx *sql.Tx, document, folder int64) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO placements (document, folder) VALUES (?, ?) ON CONFLICT DO NOTHING", document, folder); err != nil {
		return err
	}
	_, err := relabelWhere(ctx, tx, "d.id = ?", document)
	return err
}

// FilesUnder lists the files at path or below it that are there, by path.
func (s *Store) FilesUnder(ctx context.Context, path string) ([]FileState, error) {
	low, high := pathRange(path)
	return collect(ctx, s.db.Read, scanFileState, selectFileState+" WHERE d.missing_at IS NULL AND (d.path = ?2 OR d.path >= ?3 AND d.path < ?4) ORDER BY d.path", 0, path, low, high)
}
