package index

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"referent/storage"
)

// packedRows is how many documents come as one row. Reading fifty thousand rows
// one by one was most of a start.
const packedRows = 2000

// packedFields are the fields of a document in front of its path.
const packedFields = 10

var errPacked = errors.New("a packed row has another form")

// packedColumns returns the columns of the documents after a number and before
// another, by number, without folders, collections and tags; fewer than packedRows: there are no more.
// Fields are divided by a NUL, which none of them holds; the path, which comes
// from outside, has its length in front.
func packedColumns(ctx context.Context, tx *sql.Tx, after, before int64) ([]DocumentColumns, error) {
	packed, err := packedText(ctx, tx, `SELECT group_concat(concat_ws(char(0), id, mtime, chunk_count, revision, restricted,
		missing_at IS NULL, kind, language, class, octet_length(path), path), char(0)) FROM (
			SELECT id, mtime, chunk_count, revision, restricted, missing_at, kind, language, class, path FROM documents WHERE id > ? AND id < ? ORDER BY id LIMIT ?)`,
		after, before, packedRows)
	if err != nil {
		return nil, err
	}
	var out []DocumentColumns
	for packed != "" {
		var fields [packedFields]string
		for i := range fields {
			var ok bool
			if fields[i], packed, ok = strings.Cut(packed, "\x00"); !ok {
				return nil, storage.Explain(errPacked)
			}
		}
		n, err := strconv.Atoi(fields[packedFields-1])
		if err != nil || n > len(packed) {
			return nil, storage.Explain(errors.Join(err, errPacked))
		}
		path := packed[:n]
		if packed = packed[n:]; packed != "" {
			packed = packed[1:] // the NUL between two documents
		}
		c, err := columnsOf(fields, path)
		if err != nil {
			return nil, storage.Explain(err)
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b DocumentColumns) int { return cmp.Compare(a.ID, b.ID) }) // as they come; SQL does not promise it
	return out, nil
}

// columnsOf reads the fields in the order of the query.
func columnsOf(f [packedFields]string, path string) (DocumentColumns, error) {
	var numbers [6]int64
	for i := range numbers {
		var err error
		if numbers[i], err = strconv.ParseInt(f[i], 10, 64); err != nil {
			return DocumentColumns{}, errors.Join(err, errPacked)
		}
	}
	id, modified, chunks, revision, restricted, there := numbers[0], numbers[1], numbers[2], numbers[3], numbers[4] != 0, numbers[5] != 0
	c := DocumentColumns{ID: id, Path: path, Kind: f[6], Language: f[7], Class: f[8], Label: labelPublic, ModTime: time.Unix(0, modified),
		Searchable: !restricted && there && chunks > 0, Chunks: int(chunks), Revision: revision}
	if restricted {
		c.Label = labelRestricted
	}
	return c, nil
}

// placesOf returns the folders of the documents from a number to before another,
// by document and folder.
func placesOf(ctx context.Context, tx *sql.Tx, from, to int64) ([]pair, error) {
	packed, err := packedText(ctx, tx, "SELECT group_concat(document || ' ' || folder, ' ') FROM placements WHERE document >= ? AND document < ?", from, to)
	if err != nil {
		return nil, err
	}
	var out []pair
	for packed != "" {
		var one [2]int64
		for i := range one {
			var field string
			field, packed, _ = strings.Cut(packed, " ")
			if one[i], err = strconv.ParseInt(field, 10, 64); err != nil {
				return nil, storage.Explain(errors.Join(err, errPacked))
			}
		}
		out = append(out, pair{one[0], one[1]})
	}
	slices.SortFunc(out, func(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return out, nil
}

// packedText is the one text that a query gives; empty where it gives none.
func packedText(ctx context.Context, tx *sql.Tx, query string, args ...any) (string, error) {
	var text sql.NullString
	err := tx.QueryRowContext(ctx, query, args...).Scan(&text)
	return text.String, storage.Explain(err)
}
