package chunk

import (
	"slices"

	"referent/rag"
)

// maxRects keeps a locator small; more rectangles on a page than this mark
// the page rather than a passage.
const maxRects = 40

// mergeLocators is the range that covers both, of which a is the earlier. Of a
// range of pages the rectangles are those on its first page.
func mergeLocators(a, b rag.Locator) rag.Locator {
	switch {
	case a.Page > 0 && b.Page > 0:
		last := max(a.Page, a.PageTo, b.Page, b.PageTo)
		if b.Page == a.Page {
			rects := append(slices.Clone(a.Rects), b.Rects...)
			a.Rects = rects[:min(len(rects), maxRects)]
		}
		if last > a.Page {
			a.PageTo = last
		}
	case a.LineFrom > 0 && b.LineFrom > 0:
		a.LineTo = max(a.LineTo, b.LineTo)
		a.LineFrom = min(a.LineFrom, b.LineFrom)
	}
	return a
}
