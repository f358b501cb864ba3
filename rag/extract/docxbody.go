package extract

import (
	"context"
	"encoding/xml"
	"strings"

	"referent/rag"
)

// wordReader is the state of reading one part of a Word document. It sees a
// flat stream of tokens and keeps what is open on stacks of its own, so that
// nesting costs neither call stack nor, beyond maxDepth, memory.
type wordReader struct {
	ctx    context.Context
	d      *document
	styles wordStyles
	lists  wordLists

	kind       rag.BlockKind // of a side part: all its blocks; empty for the body
	section    string        // locator of a side part
	paragraphs int           // seen so far: the locator's number

	skip     int // depth inside an element whose text is not read
	open     []*wordParagraph
	pending  []*wordParagraph // text boxes, which follow the paragraph they hang on
	tables   []wordTable
	deeper   int // tables open beyond maxDepth: read as text
	inText   bool
	hidden   bool
	oldProps int // depth inside tracked old properties
}

type wordParagraph struct {
	text      strings.Builder
	style     string
	outline   int // 1 to 6; 0 if not given
	list      string
	listLevel int
}

type wordTable struct {
	rows  []string
	cells []string
	cell  []string // paragraphs of the open cell
	at    int      // paragraph number where it began
}

// skipped are elements whose whole content is not read: deleted and moved-away
// text, the second copy of a text box, field codes.
func skipped(name string) bool {
	switch name {
	case "del", "moveFrom", "Fallback", "instrText", "delText", "delInstrText", "binData":
		return true
	}
	return false
}

func (w *wordReader) token(t xml.Token) {
	switch t := t.(type) {
	case xml.StartElement:
		if w.skip > 0 || skipped(t.Name.Local) {
			w.skip++
			return
		}
		w.start(t)
	case xml.EndElement:
		if w.skip > 0 {
			w.skip--
			return
		}
		w.finish(t.Name.Local)
	case xml.CharData:
		if w.skip == 0 && w.inText && !w.hidden && !w.d.full {
			w.write(string(t))
		}
	}
}

func (w *wordReader) write(s string) {
	if n := len(w.open); n > 0 {
		w.open[n-1].text.WriteString(s)
	}
}

func (w *wordReader) start(e xml.StartElement) {
	switch e.Name.Local {
	case "p":
		if len(w.open) < maxDepth && e.Name.Space != "a" {
			w.open = append(w.open, &wordParagraph{})
		}
	case "t":
		w.inText = true
	case "r":
		w.hidden = false
	case "tab":
		w.write(" ")
	case "br", "cr":
		w.write("\n")
	case "noBreakHyphen":
		w.write("-")
	case "tbl":
		if len(w.tables) >= maxDepth {
			w.deeper++
			return
		}
		w.tables = append(w.tables, wordTable{at: w.paragraphs + 1})
	case "pPrChange", "rPrChange", "sectPrChange", "tblPrChange":
		w.oldProps++
	case "vanish":
		if w.oldProps == 0 && attr(e, "val") != "0" && attr(e, "val") != "false" {
			w.hidden = true
		}
	case "pStyle", "outlineLvl", "ilvl", "numId":
		w.property(e)
	case "footnote", "endnote":
		// The lines between text and notes are kept as notes of their own.
		if kind := attr(e, "type"); kind != "" && kind != "normal" {
			w.skip = 1
		}
	}
}

func (w *wordReader) property(e xml.StartElement) {
	if len(w.open) == 0 || w.oldProps > 0 {
		return
	}
	p := w.open[len(w.open)-1]
	val := attr(e, "val")
	switch e.Name.Local {
	case "pStyle":
		p.style = val
	case "outlineLvl":
		p.outline = outlineLevel(val)
	case "ilvl":
		p.listLevel = min(max(number(val), 0), 8)
	case "numId":
		p.list = val
	}
}

func (w *wordReader) finish(name string) {
	switch name {
	case "t":
		w.inText = false
	case "r":
		w.hidden = false
	case "p":
		w.endParagraph()
	case "pPrChange", "rPrChange", "sectPrChange", "tblPrChange":
		w.oldProps = max(0, w.oldProps-1)
	case "tc":
		if t := w.table(); t != nil && w.deeper == 0 {
			t.cells = append(t.cells, cell(strings.Join(t.cell, " ")))
			t.cell = nil
		}
	case "tr":
		if t := w.table(); t != nil && w.deeper == 0 {
			if text := row(t.cells); text != "" {
				t.rows = append(t.rows, text)
			}
			t.cells = nil
		}
	case "tbl":
		if w.deeper > 0 {
			w.deeper--
			return
		}
		w.endTable()
	}
}

func (w *wordReader) table() *wordTable {
	if len(w.tables) == 0 {
		return nil
	}
	return &w.tables[len(w.tables)-1]
}

func (w *wordReader) endParagraph() {
	n := len(w.open)
	if n == 0 {
		return
	}
	p := w.open[n-1]
	w.open = w.open[:n-1]
	if n > 1 { // inside a text box
		w.pending = append(w.pending, p)
		return
	}
	w.emit(p)
	for _, box := range w.pending {
		w.emit(box)
	}
	w.pending = nil
}

func (w *wordReader) emit(p *wordParagraph) {
	w.paragraphs++
	text := tidy(p.text.String())
	if text == "" {
		return
	}
	style := w.styles[p.style]
	if p.list == "" {
		p.list, p.listLevel = style.list, max(p.listLevel, style.listLevel)
	}
	marker := w.lists.marker(p.list, p.listLevel)
	if t := w.table(); t != nil {
		t.cell = append(t.cell, marker+text)
		return
	}
	level := p.outline
	if level == 0 {
		level = style.level
	}
	at := rag.Locator{Section: w.section, Paragraph: w.paragraphs}
	switch {
	case w.kind != "":
		w.d.add(rag.Block{Kind: w.kind, Text: text, Locator: at})
	case style.title:
		w.d.setTitle(text, "heading")
		w.d.heading(1, text, w.here(text))
	case level > 0:
		w.d.heading(level, strings.TrimPrefix(marker, "- ")+oneLine(text), w.here(oneLine(text)))
	case style.caption:
		w.d.add(rag.Block{Kind: rag.BlockCaption, Text: text, Locator: w.here("")})
	case marker != "":
		w.d.add(rag.Block{Kind: rag.BlockListItem, Text: marker + text, Locator: w.here("")})
	default:
		w.d.add(rag.Block{Kind: rag.BlockParagraph, Text: text, Locator: w.here("")})
	}
}

// here locates by heading and paragraph number: a Word file has no pages.
func (w *wordReader) here(heading string) rag.Locator {
	if n := len(w.d.path); heading == "" && n > 0 {
		heading = w.d.path[n-1]
	}
	return rag.Locator{Section: heading, Paragraph: w.paragraphs}
}

// endTable emits an outer table as one block; an inner one is text of its cell.
func (w *wordReader) endTable() {
	t := w.table()
	if t == nil {
		return
	}
	done := *t
	w.tables = w.tables[:len(w.tables)-1]
	if len(done.cells) > 0 { // cut off inside a row
		done.rows = append(done.rows, row(done.cells))
	}
	if len(done.rows) == 0 {
		return
	}
	if outer := w.table(); outer != nil {
		outer.cell = append(outer.cell, strings.Join(done.rows, " ; "))
		return
	}
	kind := rag.BlockTable
	if w.kind != "" {
		kind = w.kind
	}
	header := ""
	if cells := strings.Split(done.rows[0], " | "); len(done.rows) > 1 && looksLikeHeader(cells) {
		header = done.rows[0]
	}
	at := w.here("")
	at.Paragraph = done.at
	w.d.add(rag.Block{Kind: kind, Text: strings.Join(done.rows, "\n"), TableHeader: header, Locator: at})
}

// end closes what a cut-off part left open.
func (w *wordReader) end() {
	for len(w.open) > 0 {
		w.endParagraph()
	}
	w.deeper = 0
	for len(w.tables) > 0 {
		w.finish("tc")
		w.finish("tr")
		w.endTable()
	}
}
