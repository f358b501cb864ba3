package extract

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"

	"referent/rag"
)

// odfSheet is the sheet of a spreadsheet that is being read.
type odfSheet struct {
	writer *sheetWriter
	number int // of the open row, from 1
	repeat int // rows that the open row stands for
	column int // of the open cell, from 1
	cells  []string
	spans  map[int]odfSpan // texts that reach into the rows below, by column
	cell   *odfCell
	rows   int // with text, so far
	nested int // tables open inside a cell
}

type odfCell struct {
	paragraphs []string
	value      string // as stored, for files that leave out the shown text
	formula    string
	repeat     int
	rows       int // that it spans
	covered    bool
}

type odfSpan struct {
	rows int // still to fill
	text string
}

func (s *odfSheet) here() rag.Locator {
	if s.writer == nil {
		return rag.Locator{}
	}
	at := rag.Locator{Sheet: s.writer.sheet}
	if s.number > 0 && s.column > 0 {
		at.Cell = cellName(s.column, s.number)
	}
	return at
}

func (s *odfSheet) end() {
	if s.writer != nil {
		s.writer.flush()
	}
	*s = odfSheet{}
}

func (r *odfReader) tableElement(e xml.StartElement) {
	if r.sheets {
		r.sheetElement(e)
		return
	}
	switch e.Name.Local {
	case "table":
		r.tables.begin(r.paragraphs + 1)
	case "table-header-rows":
		if top := r.tables.top(); top != nil && len(top.rows) == 0 {
			top.heads = 1
		}
	case "table-cell":
		if top := r.tables.top(); top != nil && r.tables.deeper == 0 {
			top.spanned(number(attr(e, "number-rows-spanned")))
		}
	}
}

func (r *odfReader) endTableElement(name string) {
	if r.sheets {
		r.endSheetElement(name)
		return
	}
	switch name {
	case "table-cell":
		r.tables.endCell(false)
	case "covered-table-cell":
		r.tables.endCell(r.tables.top() != nil && r.tables.top().reached())
	case "table-row":
		r.tables.endRow()
	case "table":
		if t, ok := r.tables.end(); ok {
			r.emitTable(t)
		}
	}
}

func (r *odfReader) emitTable(t openTable) {
	b := rag.Block{Kind: rag.BlockTable, Text: t.text(), TableHeader: t.header()}
	switch {
	case r.furniture:
	case r.presentation:
		r.slide.add(b)
	default:
		b.Locator = r.here("")
		b.Locator.Paragraph = t.at
		r.d.add(b)
	}
}

func (r *odfReader) sheetElement(e xml.StartElement) {
	s := &r.sheet
	switch e.Name.Local {
	case "table":
		if s.writer != nil {
			s.nested++
			return
		}
		*s = odfSheet{writer: &sheetWriter{d: r.d, sheet: attr(e, "name")}, spans: map[int]odfSpan{}}
		s.writer.begin(r.styles.lookup("table", attr(e, "style-name")).hidden)
	case "table-row":
		s.number += max(s.repeat, 1)
		s.repeat = max(number(attr(e, "number-rows-repeated")), 1)
		s.cells, s.column = s.cells[:0], 1
	case "table-cell", "covered-table-cell":
		s.cell = &odfCell{
			value: odfValue(e), formula: attr(e, "formula"), repeat: max(number(attr(e, "number-columns-repeated")), 1),
			rows: number(attr(e, "number-rows-spanned")), covered: e.Name.Local == "covered-table-cell",
		}
	}
}

func (r *odfReader) endSheetElement(name string) {
	s := &r.sheet
	switch name {
	case "table":
		if s.nested > 0 {
			s.nested--
			return
		}
		s.end()
	case "table-row":
		r.endSheetRow()
	case "table-cell", "covered-table-cell":
		if s.cell != nil && s.writer != nil {
			s.endCell()
		}
		s.cell = nil
	}
}

// endCell adds a cell as often as it says. Empty cells at the end of a row are
// not stored, however many there are.
func (s *odfSheet) endCell() {
	c := s.cell
	text := cell(strings.Join(c.paragraphs, " "))
	if text == "" {
		text = cell(c.value)
	}
	if text == "" {
		text = odfFormula(c.formula)
	}
	for i := 0; i < c.repeat && s.column <= maxSheetColumns; i++ {
		if span := s.spans[s.column]; c.covered && text == "" && span.rows > 0 {
			s.put(span.text)
			s.spans[s.column] = odfSpan{span.rows - 1, span.text}
		} else if text != "" {
			s.put(text)
			if c.rows > 1 {
				s.spans[s.column] = odfSpan{c.rows - 1, text}
			}
		} else if !c.covered || len(s.spans) == 0 { // nothing can stand in the others either
			s.column += c.repeat - i
			return
		}
		s.column++
	}
}

func (s *odfSheet) put(text string) {
	for len(s.cells) < s.column-1 {
		s.cells = append(s.cells, "")
	}
	s.cells = append(s.cells, text)
}

func (r *odfReader) endSheetRow() {
	s := &r.sheet
	if s.writer == nil || len(s.cells) == 0 || r.d.full {
		return
	}
	for i := 0; i < s.repeat && !r.d.full && r.ctx.Err() == nil; i++ {
		if s.rows++; s.rows > r.opts.MaxRows {
			if s.rows == r.opts.MaxRows+1 {
				r.d.partly = append(r.d.partly, fmt.Sprintf("Only the first %d rows of the sheet “%s” were read.", r.opts.MaxRows, s.writer.sheet))
			}
			return
		}
		s.writer.row(s.number+i, s.cells)
	}
}

// odfReferences makes the references of a formula those that a sheet shows:
// [.A1:.A3] is A1:A3.
var odfReferences = strings.NewReplacer("[.", "", "[", "", "]", "", ":.", ":")

// odfFormula is what a cell shows that was never calculated.
func odfFormula(formula string) string {
	if prefix, rest, ok := strings.Cut(formula, ":="); ok && !strings.ContainsAny(prefix, "(=") {
		formula = "=" + rest
	}
	return cell(odfReferences.Replace(formula))
}

// odfValue is the stored value of a cell, written as it would be shown.
func odfValue(e xml.StartElement) string {
	switch attr(e, "value-type") {
	case "date":
		return attr(e, "date-value")
	case "time":
		return attr(e, "time-value")
	case "boolean":
		return attr(e, "boolean-value")
	case "string":
		return attr(e, "string-value")
	case "currency":
		return strings.TrimSpace(attr(e, "value") + " " + attr(e, "currency"))
	case "percentage":
		return percent(attr(e, "value"))
	}
	return attr(e, "value")
}

// percent writes a share as a percentage; anything else stays as it is.
func percent(value string) string {
	f, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return value
	}
	return strconv.FormatFloat(f*100, 'g', 10, 64) + "%"
}
