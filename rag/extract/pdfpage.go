package extract

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"golang.org/x/text/unicode/norm"

	"referent/rag"
)

// pdfPage is what was read of one page.
type pdfPage struct {
	number        int // physical, from 1
	label         string
	width, height float64 // points, as shown
	lines         []pdfLine
	chars         int
	picture       bool // holds an image, or drawings only
	sampled       int  // characters asked for their meaning
	unmapped      int  // of these, without one
}

func (p *pdfPage) empty() bool { return p.chars == 0 && !p.picture }

// unreadable tells a page whose font does not say what its signs mean.
func (p *pdfPage) unreadable() bool { return p.sampled > 0 && p.unmapped*10 > p.sampled*3 }

// pdfLine is a line in reading order.
type pdfLine struct {
	text string
	rect rag.Rect // as shown, origin at the top left
	size float64  // font size in points, of its first character
	bold bool

	recognised bool // from a picture: its size says little
}

// page reads one page. Form fields become text of the page before the first
// text call: text that was asked for is cached.
func (r *pdfReader) page(index int) (pdfPage, error) {
	p := pdfPage{}
	if label, err := r.FPDF_GetPageLabel(&requests.FPDF_GetPageLabel{Document: r.doc, Page: index}); err == nil {
		p.label = oneLine(cleanText(label.Label))
	}
	loaded, err := r.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: r.doc, Index: index})
	if err != nil {
		return p, err
	}
	page := loaded.Page
	before := ""
	if r.hasFields(page) {
		before, _ = r.plain(page) // a page that cannot be read says so below
		if flat, err := r.flatten(index, page); err != nil {
			return p, err
		} else {
			page = flat
		}
	}
	defer func() { _, _ = r.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: page}) }()
	if err := r.text(page, &p); err != nil {
		return p, err
	}
	// In rare files flattening destroys the page's text: keep what it had.
	if before != "" && wordsOf(before) > 0 && wordsSurviving(before, p.lines)*10 < wordsOf(before)*9 {
		for _, l := range strings.Split(tidyPDF(before), "\n") {
			p.lines = append(p.lines, pdfLine{text: l})
		}
	}
	if p.chars < fewChars {
		p.picture = r.hasPicture(page, p.chars)
	}
	return p, nil
}

// text fills in the size and lines of a loaded page.
func (r *pdfReader) text(page references.FPDF_PAGE, p *pdfPage) error {
	byRef := requests.Page{ByReference: &page}
	frame, err := r.frame(byRef)
	if err != nil {
		return err
	}
	p.width, p.height = frame.width, frame.height
	loaded, err := r.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: byRef})
	if err != nil {
		return err
	}
	tp := loaded.TextPage
	defer func() { _, _ = r.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: tp}) }()
	count, err := r.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: tp})
	if err != nil {
		return err
	}
	n := min(count.Count, r.opts.MaxPageChars)
	if n <= 0 {
		return nil
	}
	if n < count.Count {
		r.d.partly = append(r.d.partly, "One page holds more text than a page may have; its beginning was read.")
	}
	whole, err := r.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: tp, StartIndex: 0, Count: n})
	if err != nil {
		return err
	}
	if err := r.sample(tp, n, p); err != nil {
		return err
	}
	return r.lines(tp, whole.Text, frame, p)
}

// lines cuts the page's text at its line ends and asks for the place and the
// font of each line: a few calls a line instead of several a character.
func (r *pdfReader) lines(tp references.FPDF_TEXTPAGE, text string, frame pageFrame, p *pdfPage) error {
	pos := 0 // in characters of the text
	for len(text) > 0 {
		raw := text
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			raw = text[:i+1]
		}
		text = text[len(raw):]
		start, n := pos, utf8.RuneCountInString(raw)
		pos += n
		clean := tidyPDF(raw)
		if clean == "" {
			continue
		}
		p.chars += utf8.RuneCountInString(clean)
		lead := utf8.RuneCountInString(raw) - utf8.RuneCountInString(strings.TrimLeftFunc(raw, unicode.IsSpace))
		line := pdfLine{text: clean}
		at, err := r.FPDFText_GetCharIndexFromTextIndex(&requests.FPDFText_GetCharIndexFromTextIndex{TextPage: tp, NTextIndex: start + lead})
		if err == nil {
			if err := r.place(tp, at.CharIndex, n-lead, frame, &line); err != nil {
				return err
			}
		}
		p.lines = append(p.lines, line)
	}
	return nil
}

func (r *pdfReader) place(tp references.FPDF_TEXTPAGE, char, n int, frame pageFrame, line *pdfLine) error {
	rects, err := r.FPDFText_CountRects(&requests.FPDFText_CountRects{TextPage: tp, StartIndex: char, Count: n})
	if err != nil {
		return err
	}
	// Recognised text has a rectangle for each letter; a dozen along the line
	// and the last one bound it as well.
	stride := max(rects.Count/12, 1)
	for i := 0; i < rects.Count; i = next(i, stride, rects.Count-1) {
		q, err := r.FPDFText_GetRect(&requests.FPDFText_GetRect{TextPage: tp, Index: i})
		if err != nil {
			return err
		}
		line.rect = union(line.rect, frame.show(q.Left, q.Top, q.Right, q.Bottom))
	}
	if size, err := r.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: tp, Index: char}); err == nil {
		line.size = size.FontSize
	}
	// Many programs set size 1 and scale the text by its matrix.
	if m, err := r.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{TextPage: tp, Index: char}); err == nil {
		line.size *= math.Hypot(float64(m.Matrix.C), float64(m.Matrix.D))
	}
	if w, err := r.FPDFText_GetFontWeight(&requests.FPDFText_GetFontWeight{TextPage: tp, Index: char}); err == nil {
		line.bold = w.FontWeight >= 600
	}
	return nil
}

// next steps through 0 to last and never leaves the last one out.
func next(i, stride, last int) int {
	if i < last {
		return min(i+stride, last)
	}
	return last + 1
}

// sample asks up to 64 characters, evenly spread, whether their font gives
// them a meaning.
func (r *pdfReader) sample(tp references.FPDF_TEXTPAGE, n int, p *pdfPage) error {
	step := max(n/64, 1)
	for i := step / 2; i < n; i += step {
		u, err := r.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: tp, Index: i})
		if err != nil {
			return err
		}
		if u.Unicode == ' ' || u.Unicode == '\n' || u.Unicode == '\r' {
			continue
		}
		e, err := r.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{TextPage: tp, Index: i})
		if err != nil {
			return err
		}
		p.sampled++
		if e.HasUnicodeMapError || u.Unicode == unicode.ReplacementChar || u.Unicode >= 0xe000 && u.Unicode <= 0xf8ff || u.Unicode == 0 {
			p.unmapped++
		}
	}
	return nil
}

// hyphenMarks are what the module puts in place of a hyphen at a line end.
var hyphenMarks = strings.NewReplacer("\ufffe", "", "\x02\r\n", "", "\x02\n", "", "\x02", "", "\t", " ")

// tidyPDF cleans a line: halves of words are joined at the mark between them,
// ligatures become letters.
func tidyPDF(s string) string {
	return strings.TrimSpace(norm.NFKC.String(cleanText(hyphenMarks.Replace(s))))
}

// plain is the text of a page without places.
func (r *pdfReader) plain(page references.FPDF_PAGE) (string, error) {
	t, err := r.GetPageText(&requests.GetPageText{Page: requests.Page{ByReference: &page}})
	if err != nil {
		return "", err
	}
	return t.Text, nil
}

func wordsOf(s string) int { return len(strings.Fields(s)) }

// wordsSurviving counts the words of before that the lines still hold.
func wordsSurviving(before string, lines []pdfLine) int {
	left := map[string]int{}
	for _, l := range lines {
		for _, w := range strings.Fields(l.text) {
			left[w]++
		}
	}
	n := 0
	for _, w := range strings.Fields(tidyPDF(before)) {
		if left[w] > 0 {
			left[w]--
			n++
		}
	}
	return n
}

// maxFields bounds the search for form fields among a page's annotations.
const maxFields = 1000

// hasFields tells whether the page has form fields, whose values are no text of
// the page yet. Links, by far the most annotations, need no flattening.
func (r *pdfReader) hasFields(page references.FPDF_PAGE) bool {
	byRef := requests.Page{ByReference: &page}
	count, err := r.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: byRef})
	if err != nil {
		return false
	}
	for i := 0; i < min(count.Count, maxFields); i++ {
		a, err := r.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: byRef, Index: i})
		if err != nil {
			continue
		}
		sub, err := r.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: a.Annotation})
		_, _ = r.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: a.Annotation})
		if err == nil && (sub.Subtype == enums.FPDF_ANNOT_SUBTYPE_WIDGET || sub.Subtype == enums.FPDF_ANNOT_SUBTYPE_FREETEXT) {
			return true
		}
	}
	return false
}

// flatten makes form fields text of the page and loads the page anew.
func (r *pdfReader) flatten(index int, page references.FPDF_PAGE) (references.FPDF_PAGE, error) {
	_, err := r.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: requests.Page{ByReference: &page}, Usage: requests.FPDFPage_FlattenUsageNormalDisplay})
	if err != nil && broken(err) {
		return page, err
	}
	if _, err := r.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: page}); err != nil {
		return page, err
	}
	again, err := r.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: r.doc, Index: index})
	if err != nil {
		return page, err
	}
	return again.Page, nil
}

// maxObjects bounds the search for a picture on a page.
const maxObjects = 200

// hasPicture tells whether a page with next to no text shows something: an
// image, or anything at all where there is no text.
func (r *pdfReader) hasPicture(page references.FPDF_PAGE, chars int) bool {
	byRef := requests.Page{ByReference: &page}
	count, err := r.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: byRef})
	if err != nil || chars == 0 {
		return err == nil && count.Count > 0
	}
	for i := range min(count.Count, maxObjects) {
		o, err := r.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: byRef, Index: i})
		if err != nil {
			return false
		}
		kind, err := r.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o.PageObject})
		if err == nil && kind.Type == enums.FPDF_PAGEOBJ_IMAGE {
			return true
		}
	}
	return false
}
