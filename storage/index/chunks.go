package index

import (
	"context"
	"database/sql"
	"encoding/json"
	"path"
	"strings"
)

// Chunk is a stored chunk with what a search needs of its document.
type Chunk struct {
	ID, Document, Parent int64 // Parent 0: none
	Ordinal              int
	ContentHash          string
	Header               string // embedded in front of Text, never quoted
	Text                 string
	Heading              string
	Locator              string // JSON
	Class                string // its own, else the document's
	Language             string
	Offset, Length       int // code points in the document's text
	Tokens               int // estimate
	Pinned, LowRank      bool

	Path, Title, Kind, FileName string // of the document
}

// EachChunk hands every chunk that may be found to fn, by ascending number,
// beginning after the given one: of public documents that are there.
func (s *Store) EachChunk(ctx context.Context, after int64, fn func(Chunk) error) error {
	return each(ctx, s.db.Read, scanChunk, fn, selectChunk+" WHERE c.id > ? AND "+findable+" ORDER BY c.id", after)
}

// Chunks returns chunks in the order of ids. Those that are gone, restricted or
// of a vanished document are left out.
func (s *Store) Chunks(ctx context.Context, ids []int64) ([]Chunk, error) {
	list, err := idList(ids)
	if err != nil {
		return nil, err
	}
	return collect(ctx, s.db.Read, scanChunk, strings.Replace(selectChunk, "FROM chunks c", "FROM json_each(?) j JOIN chunks c ON c.id = j.value", 1)+
		" WHERE "+findable+" ORDER BY j.key", list)
}

// DocumentChunks returns the chunks of one document in order; none when it is
// restricted or vanished.
func (s *Store) DocumentChunks(ctx context.Context, document int64) ([]Chunk, error) {
	return collect(ctx, s.db.Read, scanChunk, selectChunk+" WHERE c.document = ? AND "+findable+" ORDER BY c.ordinal", document)
}

// ChunksWithContent returns the numbers of the chunks that may be found, by
// content hash.
func (s *Store) ChunksWithContent(ctx context.Context, hashes []string) (map[string][]int64, error) {
	list, err := json.Marshal(append([]string{}, hashes...))
	if err != nil {
		return nil, err
	}
	found := make(map[string][]int64, len(hashes))
	err = each(ctx, s.db.Read, scanIdentity, func(i identity) error { found[i.hash] = append(found[i.hash], i.id); return nil },
		`SELECT c.id, c.content_hash FROM json_each(?) j JOIN chunks c ON c.content_hash = j.value
		JOIN documents d ON d.id = c.document WHERE `+findable+" ORDER BY c.id", string(list))
	return found, err
}

// RestrictedContent returns which content hashes only restricted documents hold:
// text that may be found nowhere.
func (s *Store) RestrictedContent(ctx context.Context, hashes []string) ([]string, error) {
	list, err := json.Marshal(append([]string{}, hashes...))
	if err != nil {
		return nil, err
	}
	scan := func(rows *sql.Rows) (string, error) {
		var hash string
		err := rows.Scan(&hash)
		return hash, err
	}
	return collect(ctx, s.db.Read, scan, `SELECT c.content_hash FROM json_each(?) j JOIN chunks c ON c.content_hash = j.value
		JOIN documents d ON d.id = c.document GROUP BY c.content_hash HAVING min(d.restricted) = 1 ORDER BY c.content_hash`, string(list))
}

// findable is the one rule of what a search may see.
const findable = "d.restricted = 0 AND d.missing_at IS NULL"

const selectChunk = `SELECT c.id, c.document, c.parent, c.ordinal, c.content_hash, c.header, c.text, c.heading, c.locator,
	CASE c.class WHEN '' THEN d.class ELSE c.class END, d.language, c.start, c.length, c.tokens, c.pinned, c.low_rank, d.path, d.title, d.kind
	FROM chunks c JOIN documents d ON d.id = c.document`

func scanChunk(rows *sql.Rows) (Chunk, error) {
	var c Chunk
	err := rows.Scan(&c.ID, &c.Document, &c.Parent, &c.Ordinal, &c.ContentHash, &c.Header, &c.Text, &c.Heading, &c.Locator,
		&c.Class, &c.Language, &c.Offset, &c.Length, &c.Tokens, &c.Pinned, &c.LowRank, &c.Path, &c.Title, &c.Kind)
	c.FileName = path.Base(strings.ReplaceAll(c.Path, `\`, "/"))
	return c, err
}

// idList is the JSON form of numbers, so that a query of any length has one
// parameter.
func idList(ids []int64) (string, error) {
	b, err := json.Marshal(append([]int64{}, ids...))
	return string(b), err
}
