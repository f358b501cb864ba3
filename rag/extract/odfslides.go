package extract

import (
	"encoding/xml"

	"referent/rag"
)

// beginSlide begins a slide; drawings have pages too, which are read alike.
func (r *odfReader) beginSlide(e xml.StartElement) {
	r.endSlide()
	r.presentation = true
	r.slide = slide{number: r.slide.number + 1, hidden: r.styles.lookup("drawing-page", attr(e, "style-name")).hidden}
	r.frame = ""
}

func (r *odfReader) endSlide() {
	if r.slide.number > 0 && !r.furniture {
		r.slide.flush(r.d)
		r.slide = slide{number: r.slide.number}
	}
}

func (r *odfReader) emitOnSlide(p *odfParagraph, text string) {
	kind := p.kind
	switch {
	case r.tables.top() != nil && kind != rag.BlockNote:
		top := r.tables.top()
		top.cell = append(top.cell, text)
		return
	case r.frame == "date-time" || r.frame == "page-number":
		return // the same on every slide
	case r.frame == "header" || r.frame == "footer":
		kind = rag.BlockHeaderFooter
	case kind == rag.BlockNote:
	case r.frame == "title":
		r.slide.title = append(r.slide.title, text)
		return
	case p.marker != "":
		kind, text = rag.BlockListItem, p.marker+text
	default:
		kind = rag.BlockParagraph
	}
	r.slide.add(rag.Block{Kind: kind, Text: text})
}
