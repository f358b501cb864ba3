package extract

import (
	"bytes"
	"io"
	"slices"
	"strings"
)

// maxMerges bounds the merged ranges of a sheet that are kept.
const maxMerges = 100_000

// merge is a merged range: the column that holds its text and its rows, from 1.
type merge struct {
	column, from, to int
}

// mergeFinder finds merged ranges in the XML that is written to it. They stand
// behind all rows, so a second pass over the XML is needed; looking for the
// bytes of one element costs a fraction of reading it.
type mergeFinder struct {
	rest   []byte // the end of what was written, which may hold half an element
	merges []merge
}

var mergeElement = []byte("mergeCell ")

func (m *mergeFinder) Write(p []byte) (int, error) {
	m.rest = append(m.rest, p...)
	b := m.rest
	for {
		i := bytes.Index(b, mergeElement)
		if i < 0 {
			b = b[max(0, len(b)-len(mergeElement)):]
			break
		}
		end := bytes.IndexByte(b[i:], '>')
		if end < 0 {
			if b = b[i:]; len(b) > 1000 { // no element is so long
				b = nil
			}
			break
		}
		m.element(string(b[i : i+end]))
		b = b[i+end:]
	}
	m.rest = append(m.rest[:0], b...)
	return len(p), nil
}

// element keeps ranges of more than one row: in the others the text stands in
// the first cell already.
func (m *mergeFinder) element(s string) {
	_, ref, _ := strings.Cut(s, "ref=")
	if len(ref) < 2 || len(m.merges) >= maxMerges {
		return
	}
	ref, _, _ = strings.Cut(ref[1:], ref[:1])
	from, to, _ := strings.Cut(ref, ":")
	column, first := parseCell(from)
	_, last := parseCell(to)
	if column > 0 && last > first {
		m.merges = append(m.merges, merge{column, first, last})
	}
}

// findMerges looks for the merged ranges of all sheets. What the sheets unpack to
// is counted here, and not again when their rows are read. A sheet that breaks
// off is told of then.
func (a *archive) findMerges(sheets []workSheet) error {
	for i := range sheets {
		part, err := a.open(sheets[i].part)
		if stops(err) {
			return err
		}
		if part == nil || err != nil {
			continue
		}
		var merges mergeFinder
		sheets[i].bytes, err = io.Copy(&merges, part)
		_ = part.Close() // it was only read
		if stops(err) {
			return err
		}
		sheets[i].merges = merges.sorted()
	}
	return nil
}

func (m *mergeFinder) sorted() []merge {
	slices.SortFunc(m.merges, func(a, b merge) int { return a.from - b.from })
	return m.merges
}

// mergeFill repeats the text of a merged range in each of its rows, so that
// every row can be read alone.
type mergeFill struct {
	merges []merge // those that begin at or below the next row
	open   []openMerge
}

type openMerge struct {
	merge
	text string
}

// row fills in a row by its number; rows come in order.
func (f *mergeFill) row(n int, cells []string) []string {
	f.open = slices.DeleteFunc(f.open, func(o openMerge) bool { return o.to < n })
	if len(cells) > 0 { // rows without cells stay empty
		for _, o := range f.open {
			for len(cells) < o.column {
				cells = append(cells, "")
			}
			if cells[o.column-1] == "" {
				cells[o.column-1] = o.text
			}
		}
	}
	for len(f.merges) > 0 && f.merges[0].from <= n {
		m := f.merges[0]
		f.merges = f.merges[1:]
		if m.from == n && m.column <= len(cells) && cells[m.column-1] != "" {
			f.open = slices.DeleteFunc(f.open, func(o openMerge) bool { return o.column == m.column })
			f.open = append(f.open, openMerge{m, cells[m.column-1]})
		}
	}
	return cells
}
