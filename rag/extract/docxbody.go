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
	// embedded reads a chart or a diagram by the id of its relationship; nil in
	// side parts.
	embedded func(kind, id string) []rag.Block

	kind       rag.BlockKind // of a side part: all its blocks; empty for the body
	section    string        // locator of a side part
	paragraphs int           // seen so far: the locator's number

	skip     skipDepth
	open     []*wordParagraph
	pending  []*wordParagraph // text boxes, which follow the paragraph they hang on
	tables   openTables
	drawn    []rag.Block // charts and diagrams, which follow too
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

// skipped are elements whose whole content is not read: deleted and moved-away
// text, the second copy of a text box, field codes.
func skipped(e xml.StartElement) bool {
	switch e.Name.Local {
	case "del", "moveFrom", "Fallback", "instrText", "delText", "delInstrText", "binData":
		return true
	}
	return false
}

func (w *wordReader) token(t xml.Token) {
	if w.skip.over(t, skipped) {
		return
	}
	switch t := t.(type) {
	case xml.StartElement:
		w.start(t)
	case xml.EndElement:
		w.finish(t.Name.Local)
	case xml.CharData:
		if w.inText && !w.hidden && !w.d.full {
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
		w.tables.begin(w.paragraphs + 1)
	case "pPrChange", "rPrChange", "sectPrChange", "tblPrChange":
		w.oldProps++
	case "vanish":
		if w.oldProps == 0 && attr(e, "val") != "0" && attr(e, "val") != "false" {
			w.hidden = true
		}
	case "pStyle", "outlineLvl", "ilvl", "numId":
		w.property(e)
	case "chart":
		w.draw("chart", relationAttr(e, "id"))
	case "relIds":
		w.draw("diagram", relationAttr(e, "dm"))
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
		w.tables.endCell(false)
	case "tr":
		w.tables.endRow()
	case "tbl":
		if t, ok := w.tables.end(); ok {
			w.emitTable(t)
		}
	}
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
	for _, b := range w.drawn {
		b.Locator = w.here("")
		w.d.add(b)
	}
	w.drawn = nil
}

func (w *wordReader) draw(kind, id string) {
	if w.embedded != nil && !w.hidden && !w.d.full {
		w.drawn = append(w.drawn, w.embedded(kind, id)...)
	}
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
	if t := w.tables.top(); t != nil {
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

func (w *wordReader) emitTable(t openTable) {
	kind := rag.BlockTable
	if w.kind != "" {
		kind = w.kind
	}
	at := w.here("")
	at.Paragraph = t.at
	w.d.add(rag.Block{Kind: kind, Text: t.text(), TableHeader: t.header(), Locator: at})
}

// end closes what a cut-off part left open.
func (w *wordReader) end() {
	for len(w.open) > 0 {
		w.endParagraph()
	}
	if t, ok := w.tables.endAll(); ok {
		w.emitTable(t)
	}
}
