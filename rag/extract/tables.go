package extract

import "strings"

// openTables is the stack of tables that a streaming reader stands in. Tables
// nested beyond maxDepth are read as text of the innermost one.
type openTables struct {
	open   []openTable
	deeper int
}

// openTable is a table being read.
type openTable struct {
	rows  []string
	cells []string // of the open row
	cell  []string // paragraphs of the open cell
	above []string // cells of the row before
	at    int      // paragraph number where it began
	heads int      // rows that the file itself marks as header; -1 is not known
	reach []int    // rows below the present one that the cell of a column reaches into
}

func (t *openTables) begin(at int) {
	if len(t.open) >= maxDepth {
		t.deeper++
		return
	}
	t.open = append(t.open, openTable{at: at, heads: -1})
}

// top is the innermost table; nil outside of all.
func (t *openTables) top() *openTable {
	if len(t.open) == 0 {
		return nil
	}
	return &t.open[len(t.open)-1]
}

// endCell closes the open cell. A cell that continues the one above it repeats
// its text, so that each row can be read alone.
func (t *openTables) endCell(continues bool) {
	top := t.top()
	if top == nil || t.deeper > 0 {
		return
	}
	text := cell(strings.Join(top.cell, " "))
	if n := len(top.cells); text == "" && continues && n < len(top.above) {
		text = top.above[n]
	}
	top.cells = append(top.cells, text)
	top.cell = nil
}

func (t *openTables) endRow() {
	top := t.top()
	if top == nil || t.deeper > 0 {
		return
	}
	if text := row(top.cells); text != "" {
		top.rows = append(top.rows, text)
	}
	top.above, top.cells = top.cells, nil
}

// end closes the innermost table. An inner one becomes text of its cell; the
// outermost is handed back if it has rows.
func (t *openTables) end() (done openTable, ok bool) {
	if t.deeper > 0 {
		t.deeper--
		return done, false
	}
	top := t.top()
	if top == nil {
		return done, false
	}
	done = *top
	t.open = t.open[:len(t.open)-1]
	if len(done.cells) > 0 { // cut off inside a row
		done.rows = append(done.rows, row(done.cells))
	}
	if len(done.rows) == 0 {
		return done, false
	}
	if outer := t.top(); outer != nil {
		outer.cell = append(outer.cell, strings.Join(done.rows, " ; "))
		return done, false
	}
	return done, true
}

// endAll closes the tables that a cut-off part left open.
func (t *openTables) endAll() (done openTable, ok bool) {
	t.deeper = 0
	for len(t.open) > 0 {
		if t.top().cell != nil {
			t.endCell(false)
		}
		t.endRow()
		done, ok = t.end()
	}
	return done, ok
}

func (t openTable) text() string { return strings.Join(t.rows, "\n") }

// header is the header row: the one that the file marks, else the first if it
// looks like one. A table of one row has none.
func (t openTable) header() string {
	switch {
	case len(t.rows) < 2 || t.heads == 0:
		return ""
	case t.heads > 0 || looksLikeHeader(strings.Split(t.rows[0], " | ")):
		return t.rows[0]
	}
	return ""
}

// spanned notes that the cell which begins now reaches over this many rows.
func (t *openTable) spanned(rows int) {
	column := len(t.cells)
	for len(t.reach) <= column && column < maxSheetColumns {
		t.reach = append(t.reach, 0)
	}
	if column < len(t.reach) {
		t.reach[column] = max(rows-1, 0)
	}
}

// reached tells whether the cell that ends now is one that a cell above it
// reaches into.
func (t *openTable) reached() bool {
	column := len(t.cells)
	if column >= len(t.reach) || t.reach[column] == 0 {
		return false
	}
	t.reach[column]--
	return true
}
