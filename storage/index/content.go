package index

import (
	"context"
	"database/sql"
	"time"

	"referent/storage"
)

// StoredParent is the section or page around chunks.
type StoredParent struct {
	Ordinal int
	Text    string
	Locator string // JSON
	Offset  int    // code points in the document's text
	Length  int    // code points
	Tokens  int    // estimate
}

// StoredChunk is a chunk as it is handed in.
type StoredChunk struct {
	Ordinal     int
	Parent      int    // ordinal of its parent in DocumentContent.Parents; -1: none
	ContentHash string // of header and text
	Header      string
	Text        string
	Heading     string // path, joined for people
	Locator     string // JSON
	Offset      int    // code points in the document's text
	Length      int    // code points
	Tokens      int    // estimate
	LowRank     bool
	Class       string // empty: the document's
}

// DocumentContent is everything that was read from a file.
type DocumentContent struct {
	Document         int64
	Status           string // a final status
	Reason           string
	Kind             string
	Title            string
	TitleSource      string
	Language         string
	Encoding         string
	Hash             string // of the bytes that were read
	Class            string
	Pages            int
	ExtractorVersion int
	ChunkerVersion   int
	Text             string
	Parents          []StoredParent
	Chunks           []StoredChunk
}

// Replace stores a document's content in one transaction: all of it, or none
// and the old content stays. A chunk whose content hash the document had before
// keeps its number, pin and class; vectors and token counts stay while a public
// chunk anywhere has their content. It returns the document's chunks in order
// (none when it is restricted) and the numbers of those that went away.
func (s *Store) Replace(ctx context.Context, c DocumentContent) (chunks []Chunk, removed []int64, err error) {
	err = s.db.Update(ctx, func(tx *sql.Tx) error {
		if err := mustTouch(replaceDocument(ctx, tx, c)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO texts (document, text) VALUES (?, ?) ON CONFLICT (document) DO UPDATE SET text = excluded.text", c.Document, c.Text); err != nil {
			return err
		}
		parents, err := replaceParents(ctx, tx, c)
		if err != nil {
			return err
		}
		if removed, err = replaceChunks(ctx, tx, c, parents); err != nil {
			return err
		}
		chunks, err = collect(ctx, tx, scanChunk, selectChunk+" WHERE c.document = ? AND d.restricted = 0 ORDER BY c.ordinal", c.Document)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return chunks, removed, nil
}

func replaceDocument(ctx context.Context, tx *sql.Tx, c DocumentContent) (sql.Result, error) {
	return tx.ExecContext(ctx, `UPDATE documents SET status = CASE stale WHEN 1 THEN 'waiting' ELSE ?1 END, reason = ?2, stale = 0, attempts = 0,
		verdict_status = ?1, verdict_reason = ?2, hash = `+judgedHash+`, kind = ?4, title = ?5, title_source = ?6, language = ?7, encoding = ?8,
		class = CASE class_source WHEN 'user' THEN class ELSE ?9 END, pages = ?10, chunk_count = ?11, extractor_version = ?12, chunker_version = ?13,
		updated = ?14 WHERE id = ?15`,
		c.Status, c.Reason, c.Hash, c.Kind, c.Title, c.TitleSource, c.Language, c.Encoding, c.Class, c.Pages, len(c.Chunks),
		c.ExtractorVersion, c.ChunkerVersion, time.Now().UnixMilli(), c.Document)
}

// replaceParents returns the number of each parent by its ordinal.
func replaceParents(ctx context.Context, tx *sql.Tx, c DocumentContent) (map[int]int64, error) {
	if _, err := tx.ExecContext(ctx, "DELETE FROM parents WHERE document = ?", c.Document); err != nil {
		return nil, err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO parents (document, ordinal, text, locator, start, length, tokens) VALUES (?, ?, ?, ?, ?, ?, ?)")
	if err != nil {
		return nil, err
	}
	defer insert.Close()
	numbers := make(map[int]int64, len(c.Parents))
	for _, p := range c.Parents {
		r, err := insert.ExecContext(ctx, c.Document, p.Ordinal, p.Text, p.Locator, p.Offset, p.Length, p.Tokens)
		if err != nil {
			return nil, err
		}
		if numbers[p.Ordinal], err = r.LastInsertId(); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

func replaceChunks(ctx context.Context, tx *sql.Tx, c DocumentContent, parents map[int]int64) (removed []int64, err error) {
	old, err := collect(ctx, tx, scanIdentity, "SELECT id, content_hash FROM chunks WHERE document = ? ORDER BY ordinal", c.Document)
	if err != nil {
		return nil, err
	}
	kept := map[string][]int64{}
	for _, o := range old {
		kept[o.hash] = append(kept[o.hash], o.id)
	}
	// Out of the way: an ordinal may pass from one kept chunk to another.
	if _, err := tx.ExecContext(ctx, "UPDATE chunks SET ordinal = -1 - ordinal WHERE document = ?", c.Document); err != nil {
		return nil, err
	}
	insert, err := tx.PrepareContext(ctx, `INSERT INTO chunks (document, ordinal, parent, content_hash, header, text, heading, locator, start, length, tokens, low_rank, class, pinned)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`)
	if err != nil {
		return nil, err
	}
	defer insert.Close()
	for _, n := range c.Chunks {
		parent := parents[n.Parent] // 0 when there is none
		if ids := kept[n.ContentHash]; len(ids) > 0 {
			kept[n.ContentHash] = ids[1:]
			_, err = tx.ExecContext(ctx, `UPDATE chunks SET ordinal = ?, parent = ?, header = ?, text = ?, heading = ?, locator = ?, start = ?, length = ?, tokens = ?, low_rank = ? WHERE id = ?`,
				n.Ordinal, parent, n.Header, n.Text, n.Heading, n.Locator, n.Offset, n.Length, n.Tokens, n.LowRank, ids[0])
		} else {
			_, err = insert.ExecContext(ctx, c.Document, n.Ordinal, parent, n.ContentHash, n.Header, n.Text, n.Heading, n.Locator, n.Offset, n.Length, n.Tokens, n.LowRank, n.Class)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, o := range old {
		for _, id := range kept[o.hash] {
			if id == o.id {
				removed = append(removed, id)
			}
		}
	}
	gone := map[string]bool{}
	for _, o := range old {
		gone[o.hash] = gone[o.hash] || len(kept[o.hash]) > 0
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM chunks WHERE document = ? AND ordinal < 0", c.Document); err != nil {
		return nil, err
	}
	for hash, some := range gone {
		if !some {
			continue
		}
		if err := dropUnused(ctx, tx, "?", hash); err != nil {
			return nil, err
		}
	}
	return removed, nil
}

type identity struct {
	id   int64
	hash string
}

func scanIdentity(rows *sql.Rows) (identity, error) {
	var i identity
	err := rows.Scan(&i.id, &i.hash)
	return i, err
}

// Parents returns parents by number. Those of restricted or vanished documents
// are left out.
func (s *Store) Parents(ctx context.Context, ids []int64) (map[int64]StoredParent, error) {
	type row struct {
		id int64
		p  StoredParent
	}
	scan := func(rows *sql.Rows) (row, error) {
		var r row
		err := rows.Scan(&r.id, &r.p.Ordinal, &r.p.Text, &r.p.Locator, &r.p.Offset, &r.p.Length, &r.p.Tokens)
		return r, err
	}
	found := make(map[int64]StoredParent, len(ids))
	list, err := idList(ids)
	if err != nil {
		return nil, err
	}
	err = each(ctx, s.db.Read, scan, func(r row) error { found[r.id] = r.p; return nil },
		`SELECT p.id, p.ordinal, p.text, p.locator, p.start, p.length, p.tokens FROM json_each(?) j JOIN parents p ON p.id = j.value
		JOIN documents d ON d.id = p.document WHERE d.restricted = 0 AND d.missing_at IS NULL`, list)
	return found, storage.Explain(err)
}
