package extract

import (
	"math"
	"strings"
	"unicode"
)

// lineKey is a line by page and position, both from 0.
type lineKey struct{ page, line int }

// furnitureBand is the share of a page's height, at its top and bottom, where
// running headers and footers stand.
const furnitureBand = 0.12

// findFurniture marks page headers and footers: lines near the edge whose text,
// digits aside, repeats at the same height on several pages.
func findFurniture(pages []pdfPage) map[lineKey]bool {
	type place struct {
		text   string
		height int // in steps of 6 points
	}
	seen := map[place]map[int]bool{} // pages
	var edge []struct {
		key  lineKey
		text string
		y    int
	}
	for i, p := range pages {
		for j, l := range p.lines {
			if p.height == 0 || !atEdge(l, p.height) {
				continue
			}
			text := withoutDigits(l.text)
			y := int(math.Round(l.rect.Y / 6))
			edge = append(edge, struct {
				key  lineKey
				text string
				y    int
			}{lineKey{i, j}, text, y})
			at := place{text, y}
			if seen[at] == nil {
				seen[at] = map[int]bool{}
			}
			seen[at][i] = true
		}
	}
	// Left and right pages alternate, so half of the pages would be too many.
	need := max(3, len(pages)/5)
	found := map[lineKey]bool{}
	for _, e := range edge {
		for dy := -1; dy <= 1; dy++ {
			if len(seen[place{e.text, e.y + dy}]) >= need {
				found[e.key] = true
			}
		}
	}
	return found
}

func atEdge(l pdfLine, height float64) bool {
	if l.rect.Height == 0 {
		return false
	}
	return l.rect.Y+l.rect.Height < height*furnitureBand || l.rect.Y > height*(1-furnitureBand)
}

// withoutDigits makes "Page 3 of 9" and "Page 4 of 9" the same text.
func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}
