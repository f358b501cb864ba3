package index

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"referent/storage"
)

// DocumentColumns is what filters and scopes look at.
type DocumentColumns struct {
	ID, Folder  int64
	Collections []int64
	Tags        []string // in normal form, sorted
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
// restricted and vanished ones too. They are of one moment. A library is opened
// with it, so they come in pages where those are kept, and packed where not.
// Documents may share their lists, which are not to be changed.
func (s *Store) EachDocumentColumns(ctx context.Context, fn func(DocumentColumns) error) error {
	tx, err := s.db.Read.BeginTx(ctx, nil)
	if err != nil {
		return storage.Explain(err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	pages, err := collect(ctx, tx, scanColumnPage, "SELECT page, documents FROM column_pages ORDER BY page")
	if errors.Is(err, storage.ErrDamaged) {
		pages, err = nil, nil // they are copies: the documents themselves are read
	}
	if err != nil {
		return err
	}
	next := int64(0) // the first page that was not handed
	var room []DocumentColumns
	for _, p := range pages {
		batch, err := decodeColumns(p.documents, room)
		if err != nil {
			continue // damaged or of another form: read like a page that is not there
		}
		if err := eachPacked(ctx, tx, next, p.number, fn); err != nil {
			return err
		}
		next = p.number + 1
		for _, c := range batch {
			if err := fn(c); err != nil {
				return err
			}
		}
		room = batch
	}
	return eachPacked(ctx, tx, next, lastPage, fn)
}

// eachPacked hands the columns of the documents of the pages from first to before
// end. Folders, collections and tags are read once and not for each document.
func eachPacked(ctx context.Context, tx *sql.Tx, first, end int64, fn func(DocumentColumns) error) error {
	if first >= end {
		return nil
	}
	from, to := first*pageDocuments, end*pageDocuments
	collections := map[int64][]int64{} // by folder, ascending
	err := each(ctx, tx, scanPair, func(p pair) error { collections[p.a] = append(collections[p.a], p.b); return nil },
		"SELECT folder, collection FROM memberships ORDER BY folder, collection")
	if err != nil {
		return err
	}
	places, err := placesOf(ctx, tx, from, to)
	if err != nil {
		return err
	}
	tags := map[int64][]string{}
	err = each(ctx, tx, scanTag, func(t documentTag) error { tags[t.document] = append(tags[t.document], t.tag); return nil },
		"SELECT document, tag FROM tags WHERE document >= ? AND document < ? ORDER BY document, tag", from, to)
	if err != nil {
		return err
	}
	for last, more := from-1, true; more; {
		batch, err := packedColumns(ctx, tx, last, to)
		if err != nil {
			return err
		}
		for _, c := range batch {
			last = c.ID
			c.Tags, c.Collections = tags[c.ID], []int64{}
			for len(places) > 0 && places[0].a < c.ID {
				places = places[1:]
			}
			for n := 0; len(places) > 0 && places[0].a == c.ID; n++ {
				if n == 0 {
					c.Folder = places[0].b
				}
				c.Collections = append(c.Collections, collections[places[0].b]...)
				places = places[1:]
			}
			slices.Sort(c.Collections)
			c.Collections = slices.Compact(c.Collections)
			if err := fn(c); err != nil {
				return err
			}
		}
		more = len(batch) == packedRows
	}
	return nil
}

// pair is a row of two numbers.
type pair struct{ a, b int64 }

func scanPair(rows *sql.Rows) (p pair, err error) {
	err = rows.Scan(&p.a, &p.b)
	return p, err
}

type documentTag struct {
	document int64
	tag      string
}

func scanTag(rows *sql.Rows) (t documentTag, err error) {
	err = rows.Scan(&t.document, &t.tag)
	return t, err
}

// Columns returns the columns of one document; false when there is none.
func (s *Store) Columns(ctx context.Context, document int64) (DocumentColumns, bool, error) {
	c, ok, err := first(collect(ctx, s.db.Read, scanColumns, selectColumns+" WHERE d.id = ?", document))
	if err != nil || !ok {
		return c, ok, err
	}
	folders, err := collect(ctx, s.db.Read, scanID, "SELECT folder FROM placements WHERE document = ? ORDER BY folder", document)
	if err != nil {
		return c, false, err
	}
	if len(folders) > 0 {
		c.Folder = folders[0]
	}
	c.Collections = []int64{}
	err = each(ctx, s.db.Read, scanID, func(id int64) error { c.Collections = append(c.Collections, id); return nil },
		"SELECT DISTINCT m.collection FROM placements p JOIN memberships m ON m.folder = p.folder WHERE p.document = ? ORDER BY m.collection", document)
	if err != nil {
		return c, false, err
	}
	err = each(ctx, s.db.Read, scanTag, func(t documentTag) error { c.Tags = append(c.Tags, t.tag); return nil },
		"SELECT document, tag FROM tags WHERE document = ? ORDER BY tag", document)
	return c, err == nil, err
}

// selectColumns leaves folders, collections and tags to others.
const selectColumns = `SELECT d.id, d.path, d.kind, d.language, d.class, d.restricted, d.mtime,
	d.restricted = 0 AND d.missing_at IS NULL AND d.chunk_count > 0, d.chunk_count, d.revision FROM documents d`

func scanColumns(rows *sql.Rows) (DocumentColumns, error) {
	var c DocumentColumns
	var restricted bool
	var modified int64
	if err := rows.Scan(&c.ID, &c.Path, &c.Kind, &c.Language, &c.Class, &restricted, &modified, &c.Searchable, &c.Chunks, &c.Revision); err != nil {
		return c, err
	}
	c.ModTime, c.Label = time.Unix(0, modified), labelPublic
	if restricted {
		c.Label = labelRestricted
	}
	return c, nil
}
