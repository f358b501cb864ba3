package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// sheetRows streams the rows of a sheet, as findMerges has counted it. A sheet
// that breaks off is read up to there.
func (a *archive) sheetRows(ctx context.Context, s workSheet, maxRows int, values *cellValues, w *sheetWriter) error {
	f := a.parts[partName(s.part)]
	if f == nil {
		return nil
	}
	part, err := f.Open()
	if err != nil {
		w.d.partly = append(w.d.partly, fmt.Sprintf("The sheet “%s” is damaged and was not read.", s.name))
		return nil
	}
	defer part.Close()
	defer w.flush()
	r := rowReader{xml: newXMLScanner(io.TeeReader(part, w.room)), values: values, fill: mergeFill{merges: s.merges}, w: w}
	for n := 1; !w.d.full; n++ {
		if n%1000 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		found, err := r.nextRow()
		switch {
		case err != nil:
			w.d.partly = append(w.d.partly, fmt.Sprintf("The sheet “%s” is damaged and was read in part.", s.name))
			return nil
		case !found:
			return nil
		case r.row > maxRows:
			w.d.partly = append(w.d.partly, fmt.Sprintf("Only the first %d rows of the sheet “%s” were read.", maxRows, s.name))
			return nil
		}
		if err := r.cells(); err != nil {
			w.d.partly = append(w.d.partly, fmt.Sprintf("The sheet “%s” is damaged and was read in part.", s.name))
			return nil
		}
	}
	return nil
}

// lastRow is the last row that Excel has.
const lastRow = 1_048_576

var errRow = errors.New("a row beyond the last one")

// rowReader reads the rows of one sheet.
type rowReader struct {
	xml    *xmlScanner
	values *cellValues
	fill   mergeFill
	w      *sheetWriter

	row     int
	texts   []string
	value   []byte // of the open cell
	formula []byte
}

// nextRow goes to the next row; not found: the sheet ends.
func (r *rowReader) nextRow() (found bool, err error) {
	for {
		err := r.xml.next()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		name := r.xml.local()
		switch {
		case r.xml.kind == '>' && string(name) == "sheetData":
			return false, nil
		case r.xml.kind == '<' && string(name) == "row":
			n := number(string(r.xml.attr("r")))
			if n > lastRow {
				return false, errRow
			}
			r.row = max(n, r.row+1)
			return true, nil
		}
	}
}

// cells reads the cells of the open row and hands the row on, also when the
// sheet breaks off within it.
func (r *rowReader) cells() error {
	r.texts = r.texts[:0]
	column := 0
	err := r.eachCell(func(ref []byte, text string) {
		column++
		if c := columnOf(ref); c > 0 {
			column = c
		}
		if text == "" || column > maxSheetColumns {
			return
		}
		for len(r.texts) < column {
			r.texts = append(r.texts, "")
		}
		r.texts[column-1] = text
	})
	r.texts = r.fill.row(r.row, r.texts)
	r.w.row(r.row, r.texts)
	return err
}

// eachCell hands every cell of the open row with its address and its text as it
// is shown.
func (r *rowReader) eachCell(each func(ref []byte, text string)) error {
	var ref [16]byte
	var kind [16]byte
	refLen, kindLen, style, phonetic := 0, 0, 0, 0
	taking, inFormula := false, false
	for {
		err := r.xml.next()
		if errors.Is(err, io.EOF) {
			return errCutText
		}
		if err != nil {
			return err
		}
		switch r.xml.kind {
		case '<':
			switch string(r.xml.local()) {
			case "c":
				refLen, kindLen, style = 0, 0, 0
				for name, value, rest := nextAttr(r.xml.attrs); name != nil; name, value, rest = nextAttr(rest) {
					switch string(name) {
					case "r":
						refLen = copy(ref[:], value)
					case "t":
						kindLen = copy(kind[:], value)
					case "s":
						style = max(wholeNumber(value), 0)
					}
				}
				r.value, r.formula, phonetic = r.value[:0], r.formula[:0], 0
			case "v", "t":
				taking = phonetic == 0
			case "f":
				inFormula = true
			case "rPh":
				phonetic++
			}
		case '>':
			switch string(r.xml.local()) {
			case "v", "t":
				taking = false
			case "f":
				inFormula = false
			case "rPh":
				phonetic--
			case "c":
				if text := r.values.text(string(kind[:kindLen]), style, r.value); text != "" || len(r.formula) == 0 {
					each(ref[:refLen], text)
				} else { // a program that does not calculate has written it
					each(ref[:refLen], cell("="+string(r.formula)))
				}
			case "row":
				return nil
			}
		case 't':
			switch {
			case taking && len(r.value) < maxCellBytes:
				r.value = append(r.value, r.xml.text...)
			case inFormula && len(r.formula) < maxCellBytes:
				r.formula = append(r.formula, r.xml.text...)
			}
		}
	}
}

// columnOf is the column of an address in A1 form, from 1; 0 if it is none.
func columnOf(ref []byte) int {
	column := 0
	for i, c := range ref {
		switch {
		case 'A' <= c&^0x20 && c&^0x20 <= 'Z' && i < 3:
			column = column*26 + int(c&^0x20-'A') + 1
		case '0' <= c && c <= '9' && i > 0:
			return column
		default:
			return 0
		}
	}
	return 0
}

// wholeNumber reads digits; -1 if there is anything else.
func wholeNumber(b []byte) int {
	n := 0
	for _, c := range bytes.TrimSpace(b) {
		if c < '0' || c > '9' || n > 1<<30 {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// maxCellBytes bounds the text of one cell; Excel allows 32,767 characters.
const maxCellBytes = 1 << 20

// textStore makes strings without an allocation for each.
type textStore struct {
	store strings.Builder
	piece int // bytes set aside at a time
}

func (s *textStore) add(text []byte) string {
	if s.store.Cap()-s.store.Len() < len(text) {
		s.store = strings.Builder{}
		s.store.Grow(max(s.piece, len(text)))
	}
	from := s.store.Len()
	s.store.Write(text)
	return s.store.String()[from:]
}

// stringStore is how much text of the shared strings is set aside at a time.
const stringStore = 1 << 20

// sharedStrings reads the table of strings. A table that breaks off is used as
// far as it goes.
func (a *archive) sharedStrings(part string) ([]string, error) {
	r, err := a.open(part)
	if r == nil || err != nil {
		return nil, err
	}
	defer r.Close()
	x := newXMLScanner(r)
	store := textStore{piece: stringStore}
	var texts []string
	var text []byte
	taking, phonetic := false, 0
	for {
		err := x.next()
		if err != nil {
			if stops(err) {
				return nil, err
			}
			return texts, nil
		}
		switch name := x.local(); x.kind {
		case '<':
			switch string(name) {
			case "si":
				text, phonetic = text[:0], 0
			case "t":
				taking = phonetic == 0
			case "rPh":
				phonetic++
			}
		case '>':
			switch string(name) {
			case "t":
				taking = false
			case "rPh":
				phonetic--
			case "si":
				texts = append(texts, store.add([]byte(cell(unescapeCell(string(text))))))
			}
		case 't':
			if taking && len(text) < maxCellBytes {
				text = append(text, x.text...)
			}
		}
	}
}
