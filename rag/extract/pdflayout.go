package extract

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"referent/rag"
)

// layout turns the lines of all pages into blocks.
func layout(pages []pdfPage, outline map[int][]outlineEntry, d *document) {
	furniture := findFurniture(pages)
	sizes := newSizes(pages)
	for i := range pages {
		p := &pages[i]
		pl := pageLayout{page: p, sizes: sizes, outline: outline[p.number], d: d}
		var aside []rag.Block
		for j, l := range p.lines {
			if furniture[lineKey{i, j}] {
				aside = append(aside, rag.Block{Kind: rag.BlockHeaderFooter, Text: l.text, Locator: p.locate([]pdfLine{l})})
				continue
			}
			pl.line(l)
		}
		pl.flush()
		for _, b := range aside {
			d.add(b)
		}
	}
}

// locate gives page, label and rectangles; lines of one column under each
// other share one rectangle.
func (p *pdfPage) locate(lines []pdfLine) rag.Locator {
	at := rag.Locator{Page: p.number, PageLabel: p.label}
	for _, l := range lines {
		if l.rect.Width == 0 && l.rect.Height == 0 {
			continue
		}
		if n := len(at.Rects); n > 0 && stacked(at.Rects[n-1], l.rect) {
			at.Rects[n-1] = union(at.Rects[n-1], l.rect)
			continue
		}
		at.Rects = append(at.Rects, l.rect)
	}
	return at
}

// stacked tells whether b continues the column of a below it.
func stacked(a, b rag.Rect) bool {
	return b.Y+b.Height > a.Y && b.Y < a.Y+a.Height+2.5*math.Max(b.Height, 6) &&
		b.X < a.X+a.Width && a.X < b.X+b.Width && b.Y+b.Height/2 > a.Y
}

// sizes knows the font size of running text and the steps above it.
type sizes struct {
	body  float64
	steps []float64 // larger sizes in use, largest first, at most three
}

func newSizes(pages []pdfPage) sizes {
	weight := map[float64]int{}
	for _, p := range pages {
		for _, l := range p.lines {
			if l.size > 0 && !l.recognised {
				weight[math.Round(l.size*2)/2] += utf8.RuneCountInString(l.text)
			}
		}
	}
	s := sizes{}
	most := 0
	for size, n := range weight {
		if n > most || n == most && size < s.body {
			s.body, most = size, n
		}
	}
	for size := range weight {
		if size >= s.body*1.15 {
			s.steps = append(s.steps, size)
		}
	}
	slices.SortFunc(s.steps, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	s.steps = s.steps[:min(len(s.steps), 3)]
	return s
}

// level is the heading level that a size stands for; 0 for running text.
func (s sizes) level(size float64) int {
	size = math.Round(size*2) / 2
	if s.body == 0 || size < s.body*1.15 {
		return 0
	}
	for i, step := range s.steps {
		if size >= step {
			return i + 1
		}
	}
	return 3
}

// pageLayout joins the lines of one page to blocks.
type pageLayout struct {
	page    *pdfPage
	sizes   sizes
	outline []outlineEntry
	d       *document
	lines   []pdfLine // of the open block
	level   int       // of the open heading; 0 for text
}

func (p *pageLayout) line(l pdfLine) {
	level := p.headingLevel(l)
	if len(p.lines) > 0 && (level != p.level || !p.continues(l, level)) {
		p.flush()
	}
	p.lines, p.level = append(p.lines, l), level
}

var numbered = regexp.MustCompile(`^(\d{1,2}(\.\d{1,2}){0,3}\.?|§\s*\d+|[IVX]{1,5}\.)\s+\p{Lu}`)

// headingLevel judges one line by the outline, its size, and numbering in bold.
func (p *pageLayout) headingLevel(l pdfLine) int {
	n := utf8.RuneCountInString(l.text)
	if n > 150 || strings.IndexFunc(l.text, unicode.IsLetter) < 0 {
		return 0
	}
	if folded := foldHeading(l.text); folded != "" {
		for _, e := range p.outline {
			if e.title == folded {
				return e.level
			}
		}
	}
	if l.recognised {
		return 0
	}
	if level := p.sizes.level(l.size); level > 0 && n >= 2 && !strings.HasSuffix(l.text, ",") {
		return level
	}
	if l.bold && n <= 100 && numbered.MatchString(l.text) && !strings.ContainsAny(l.text[len(l.text)-1:], ".,;:") {
		return 3
	}
	return 0
}

// continues tells whether a line belongs to the open block: near below the
// line before it, in the same size, and not the beginning of something new.
func (p *pageLayout) continues(l pdfLine, level int) bool {
	prev := p.lines[len(p.lines)-1]
	if level > 0 {
		return math.Abs(prev.size-l.size) < 0.6 && l.rect.Y > prev.rect.Y && l.rect.Y-prev.rect.Y < 2.2*l.size && len(p.lines) < 4
	}
	if isBullet(l.text) || math.Abs(prev.size-l.size) > 0.2*math.Max(prev.size, 1) {
		return false
	}
	pitch := math.Max(l.size, 4)
	drop := (l.rect.Y + l.rect.Height) - (prev.rect.Y + prev.rect.Height)
	switch {
	case l.rect.Width == 0 || prev.rect.Width == 0:
		return true
	case drop < -2*pitch: // up: the next column; a sentence may go on there
		return !endsSentence(prev.text)
	case drop < 0.5*pitch: // the same line, further right
		return true
	case drop > 1.75*pitch:
		return false
	}
	// An indent, or a short line before it, after a finished sentence.
	if endsSentence(prev.text) {
		first := p.lines[0]
		if l.rect.X > prev.rect.X+pitch && l.rect.X < prev.rect.X+4*pitch && len(p.lines) > 1 {
			return false
		}
		if prev.rect.Width < 0.75*first.rect.Width && len(p.lines) > 1 {
			return false
		}
	}
	return true
}

func endsSentence(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?:;。！？", r)
}

var bullet = regexp.MustCompile(`^([•◦▪■●–*·‣⁃-]|\(?[a-z0-9]{1,2}[.)])\s+\S`)

func isBullet(s string) bool { return bullet.MatchString(s) }

func (p *pageLayout) flush() {
	if len(p.lines) == 0 {
		return
	}
	at := p.page.locate(p.lines)
	text := joinLines(p.lines)
	switch {
	case p.level > 0:
		p.d.heading(p.level, oneLine(text), at)
	case isBullet(text):
		p.d.add(rag.Block{Kind: rag.BlockListItem, Text: text, Locator: at})
	default:
		p.d.add(rag.Block{Kind: rag.BlockParagraph, Text: text, Locator: at})
	}
	p.lines, p.level = nil, 0
}

// joinLines keeps line ends where lines are short (tables, addresses) and
// makes running text one line; a hyphen at a line end that the module did not
// join is joined where a small letter follows.
func joinLines(lines []pdfLine) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			prev := lines[i-1]
			switch {
			case isCJKEnd(prev.text) && isCJKStart(l.text):
			case utf8.RuneCountInString(prev.text) < 30 && prev.rect.Width > 0 && prev.rect.Width < 0.6*widest(lines):
				b.WriteByte('\n')
			default:
				b.WriteByte(' ')
			}
		}
		b.WriteString(l.text)
	}
	return b.String()
}

func widest(lines []pdfLine) float64 {
	w := 0.0
	for _, l := range lines {
		w = math.Max(w, l.rect.Width)
	}
	return w
}

func isCJKEnd(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	sc := scriptOf(r)
	return sc == scriptHan || sc == scriptKana
}

func isCJKStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	sc := scriptOf(r)
	return sc == scriptHan || sc == scriptKana
}
