package extract

import (
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// outlineEntry is a bookmark that points into the document.
type outlineEntry struct {
	title string // folded for comparison
	level int    // from 1
	page  int    // from 1
}

// An outline can loop and branch without end in a hostile file.
const (
	maxOutline      = 5000
	maxOutlineDepth = 6
)

// outline lists the bookmarks by page; it is walked with a stack of its own.
func (r *pdfReader) outline() map[int][]outlineEntry {
	entries := map[int][]outlineEntry{}
	first, err := r.FPDFBookmark_GetFirstChild(&requests.FPDFBookmark_GetFirstChild{Document: r.doc})
	if err != nil || first.Bookmark == nil {
		return entries
	}
	type open struct {
		mark  references.FPDF_BOOKMARK
		level int
	}
	stack := []open{{*first.Bookmark, 1}}
	for n := 0; len(stack) > 0 && n < maxOutline; n++ {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if next, err := r.FPDFBookmark_GetNextSibling(&requests.FPDFBookmark_GetNextSibling{Document: r.doc, Bookmark: at.mark}); err == nil && next.Bookmark != nil {
			stack = append(stack, open{*next.Bookmark, at.level})
		}
		if at.level < maxOutlineDepth {
			mark := at.mark
			if child, err := r.FPDFBookmark_GetFirstChild(&requests.FPDFBookmark_GetFirstChild{Document: r.doc, Bookmark: &mark}); err == nil && child.Bookmark != nil {
				stack = append(stack, open{*child.Bookmark, at.level + 1})
			}
		}
		title, err := r.FPDFBookmark_GetTitle(&requests.FPDFBookmark_GetTitle{Bookmark: at.mark})
		if err != nil {
			continue
		}
		if page := r.target(at.mark); page > 0 {
			if folded := foldHeading(title.Title); folded != "" {
				entries[page] = append(entries[page], outlineEntry{folded, at.level, page})
			}
		}
	}
	return entries
}

// target is the page that a bookmark points to, from 1; 0 if to none.
func (r *pdfReader) target(mark references.FPDF_BOOKMARK) int {
	var dest *references.FPDF_DEST
	if d, err := r.FPDFBookmark_GetDest(&requests.FPDFBookmark_GetDest{Document: r.doc, Bookmark: mark}); err == nil {
		dest = d.Dest
	}
	if dest == nil {
		action, err := r.FPDFBookmark_GetAction(&requests.FPDFBookmark_GetAction{Bookmark: mark})
		if err != nil || action.Action == nil {
			return 0
		}
		d, err := r.FPDFAction_GetDest(&requests.FPDFAction_GetDest{Document: r.doc, Action: *action.Action})
		if err != nil || d.Dest == nil {
			return 0
		}
		dest = d.Dest
	}
	index, err := r.FPDFDest_GetDestPageIndex(&requests.FPDFDest_GetDestPageIndex{Document: r.doc, Dest: *dest})
	if err != nil || index.Index < 0 {
		return 0
	}
	return index.Index + 1
}

// foldHeading keeps letters only, lower case: bookmarks and headings differ in
// numbers, spaces and dashes.
func foldHeading(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, tidyPDF(s))
}
