package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"
)

// DocumentColumns is what filters and scopes look at.
type DocumentColumns struct {
	ID, Folder  int64
	Collections []int64
	Path        string
	Kind        string
	Language    string
	Class       string
	Label       string // the strictest
	ModTime     time.Time
	Searchable  bool // public, there, and with chunks
	Chunks      int
	Revision    int64 // counts changes of its words; 0 when not known
}

// EachDocumentColumns hands the columns of every document to fn, by number,
// restricted and vanished ones too.
func (s *Store) EachDocumentColumns(ctx context.Context, fn func(DocumentColumns) error) error {
	return each(ctx, s.db.Read, scanColumns, fn, selectColumns+" ORDER BY d.id")
}

// Columns returns the columns of one document; false when there is none.
func (s *Store) Columns(ctx context.Context, document int64) (DocumentColumns, bool, error) {
	return first(collect(ctx, s.db.Read, scanColumns, selectColumns+" WHERE d.id = ?", document))
}

const selectColumns = `SELECT d.id, coalesce((SELECT min(folder) FROM placements WHERE document = d.id), 0),
	(SELECT json_group_array(DISTINCT m.collection) FROM placements p JOIN memberships m ON m.folder = p.folder WHERE p.document = d.id),
	d.path, d.kind, d.language, d.class, d.restricted, d.mtime, d.restricted = 0 AND d.missing_at IS NULL AND d.chunk_count > 0,
	d.chunk_count, d.revision FROM documents d`

func scanColumns(rows *sql.Rows) (DocumentColumns, error) {
	var c DocumentColumns
	var collections string
	var restricted bool
	var modified int64
	if err := rows.Scan(&c.ID, &c.Folder, &collections, &c.Path, &c.Kind, &c.Language, &c.Class, &restricted, &modified, &c.Searchable, &c.Chunks, &c.Revision); err != nil {
		return c, err
	}
	c.ModTime, c.Label = time.Unix(0, modified), labelPublic
	if restricted {
		c.Label = labelRestricted
	}
	return c, json.Unmarshal([]byte(collections), &c.Collections)
}
