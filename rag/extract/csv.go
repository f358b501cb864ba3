package extract

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"referent/rag"
)

// rowsPerBlock is how many rows of a table file make one block. Each block
// knows its line range and the header row.
const rowsPerBlock = 20

// readCSV reads a delimited table row by row.
func readCSV(_ context.Context, src *source, opts Options, d *document) error {
	text, err := textOf(src, opts, maxTextBytes, d)
	if err != nil {
		return err
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma = sniffDelimiter(text)
	r.LazyQuotes = true
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	t := tableWriter{d: d}
	for rows := 0; !d.full; rows++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return damaged("The table could not be read to its end: a quotation mark is missing. Export it again from the program that made it.", err)
		}
		if rows == opts.MaxRows {
			d.partly = append(d.partly, fmt.Sprintf("Only the first %d rows were read.", rows))
			break
		}
		line, _ := r.FieldPos(0)
		cells := make([]string, len(record))
		for i, c := range record {
			cells[i] = cell(c)
		}
		t.row(cells, rag.Locator{LineFrom: line, LineTo: line})
	}
	t.flush()
	return nil
}

// tableWriter makes blocks of rows, each with the header row at hand.
type tableWriter struct {
	d      *document
	header string
	known  bool // header is decided
	rows   []string
	at     rag.Locator
}

func (t *tableWriter) row(cells []string, at rag.Locator) {
	text := row(cells)
	if text == "" {
		return
	}
	if !t.known {
		t.known = true
		if looksLikeHeader(cells) {
			t.header = text
		}
	}
	if len(t.rows) == 0 {
		t.at = at
	}
	t.at.LineTo = max(at.LineTo, t.at.LineTo)
	t.rows = append(t.rows, text)
	if len(t.rows) >= rowsPerBlock {
		t.flush()
	}
}

func (t *tableWriter) flush() {
	if len(t.rows) > 0 {
		t.d.add(rag.Block{Kind: rag.BlockTable, Text: strings.Join(t.rows, "\n"), TableHeader: t.header, Locator: t.at})
	}
	t.rows = t.rows[:0]
}

// looksLikeHeader: at least two filled cells, none of them a number.
func looksLikeHeader(cells []string) bool {
	filled := 0
	for _, c := range cells {
		if c == "" {
			continue
		}
		filled++
		if strings.IndexFunc(c, unicode.IsLetter) < 0 {
			return false
		}
	}
	return filled >= 2
}

// sniffDelimiter picks the separator that cuts the first rows most evenly:
// the same number of fields, more than one, outside quotation marks.
func sniffDelimiter(text string) rune {
	best, bestScore := ',', 0.0
	for _, c := range []rune{',', ';', '\t', '|'} {
		counts := delimiterCounts(text[:min(len(text), 16<<10)], c, 30)
		if len(counts) == 0 {
			continue
		}
		tally := map[int]int{}
		for _, n := range counts {
			tally[n]++
		}
		mode := 0
		for n, times := range tally {
			if n > 0 && (times > tally[mode] || mode == 0 || times == tally[mode] && n > mode) {
				mode = n
			}
		}
		if mode == 0 {
			continue
		}
		score := float64(tally[mode])/float64(len(counts)) + float64(min(mode, 20))/100
		if score > bestScore {
			best, bestScore = c, score
		}
	}
	return best
}

// delimiterCounts counts c outside quotation marks in each of the first rows.
func delimiterCounts(text string, c rune, rows int) []int {
	var counts []int
	n, quoted, filled := 0, false, false
	for _, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
			filled = true
		case r == '\n' && !quoted:
			if filled {
				counts = append(counts, n)
			}
			n, filled = 0, false
			if len(counts) == rows {
				return counts
			}
		case r == c && !quoted:
			n++
			filled = true
		case !unicode.IsSpace(r):
			filled = true
		}
	}
	if filled && (len(counts) == 0 || n > 0) {
		counts = append(counts, n)
	}
	return counts
}
