package extract

import (
	"strings"

	"referent/rag"
)

const (
	maxSheetColumns = 16_384 // as many as Excel has; later ones are not read
	maxEmptyCells   = 32     // a longer run of empty cells is written as this many
	maxTitleRows    = 10     // rows of one cell at the top that are read as titles
)

// sheetWriter makes blocks of the rows of one sheet, each with its range of
// cells and the header row at hand.
type sheetWriter struct {
	d      *document
	sheet  string
	room   *textRoom // nil: it grows by itself
	header string
	known  bool // the header is decided
	titles int

	text        []byte // of the open block
	rows        int    // in it
	first, last int    // numbers of its rows
	width       int    // of its widest row
}

// begin names the sheet in a heading, which the rows stand below.
func (w *sheetWriter) begin(hidden bool) {
	title := w.sheet
	if hidden {
		title += " (hidden sheet)"
	}
	w.d.heading(1, title, rag.Locator{Sheet: w.sheet})
}

// row takes a row by its number, from 1. The row is not kept.
func (w *sheetWriter) row(number int, cells []string) {
	filled, last := 0, 0
	for i, c := range cells {
		if c != "" {
			filled, last = filled+1, i+1
		}
	}
	if filled == 0 {
		return
	}
	if !w.known && filled == 1 && w.titles < maxTitleRows {
		w.titles++
		w.d.add(rag.Block{Kind: rag.BlockParagraph, Text: cells[last-1], Locator: rag.Locator{Sheet: w.sheet, Cell: cellName(last, number)}})
		return
	}
	if w.rows == 0 {
		w.first, w.width = number, 0
	} else {
		w.text = append(w.text, '\n')
	}
	from := len(w.text)
	w.text = appendSheetRow(w.text, cells[:last])
	w.last, w.width, w.rows = number, max(w.width, last), w.rows+1
	if !w.known {
		w.known = true
		if looksLikeHeader(cells[:last]) {
			w.header = string(w.text[from:])
		}
	}
	if w.rows >= rowsPerBlock {
		w.flush()
	}
}

func (w *sheetWriter) flush() {
	if w.rows > 0 {
		at := rag.Locator{Sheet: w.sheet, Cell: cellName(1, w.first) + ":" + cellName(w.width, w.last)}
		w.room.make(len(w.text))
		w.d.add(rag.Block{Kind: rag.BlockTable, Text: string(w.text), TableHeader: w.header, Locator: at})
	}
	w.text, w.rows = w.text[:0], 0
}

// appendSheetRow joins cells; a long run of empty ones is cut short, since a
// single cell far to the right would cost more than a page of text.
func appendSheetRow(text []byte, cells []string) []byte {
	empty := 0
	for i, c := range cells {
		if c == "" {
			if empty++; empty > maxEmptyCells {
				continue
			}
		} else {
			empty = 0
		}
		if i > 0 {
			text = append(text, " | "...)
		}
		text = append(text, c...)
	}
	return text
}

// cellName gives a cell in A1 form from its column and row, from 1.
func cellName(column, row int) string {
	var letters []byte
	for ; column > 0; column = (column - 1) / 26 {
		letters = append([]byte{byte('A' + (column-1)%26)}, letters...)
	}
	return string(letters) + itoa(row)
}

// parseCell reads the A1 form; zeros if it is none.
func parseCell(s string) (column, row int) {
	s = strings.ReplaceAll(s, "$", "")
	i := 0
	for ; i < len(s) && i < 4 && 'A' <= s[i]&^0x20 && s[i]&^0x20 <= 'Z'; i++ {
		column = column*26 + int(s[i]&^0x20-'A') + 1
	}
	if row = number(s[i:]); i == 0 || row < 1 || column > maxSheetColumns {
		return 0, 0
	}
	return column, row
}
