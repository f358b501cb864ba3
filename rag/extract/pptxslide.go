package extract

import (
	"encoding/xml"
	"strings"

	"referent/rag"
)

// slideReader reads the tokens of a slide or of a page of speaker notes. The
// shapes of a group come in the order in which they lie in the file, at any
// depth; nothing is kept of the nesting.
type slideReader struct {
	slide  slide
	notes  bool     // a notes page: only its text body counts
	spoken []string // paragraphs of the notes

	skip      skipDepth
	shape     string // placeholder type of the open shape; empty for a plain shape
	tables    openTables
	continues bool // the open cell continues the one above
	paragraph *slideParagraph
	inText    bool
	counts    [9]int // of numbered paragraphs, by level

	charts, diagrams []string // relationship ids
}

type slideParagraph struct {
	text   strings.Builder
	level  int
	bullet string // bullet, none or a numbering scheme; empty is inherited
	start  int    // of the numbering
}

func (r *slideReader) token(t xml.Token) {
	if r.skip.over(t, secondCopy) {
		return
	}
	switch t := t.(type) {
	case xml.StartElement:
		r.start(t)
	case xml.EndElement:
		r.finish(t.Name.Local)
	case xml.CharData:
		if r.inText {
			r.write(string(t))
		}
	}
}

func (r *slideReader) write(s string) {
	if r.paragraph != nil {
		r.paragraph.text.WriteString(s)
	}
}

func (r *slideReader) start(e xml.StartElement) {
	switch e.Name.Local {
	case "sld":
		r.slide.hidden = attr(e, "show") == "0" || attr(e, "show") == "false"
	case "sp", "cxnSp", "graphicFrame", "pic":
		r.shape, r.counts = "", [9]int{}
	case "ph":
		if r.shape = attr(e, "type"); r.shape == "" {
			r.shape = "obj"
		}
	case "tbl":
		r.tables.begin(0)
	case "tc":
		r.continues = attr(e, "vMerge") == "1" || attr(e, "vMerge") == "true"
	case "p":
		r.paragraph = &slideParagraph{start: 1}
	case "t":
		r.inText = true
	case "br":
		r.write("\n")
	case "chart":
		r.charts = append(r.charts, relationAttr(e, "id"))
	case "relIds":
		r.diagrams = append(r.diagrams, relationAttr(e, "dm"))
	default:
		r.property(e)
	}
}

// property notes what a paragraph says about its bullet.
func (r *slideReader) property(e xml.StartElement) {
	p := r.paragraph
	if p == nil {
		return
	}
	switch e.Name.Local {
	case "pPr":
		p.level = min(max(number(attr(e, "lvl")), 0), len(r.counts)-1)
	case "buNone":
		p.bullet = "none"
	case "buChar", "buBlip":
		p.bullet = "bullet"
	case "buAutoNum":
		p.bullet = attr(e, "type")
		p.start = max(number(attr(e, "startAt")), 1)
	}
}

func (r *slideReader) finish(name string) {
	switch name {
	case "t":
		r.inText = false
	case "p":
		if p := r.paragraph; p != nil {
			r.paragraph = nil
			r.emit(p)
		}
	case "tc":
		r.tables.endCell(r.continues)
	case "tr":
		r.tables.endRow()
	case "tbl":
		if t, ok := r.tables.end(); ok {
			r.slide.add(rag.Block{Kind: rag.BlockTable, Text: t.text(), TableHeader: t.header()})
		}
	}
}

func (r *slideReader) emit(p *slideParagraph) {
	text := tidy(p.text.String())
	if text == "" {
		return
	}
	if r.notes {
		if r.shape == "body" {
			r.spoken = append(r.spoken, text)
		}
		return
	}
	if t := r.tables.top(); t != nil {
		t.cell = append(t.cell, text)
		return
	}
	switch r.shape {
	case "title", "ctrTitle":
		r.slide.title = append(r.slide.title, text)
	case "dt", "sldNum": // the same on every slide
	case "ftr", "hdr":
		r.slide.add(rag.Block{Kind: rag.BlockHeaderFooter, Text: text})
	default:
		kind, marker := r.marker(p)
		r.slide.add(rag.Block{Kind: kind, Text: marker + text})
	}
}

// marker counts a paragraph and gives what is shown before it. Body text has
// bullets by its layout unless the paragraph says otherwise.
func (r *slideReader) marker(p *slideParagraph) (rag.BlockKind, string) {
	for deeper := p.level + 1; deeper < len(r.counts); deeper++ {
		r.counts[deeper] = 0
	}
	inherited := r.shape == "body" || r.shape == "obj"
	switch {
	case p.bullet == "none" || p.bullet == "" && !inherited:
		r.counts[p.level] = 0
		return rag.BlockParagraph, ""
	case p.bullet == "" || p.bullet == "bullet":
		r.counts[p.level] = 0
		return rag.BlockListItem, "- "
	}
	r.counts[p.level]++
	return rag.BlockListItem, autoNumber(p.start+r.counts[p.level]-1, p.bullet) + " "
}

// autoNumber writes a number in one of DrawingML's schemes ("alphaLcParenR").
func autoNumber(n int, scheme string) string {
	format := "decimal"
	for prefix, f := range map[string]string{"alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman", "romanUc": "upperRoman"} {
		if strings.HasPrefix(scheme, prefix) {
			format = f
		}
	}
	text := countAs(n, format)
	switch {
	case strings.HasSuffix(scheme, "ParenBoth"):
		return "(" + text + ")"
	case strings.HasSuffix(scheme, "ParenR"):
		return text + ")"
	case strings.HasSuffix(scheme, "Plain"):
		return text
	}
	return text + "."
}

// end closes what a cut-off slide left open.
func (r *slideReader) end() {
	r.skip = 0
	r.finish("p")
	if t, ok := r.tables.endAll(); ok {
		r.slide.add(rag.Block{Kind: rag.BlockTable, Text: t.text(), TableHeader: t.header()})
	}
}
