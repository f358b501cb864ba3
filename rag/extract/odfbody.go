package extract

import (
	"context"
	"encoding/xml"
	"strings"

	"referent/rag"
)

// odfReader reads the tokens of an OpenDocument part. Texts, sheets and slides
// share their paragraphs and tables; what differs is where a block goes. What
// is open is kept on stacks of its own, no deeper than maxDepth.
type odfReader struct {
	ctx  context.Context
	d    *document
	opts Options
	// archive holds the charts, which are documents within this one; nil in parts
	// without any.
	archive *archive

	styles    odfStyles
	style     odfStyleKey // being defined
	listStyle string
	lists     map[listKey]odfListLevel
	furniture bool // the part of styles: only page headers and footers are text

	skip       skipDepth
	open       []*odfParagraph
	deeper     int             // paragraphs open beyond maxDepth
	pending    []*odfParagraph // notes and text boxes, which follow the paragraph they hang on
	tables     openTables
	drawn      []rag.Block // charts, which follow too
	openLists  []odfList
	counted    map[listKey]int // items of the last list of a style and level
	deepLists  int             // lists open beyond maxDepth
	notes      int             // depth inside notes, comments, page headers
	spans      []bool
	deepSpans  int
	hiddenRuns int
	paragraphs int

	presentation bool
	slide        slide
	frame        string // presentation class of the open frame

	sheets bool
	sheet  odfSheet
}

type odfParagraph struct {
	text   strings.Builder
	kind   rag.BlockKind
	level  int
	marker string
	title  bool
}

// odfSkipped are elements whose whole content is not read: deleted text, the
// number of a note, who commented when, tables of contents, forms, embedded
// programs, and fields that stand in the file as "<number>".
func odfSkipped(e xml.StartElement) bool {
	switch e.Name.Local {
	case "tracked-changes", "note-citation", "creator-initials", "binary-data", "script", "scripts", "forms", "table-of-content",
		"ruby-text", "content-validations", "event-listeners", "page-number", "sheet-name":
		return true
	case "creator", "date", "date-string": // of a comment; as fields of the text they are shown
		return e.Name.Space != "text"
	case "title", "desc":
		return e.Name.Space == "svg"
	}
	return false
}

func (r *odfReader) token(t xml.Token) {
	if r.skip.over(t, odfSkipped) {
		return
	}
	switch t := t.(type) {
	case xml.StartElement:
		r.start(t)
	case xml.EndElement:
		r.finish(t.Name.Local)
	case xml.CharData:
		if len(r.open) > 0 && r.hiddenRuns == 0 && !r.d.full {
			// Line ends and runs of blanks are one blank here.
			text := string(t)
			if strings.ContainsAny(text, "\n\t\r") || strings.Contains(text, "  ") {
				text = collapse(text)
			}
			r.write(text)
		}
	}
}

// collapse makes each run of white space one blank, also at either end.
func collapse(s string) string {
	var b strings.Builder
	space := false
	for _, c := range s {
		if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(c)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

func (r *odfReader) write(s string) {
	if n := len(r.open); n > 0 && r.deeper == 0 {
		r.open[n-1].text.WriteString(s)
	}
}

func (r *odfReader) start(e xml.StartElement) {
	switch e.Name.Local {
	case "p", "h":
		r.beginParagraph(e)
	case "s":
		r.write(strings.Repeat(" ", min(max(number(attr(e, "c")), 1), 100)))
	case "tab":
		r.write(" ")
	case "line-break":
		r.write("\n")
	case "span":
		r.beginSpan(r.styles.lookup("text", attr(e, "style-name")).hidden)
	case "list":
		r.beginList(attr(e, "style-name"), attr(e, "continue-numbering") == "true")
	case "list-item":
		if n := len(r.openLists); n > 0 && r.deepLists == 0 {
			r.openLists[n-1].fresh = true
		}
	case "note-body", "annotation", "header", "footer", "header-left", "footer-left", "header-first", "footer-first":
		r.notes++
	case "notes": // of a slide
		r.notes++
		r.frame = ""
	case "presentation":
		r.presentation = true
	case "spreadsheet":
		r.sheets = true
	case "page":
		r.beginSlide(e)
	case "frame", "custom-shape":
		r.frame = attr(e, "class")
	case "object":
		r.drawChart(attr(e, "href"))
	case "table", "table-header-rows", "table-row", "table-cell", "covered-table-cell":
		r.tableElement(e)
	default:
		r.styleElement(e)
	}
}

func (r *odfReader) finish(name string) {
	switch name {
	case "p", "h":
		r.endParagraph()
	case "span":
		r.endSpan()
	case "list":
		r.endList()
	case "note-body", "annotation", "notes", "header", "footer", "header-left", "footer-left", "header-first", "footer-first":
		r.notes = max(0, r.notes-1)
	case "frame", "custom-shape":
		r.frame = ""
	case "style":
		r.style = odfStyleKey{}
	case "page":
		r.endSlide()
	case "table-header-rows", "table-row", "table-cell", "covered-table-cell", "table":
		r.endTableElement(name)
	}
}

func (r *odfReader) beginParagraph(e xml.StartElement) {
	if len(r.open) >= maxDepth {
		r.deeper++
		return
	}
	p := &odfParagraph{kind: rag.BlockParagraph}
	switch {
	case r.notes > 0:
		p.kind = rag.BlockNote
		if r.furniture {
			p.kind = rag.BlockHeaderFooter
		}
	case e.Name.Local == "h":
		p.kind, p.level = rag.BlockHeading, min(max(number(attr(e, "outline-level")), 1), 6)
	default:
		p.title = r.styles.lookup("paragraph", attr(e, "style-name")).title
	}
	if marker, item := r.marker(); item {
		p.marker = marker
	}
	r.open = append(r.open, p)
}

func (r *odfReader) endParagraph() {
	if r.deeper > 0 {
		r.deeper--
		return
	}
	n := len(r.open)
	if n == 0 {
		return
	}
	p := r.open[n-1]
	r.open = r.open[:n-1]
	if n > 1 {
		r.pending = append(r.pending, p)
		return
	}
	r.emit(p)
	for _, q := range r.pending {
		r.emit(q)
	}
	r.pending = nil
	r.emitDrawn()
}

// emit puts a paragraph where it belongs.
func (r *odfReader) emit(p *odfParagraph) {
	r.paragraphs++
	text := tidy(p.text.String())
	if text == "" || r.furniture && p.kind != rag.BlockHeaderFooter {
		return
	}
	note := p.kind == rag.BlockNote
	switch {
	case r.presentation:
		r.emitOnSlide(p, text)
	case r.sheets && r.sheet.cell != nil && !note:
		r.sheet.cell.paragraphs = append(r.sheet.cell.paragraphs, text)
	case r.sheets:
		r.d.add(rag.Block{Kind: p.kind, Text: text, Locator: r.sheet.here()})
	case r.tables.top() != nil && !note:
		top := r.tables.top()
		top.cell = append(top.cell, p.marker+text)
	case p.kind == rag.BlockHeading:
		r.d.heading(p.level, text, r.here(oneLine(text)))
	case p.title:
		r.d.setTitle(text, "heading")
		r.d.heading(1, text, r.here(oneLine(text)))
	case p.marker != "" && !note:
		r.d.add(rag.Block{Kind: rag.BlockListItem, Text: p.marker + text, Locator: r.here("")})
	default:
		r.d.add(rag.Block{Kind: p.kind, Text: text, Locator: r.here("")})
	}
}

// here locates by heading and paragraph number: a text has no fixed pages.
func (r *odfReader) here(heading string) rag.Locator {
	if r.furniture {
		return rag.Locator{Section: "header", Paragraph: r.paragraphs}
	}
	if n := len(r.d.path); heading == "" && n > 0 {
		heading = r.d.path[n-1]
	}
	return rag.Locator{Section: heading, Paragraph: r.paragraphs}
}

func (r *odfReader) beginSpan(hidden bool) {
	if len(r.spans) >= maxDepth {
		r.deepSpans++
		return
	}
	r.spans = append(r.spans, hidden)
	if hidden {
		r.hiddenRuns++
	}
}

func (r *odfReader) endSpan() {
	n := len(r.spans)
	if r.deepSpans > 0 || n == 0 {
		r.deepSpans = max(0, r.deepSpans-1)
		return
	}
	if r.spans[n-1] {
		r.hiddenRuns--
	}
	r.spans = r.spans[:n-1]
}

func (r *odfReader) beginList(style string, goesOn bool) {
	if len(r.openLists) >= maxDepth {
		r.deepLists++
		return
	}
	n := len(r.openLists)
	if style == "" && n > 0 { // inner lists are styled by the outermost
		style = r.openLists[n-1].style
	}
	l := odfList{style: style}
	if goesOn {
		l.counted = r.counted[listKey{style, n + 1}]
	}
	r.openLists = append(r.openLists, l)
}

func (r *odfReader) endList() {
	n := len(r.openLists)
	if r.deepLists > 0 || n == 0 {
		r.deepLists = max(0, r.deepLists-1)
		return
	}
	if r.counted == nil {
		r.counted = map[listKey]int{}
	}
	l := r.openLists[n-1]
	r.counted[listKey{l.style, n}] = l.counted
	r.openLists = r.openLists[:n-1]
}

// end closes what a cut-off part left open.
func (r *odfReader) end() {
	r.skip, r.deeper = 0, 0
	for len(r.open) > 0 {
		r.endParagraph()
	}
	if t, ok := r.tables.endAll(); ok {
		r.emitTable(t)
	}
	r.sheet.end()
	r.endSlide()
}
