package index

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"time"
)

// A page is the columns of the documents of a thousand numbers, which a start
// reads in one piece:
//
//	form      byte
//	texts     count, then length and bytes each: kinds, languages, classes, tags
//	lists     count, then length and numbers each: collections
//	documents count, then for each: number above the one before, flags, revision,
//	          chunks, time of change, folder, kind, language and class as
//	          places in texts, collections as a place in lists, the
//	          number of tags and their places in texts, length of the path, path
//	checksum  CRC-32C of all that, little-endian
//
// Numbers are varints. The table's triggers delete a page that is no longer true.
const (
	pageDocuments = 1000 // as the triggers divide
	pageForm      = 1
	lastPage      = math.MaxInt64 / pageDocuments
)

// Flags of a document in a page.
const (
	pageRestricted = 1 << iota
	pageSearchable
)

type columnPage struct {
	number    int64
	documents []byte
}

func scanColumnPage(rows *sql.Rows) (p columnPage, err error) {
	err = rows.Scan(&p.number, &p.documents)
	return p, err
}

// PackColumns writes the pages of documents that are not kept, each in a
// transaction of its own. A start after it reads less.
func (s *Store) PackColumns(ctx context.Context) error {
	kept := map[int64]bool{}
	err := each(ctx, s.db.Read, scanID, func(page int64) error { kept[page] = true; return nil }, "SELECT page FROM column_pages")
	if err != nil {
		return err
	}
	most, _, err := first(collect(ctx, s.db.Read, scanID, "SELECT ifnull(max(id), 0) FROM documents"))
	if err != nil {
		return err
	}
	for page := int64(0); page <= most/pageDocuments; page++ {
		if kept[page] {
			continue
		}
		if err := s.db.Update(ctx, func(tx *sql.Tx) error { return packPage(ctx, tx, page) }); err != nil {
			return err
		}
	}
	return nil
}

func packPage(ctx context.Context, tx *sql.Tx, page int64) error {
	var all []DocumentColumns
	if err := eachPacked(ctx, tx, page, page+1, func(c DocumentColumns) error { all = append(all, c); return nil }); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO column_pages (page, documents) VALUES (?, ?)", page, encodeColumns(all))
	return err
}

// UnpackColumns deletes all pages, so that the next start reads the documents
// themselves.
func (s *Store) UnpackColumns(ctx context.Context) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM column_pages")
		return err
	})
}

// encodeColumns writes a page of documents that ascend by number.
func encodeColumns(all []DocumentColumns) []byte {
	texts, lists := numbered{at: map[string]int64{}}, numbered{at: map[string]int64{}}
	var body []byte
	put := func(values ...int64) {
		for _, v := range values {
			body = binary.AppendVarint(body, v)
		}
	}
	last := int64(0)
	put(int64(len(all)))
	for _, c := range all {
		flags := int64(0)
		if c.Label == labelRestricted {
			flags |= pageRestricted
		}
		if c.Searchable {
			flags |= pageSearchable
		}
		put(c.ID-last, flags, c.Revision, int64(c.Chunks), c.ModTime.UnixNano(), c.Folder)
		last = c.ID
		list := binary.AppendVarint(nil, int64(len(c.Collections)))
		for _, id := range c.Collections {
			list = binary.AppendVarint(list, id)
		}
		put(texts.of(c.Kind), texts.of(c.Language), texts.of(c.Class), lists.of(string(list)), int64(len(c.Tags)))
		for _, tag := range c.Tags {
			put(texts.of(tag))
		}
		put(int64(len(c.Path)))
		body = append(body, c.Path...)
	}
	out := binary.AppendVarint([]byte{pageForm}, int64(len(texts.all)))
	for _, t := range texts.all {
		out = append(binary.AppendVarint(out, int64(len(t))), t...)
	}
	out = binary.AppendVarint(out, int64(len(lists.all)))
	for _, l := range lists.all {
		out = append(out, l...)
	}
	return sign(append(out, body...))
}

// sign appends the checksum of a page.
func sign(page []byte) []byte {
	return binary.LittleEndian.AppendUint32(page, crc32.Checksum(page, castagnoli))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// numbered gives texts numbers as they come.
type numbered struct {
	all []string
	at  map[string]int64
}

func (p *numbered) of(v string) int64 {
	at, ok := p.at[v]
	if !ok {
		at = int64(len(p.all))
		p.at[v], p.all = at, append(p.all, v)
	}
	return at
}

var errPage = errors.New("the page of columns has another form")

// decodeColumns reads a page, which may be any bytes, into room where that is
// enough. Nothing of data is kept.
func decodeColumns(data []byte, room []DocumentColumns) (all []DocumentColumns, err error) {
	n := len(data) - crc32.Size
	if n < 1 || data[0] != pageForm || binary.LittleEndian.Uint32(data[n:]) != crc32.Checksum(data[:n], castagnoli) {
		return nil, errPage
	}
	data = data[:n]
	r := pageReader{left: data[1:], text: string(data[1:])}
	texts := make([]string, r.count())
	for i := range texts {
		texts[i] = r.string()
	}
	lists := make([][]int64, r.count())
	for i := range lists {
		lists[i] = make([]int64, r.count())
		for j := range lists[i] {
			lists[i][j] = r.number()
		}
	}
	text := func() string { return pick(&r, texts) }
	n = r.count()
	all = slices.Grow(room[:0], n)[:n]
	clear(all)
	last := int64(0)
	for i := range all {
		c := &all[i]
		step, flags := r.number(), r.number()
		c.ID, c.Label, c.Searchable = last+step, labelPublic, flags&pageSearchable != 0
		if flags&pageRestricted != 0 {
			c.Label = labelRestricted
		}
		last, r.bad = c.ID, r.bad || step <= 0
		c.Revision, c.Chunks, c.ModTime, c.Folder = r.number(), int(r.number()), time.Unix(0, r.number()), r.number()
		c.Kind, c.Language, c.Class, c.Collections = text(), text(), text(), pick(&r, lists)
		if n := r.count(); n > 0 {
			c.Tags = make([]string, n)
			for j := range c.Tags {
				c.Tags[j] = text()
			}
		}
		c.Path = r.string()
	}
	if r.bad || len(r.left) > 0 {
		return nil, errPage
	}
	return all, nil
}

// pageReader reads a page from its front. After a fault it gives zeros.
type pageReader struct {
	left []byte
	text string // all of it: strings are parts of it
	bad  bool
}

func (r *pageReader) number() int64 {
	if len(r.left) > 0 && r.left[0] < 0x80 { // as most are
		v := r.left[0]
		r.left = r.left[1:]
		return int64(v>>1) ^ -int64(v&1)
	}
	v, n := binary.Varint(r.left)
	if n <= 0 {
		r.bad, r.left = true, nil
		return 0
	}
	r.left = r.left[n:]
	return v
}

// count is a number of things of which each takes a byte at least.
func (r *pageReader) count() int {
	n := r.number()
	if n < 0 || n > int64(len(r.left)) {
		r.bad, r.left = true, nil
		return 0
	}
	return int(n)
}

func (r *pageReader) string() string {
	n := r.count()
	from := len(r.text) - len(r.left)
	r.left = r.left[n:]
	return r.text[from : from+n]
}

// pick reads the place of a value.
func pick[T any](r *pageReader, of []T) (v T) {
	at := r.number()
	if at < 0 || at >= int64(len(of)) {
		r.bad = true
		return v
	}
	return of[at]
}
