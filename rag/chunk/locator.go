package chunk

import (
	"slices"
	"strconv"
	"strings"

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
	case a.Sheet != "" && a.Sheet == b.Sheet:
		a.Cell = mergeCells(a.Cell, b.Cell)
	case a.LineFrom > 0 && b.LineFrom > 0:
		a.LineTo = max(a.LineTo, b.LineTo)
		a.LineFrom = min(a.LineFrom, b.LineFrom)
	}
	return a
}

// mergeCells is the range that covers two ranges in A1 form, of which a begins
// first. What is no range is the sheet as a whole.
func mergeCells(a, b string) string {
	if a == b {
		return a
	}
	from, to := cellRange(a)
	from2, to2 := cellRange(b)
	if from.row == 0 || from2.row == 0 {
		return ""
	}
	from = cellAt{min(from.column, from2.column), min(from.row, from2.row)}
	to = cellAt{max(to.column, to2.column), max(to.row, to2.row)}
	return from.String() + ":" + to.String()
}

// cellAt is a cell by column and row, from 1.
type cellAt struct{ column, row int }

func (c cellAt) String() string {
	var letters []byte
	for n := c.column; n > 0; n = (n - 1) / 26 {
		letters = append(letters, byte('A'+(n-1)%26))
	}
	slices.Reverse(letters)
	return string(letters) + strconv.Itoa(c.row)
}

func cellRange(s string) (from, to cellAt) {
	first, last, ok := strings.Cut(s, ":")
	if !ok {
		last = first
	}
	return cell(first), cell(last)
}

// cell reads the A1 form; zeros if it is none.
func cell(s string) cellAt {
	var c cellAt
	digits := strings.IndexFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' })
	if digits < 1 || digits > 3 {
		return c
	}
	for _, letter := range s[:digits] {
		c.column = c.column*26 + int(letter-'A') + 1
	}
	row, err := strconv.Atoi(s[digits:])
	if err != nil || row < 1 {
		return cellAt{}
	}
	c.row = row
	return c
}
