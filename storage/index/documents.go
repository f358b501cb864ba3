package index

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"referent/storage"
)

// Document is a file of the library.
type Document struct {
	ID, Folder       int64 // Folder: the first root that reaches it
	Path             string
	Kind             string
	Status           string // the closed list of file statuses
	Reason           string // a sentence; empty when all is well
	Title            string
	TitleSource      string
	Language         string
	Encoding         string // that the text was read in
	EncodingChoice   string // that the person has set; empty: it is found out
	Hash             string // of the bytes that were last judged
	Class            string
	ClassSource      string // rule | user
	Label            string // the strictest of its own, its folders' and its collections'
	Size             int64  // bytes, as last seen
	ModTime          time.Time
	Pages            int
	Chunks           int
	Vectors          int // chunks with a vector of the model last used; 0 while restricted
	Attempts         int
	ExtractorVersion int
	ChunkerVersion   int
	Updated          time.Time
	Missing          bool   // its path vanished; it waits for the other half of a move
	Verdict          string // the last final status; empty: never judged
}

// DocumentQuery narrows a list. Zero fields do not narrow.
type DocumentQuery struct {
	Folder        int64
	Collection    int64
	Status        string
	PathUnder     string // a folder or a file
	Search        string // part of path or title, any case
	Label         string // public or restricted
	Sort          string // path, status, updated (newest first) or size (largest first); empty: path
	Limit, Offset int    // Limit 0: all
}

// orders are the ways to sort a list; path makes each of them definite.
var orders = map[string]string{"status": "d.status, d.path", "updated": "d.updated DESC, d.path", "size": "d.size DESC, d.path"}

// Documents lists documents. Documents whose path vanished are left out.
func (s *Store) Documents(ctx context.Context, q DocumentQuery) ([]Document, error) {
	where, args := q.where()
	limit := q.Limit
	if limit <= 0 {
		limit = -1
	}
	order := orders[q.Sort]
	if order == "" {
		order = "d.path"
	}
	return collect(ctx, s.db.Read, scanDocument, selectDocument+where+" ORDER BY "+order+" LIMIT ? OFFSET ?", append(args, limit, q.Offset)...)
}

// CountDocuments counts what Documents would list without a limit.
func (s *Store) CountDocuments(ctx context.Context, q DocumentQuery) (int, error) {
	where, args := q.where()
	var n int
	err := s.db.Read.QueryRowContext(ctx, "SELECT count(*) FROM documents d"+where, args...).Scan(&n)
	return n, storage.Explain(err)
}

// where is the condition of a query with its arguments.
func (q DocumentQuery) where() (string, []any) {
	where, args := []string{"d.missing_at IS NULL"}, []any{}
	add := func(clause string, values ...any) { where, args = append(where, clause), append(args, values...) }
	if q.Folder != 0 {
		add("EXISTS (SELECT 1 FROM placements p WHERE p.document = d.id AND p.folder = ?)", q.Folder)
	}
	if q.Collection != 0 {
		add("EXISTS (SELECT 1 FROM placements p JOIN memberships m ON m.folder = p.folder WHERE p.document = d.id AND m.collection = ?)", q.Collection)
	}
	if q.Status != "" {
		add("d.status = ?", q.Status)
	}
	if q.PathUnder != "" {
		low, high := pathRange(q.PathUnder)
		add("(d.path = ? OR d.path >= ? AND d.path < ?)", q.PathUnder, low, high)
	}
	if q.Search != "" {
		like := "%" + escapeLike(q.Search) + "%"
		add(`(d.path LIKE ? ESCAPE '\' OR d.title LIKE ? ESCAPE '\')`, like, like)
	}
	if q.Label != "" {
		add("d.restricted = ?", q.Label == labelRestricted)
	}
	return " WHERE " + strings.Join(where, " AND "), args
}

// Document finds a document by its number, also a missing one; false when there
// is none.
func (s *Store) Document(ctx context.Context, id int64) (Document, bool, error) {
	return first(collect(ctx, s.db.Read, scanDocument, selectDocument+" WHERE d.id = ?", id))
}

// DocumentByPath finds a document by its absolute path, also a missing one.
func (s *Store) DocumentByPath(ctx context.Context, path string) (Document, bool, error) {
	return first(collect(ctx, s.db.Read, scanDocument, selectDocument+" WHERE d.path = ?", path))
}

// CountsByStatus counts the documents of a folder (0: of all) by status.
// Documents whose path vanished are left out.
func (s *Store) CountsByStatus(ctx context.Context, folder int64) (map[string]int, error) {
	counts := map[string]int{}
	type row struct {
		status string
		n      int
	}
	scan := func(rows *sql.Rows) (row, error) {
		var r row
		err := rows.Scan(&r.status, &r.n)
		return r, err
	}
	err := each(ctx, s.db.Read, scan, func(r row) error { counts[r.status] = r.n; return nil },
		`SELECT status, count(*) FROM documents d WHERE missing_at IS NULL
		AND (?1 = 0 OR EXISTS (SELECT 1 FROM placements p WHERE p.document = d.id AND p.folder = ?1)) GROUP BY status`, folder)
	return counts, err
}

// DocumentText returns the normalised text, also of a restricted document: the
// owner may read it. Empty when nothing was read.
func (s *Store) DocumentText(ctx context.Context, id int64) (string, error) {
	var text string
	err := s.db.Read.QueryRowContext(ctx, "SELECT text FROM texts WHERE document = ?", id).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return text, storage.Explain(err)
}

// SetDocumentClass sets the retention class. A class whose source is "user"
// outlives new versions of the file.
func (s *Store) SetDocumentClass(ctx context.Context, id int64, class, source string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		return mustTouch(tx.ExecContext(ctx, "UPDATE documents SET class = ?, class_source = ? WHERE id = ?", class, source, id))
	})
}

// SetChunkClass sets the retention class of one chunk; empty: the document's.
func (s *Store) SetChunkClass(ctx context.Context, chunk int64, class string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		return mustTouch(tx.ExecContext(ctx, "UPDATE chunks SET class = ? WHERE id = ?", class, chunk))
	})
}

// SetChunkPinned pins a chunk or takes the pin away. It stays while the
// chunk's header and text stay.
func (s *Store) SetChunkPinned(ctx context.Context, chunk int64, pinned bool) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		return mustTouch(tx.ExecContext(ctx, "UPDATE chunks SET pinned = ? WHERE id = ?", pinned, chunk))
	})
}

const selectDocument = `SELECT d.id, coalesce((SELECT min(folder) FROM placements WHERE document = d.id), 0), d.path, d.kind, d.status, d.reason,
	d.title, d.title_source, d.language, d.encoding, d.hash, d.class, d.class_source, d.restricted, d.size, d.mtime, d.pages, d.chunk_count,
	(SELECT count(*) FROM chunks c JOIN vectors v ON v.content_hash = c.content_hash AND v.model =
		(SELECT m.id FROM models m JOIN meta ON meta.key = 'embed_model' AND meta.value = m.key)
		WHERE c.document = d.id AND d.restricted = 0),
	d.attempts, d.extractor_version, d.chunker_version, d.updated, d.missing_at IS NOT NULL, d.verdict_status, d.encoding_choice FROM documents d`

func scanDocument(rows *sql.Rows) (Document, error) {
	var d Document
	var restricted bool
	var modified, updated int64
	err := rows.Scan(&d.ID, &d.Folder, &d.Path, &d.Kind, &d.Status, &d.Reason, &d.Title, &d.TitleSource, &d.Language, &d.Encoding, &d.Hash,
		&d.Class, &d.ClassSource, &restricted, &d.Size, &modified, &d.Pages, &d.Chunks, &d.Vectors, &d.Attempts,
		&d.ExtractorVersion, &d.ChunkerVersion, &updated, &d.Missing, &d.Verdict, &d.EncodingChoice)
	d.ModTime, d.Updated = time.Unix(0, modified), fromMillis(updated)
	d.Label = labelPublic
	if restricted {
		d.Label = labelRestricted
	}
	return d, err
}

func first[T any](found []T, err error) (T, bool, error) {
	if err != nil || len(found) == 0 {
		var zero T
		return zero, false, err
	}
	return found[0], true, nil
}

// pathRange bounds the paths below dir: "/a/b/" up to, but not, "/a/b0", where
// "0" follows "/" in the order of bytes (and "]" follows "\").
func pathRange(dir string) (low, high string) {
	sep := "/"
	if strings.Contains(dir, `\`) && !strings.Contains(dir, "/") {
		sep = `\`
	}
	dir = strings.TrimSuffix(dir, sep)
	return dir + sep, dir + string(sep[0]+1)
}

func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(s)
}
