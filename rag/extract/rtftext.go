package extract

import (
	"strings"
	"unicode"

	"referent/rag"
)

// maxRTFParagraph is where a paragraph without an end is cut, in bytes.
const maxRTFParagraph = 1 << 20

// rtfText is a text that is being read: the body, or a note or box inside of it.
type rtfText struct {
	kind    rag.BlockKind
	section string // locator of a note or page header; empty for the body
	text    strings.Builder
	marker  strings.Builder // of a list
	boxes   []string        // text boxes, which follow the paragraph they hang on
	tables  openTables
	heads   bool   // the open row is a header row
	merged  []bool // cells of the open row that continue the one above
	merges  bool   // the cell being defined does
}

func (r *rtfReader) text() *rtfText { return r.texts[len(r.texts)-1] }

// push begins a text of its own, which ends with the group.
func (r *rtfReader) push(kind rag.BlockKind, section string) {
	if len(r.texts) >= maxDepth {
		return
	}
	r.texts = append(r.texts, &rtfText{kind: kind, section: section})
	r.state.texts = len(r.texts) - 1
	r.state.inTable, r.state.style, r.state.outline = false, 0, 0
}

// pop ends the innermost text.
func (r *rtfReader) pop() {
	t := r.text()
	r.endParagraph(r.state.inTable && t.tables.top() != nil, 0, 0)
	if done, ok := t.tables.endAll(); ok {
		r.emitTable(t, done)
	}
	r.texts = r.texts[:len(r.texts)-1]
}

// put adds decoded text where the group's text goes.
func (r *rtfReader) put(s string) {
	switch r.state.dest {
	case rtfBody:
		if r.state.hidden || r.state.deleted {
			return
		}
		t := r.text()
		t.text.WriteString(s)
		if t.text.Len() > maxRTFParagraph {
			r.endParagraph(r.state.inTable, r.state.style, r.state.outline)
		}
	case rtfMarker:
		if t := r.text(); t.marker.Len() < 100 {
			t.marker.WriteString(s)
		}
	case rtfTitle, rtfStyleSheet:
		if r.name.Len() < 1000 {
			r.name.WriteString(s)
		}
	}
}

// mark makes the marker of a list what stands before its paragraph.
func (t *rtfText) mark() {
	m := oneLine(cleanText(t.marker.String()))
	if strings.IndexFunc(m, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) < 0 {
		m = "-"
	}
	t.marker.Reset()
	t.marker.WriteString(m + " ")
}

// structure does what the words say that end paragraphs, cells and rows.
func (r *rtfReader) structure(name string) {
	if r.state.dest != rtfBody {
		return
	}
	t := r.text()
	s := &r.state
	switch name {
	case "par", "sect", "page":
		r.endParagraph(s.inTable, s.style, s.outline)
	case "cell":
		r.endParagraph(true, 0, 0)
		n := len(t.tables.top().cells)
		t.tables.endCell(n < len(t.merged) && t.merged[n])
	case "row":
		if top := t.tables.top(); top != nil {
			if len(top.rows) == 0 && t.heads {
				top.heads = 1
			}
			t.tables.endRow()
		}
	case "nestcell":
		t.text.WriteString(" | ")
	case "nestrow":
		t.text.WriteString(" ; ")
	case "trowd":
		t.heads, t.merged, t.merges = false, nil, false
	case "trhdr":
		t.heads = true
	case "clvmrg":
		t.merges = true
	case "cellx":
		if len(t.merged) < maxDepth {
			t.merged = append(t.merged, t.merges)
		}
		t.merges = false
	}
}

// endParagraph closes the open paragraph of the innermost text.
func (r *rtfReader) endParagraph(inTable bool, styleID, outline int) {
	r.flush()
	t := r.text()
	text, marker := tidy(t.text.String()), t.marker.String()
	t.text.Reset()
	t.marker.Reset()
	r.paragraphs++
	if inTable {
		if t.tables.top() == nil {
			t.tables.begin(r.paragraphs)
		}
		if text != "" {
			top := t.tables.top()
			top.cell = append(top.cell, marker+text)
		}
		return
	}
	if done, ok := t.tables.endAll(); ok {
		r.emitTable(t, done)
	}
	if text != "" {
		r.emit(t, marker, text, r.styles[styleID], outline)
	}
	boxes := t.boxes
	t.boxes = nil
	for _, box := range boxes {
		r.paragraphs++
		r.d.add(rag.Block{Kind: t.kind, Text: box, Locator: r.here(t, "")})
	}
}

func (r *rtfReader) emit(t *rtfText, marker, text string, style wordStyle, outline int) {
	level := outline
	if level == 0 {
		level = style.level
	}
	switch {
	case t.section == "" && len(r.texts) > 1: // a box
		outer := r.texts[len(r.texts)-2]
		outer.boxes = append(outer.boxes, marker+text)
	case t.section != "":
		r.d.add(rag.Block{Kind: t.kind, Text: marker + text, Locator: r.here(t, "")})
	case style.title:
		r.d.setTitle(text, "heading")
		r.d.heading(1, text, r.here(t, oneLine(text)))
	case level > 0:
		if marker == "- " {
			marker = ""
		}
		r.d.heading(level, marker+oneLine(text), r.here(t, oneLine(text)))
	case style.caption:
		r.d.add(rag.Block{Kind: rag.BlockCaption, Text: text, Locator: r.here(t, "")})
	case marker != "":
		r.d.add(rag.Block{Kind: rag.BlockListItem, Text: marker + text, Locator: r.here(t, "")})
	default:
		r.d.add(rag.Block{Kind: rag.BlockParagraph, Text: text, Locator: r.here(t, "")})
	}
}

func (r *rtfReader) emitTable(t *rtfText, done openTable) {
	kind := rag.BlockTable
	if t.section != "" {
		kind = t.kind
	}
	at := r.here(t, "")
	at.Paragraph = done.at
	r.d.add(rag.Block{Kind: kind, Text: done.text(), TableHeader: done.header(), Locator: at})
}

// here locates by heading and paragraph number: the file has no pages.
func (r *rtfReader) here(t *rtfText, heading string) rag.Locator {
	if t.section != "" {
		return rag.Locator{Section: t.section, Paragraph: r.paragraphs}
	}
	if n := len(r.d.path); heading == "" && n > 0 {
		heading = r.d.path[n-1]
	}
	return rag.Locator{Section: heading, Paragraph: r.paragraphs}
}
