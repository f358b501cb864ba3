package index

import (
	"context"
	"database/sql"
)

// Place says which part of a document's text a chunk is.
type Place struct {
	ContentHash   string // as of the chunk
	Heading       string
	Locator       string // JSON
	Start, Length int    // code points in the document's text
}

// Places returns the places of one document in the order of its text, also of a
// restricted one: like DocumentText it is for the owner, never for a search.
func (s *Store) Places(ctx context.Context, document int64) ([]Place, error) {
	scan := func(rows *sql.Rows) (Place, error) {
		var p Place
		err := rows.Scan(&p.ContentHash, &p.Heading, &p.Locator, &p.Start, &p.Length)
		return p, err
	}
	return collect(ctx, s.db.Read, scan, "SELECT content_hash, heading, locator, start, length FROM chunks WHERE document = ? ORDER BY start, ordinal", document)
}
