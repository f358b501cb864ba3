package extract

import (
	"strings"

	"referent/rag"
)

// slide collects what stands on one slide. The title goes first wherever the
// file keeps it, since that is how a slide is read.
type slide struct {
	number int // from 1
	hidden bool
	title  []string
	blocks []rag.Block
}

// add appends a block. Locators are the slide's own.
func (s *slide) add(list ...rag.Block) {
	for _, b := range list {
		b.Locator = rag.Locator{Slide: s.number}
		s.blocks = append(s.blocks, b)
	}
}

// flush hands the slide to the document. The headings of one slide never reach
// into the next.
func (s *slide) flush(d *document) {
	d.path, d.levels = nil, nil
	title := strings.Join(s.title, " ")
	if s.hidden {
		title = strings.TrimSpace(title + " (hidden slide)")
	}
	d.heading(1, title, rag.Locator{Slide: s.number})
	for _, b := range s.blocks {
		d.add(b)
	}
}
