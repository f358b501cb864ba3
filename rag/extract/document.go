package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"referent/rag"
)

// separator stands between two blocks in the normalised text; items of a list
// stand on lines below each other.
const separator = "\n\n"

// document collects blocks and the normalised text that they make.
type document struct {
	text     strings.Builder
	runes    int // code points in text
	blocks   []rag.Block
	starts   []int       // of each block in text, in bytes
	tail     []rag.Block // page headers, footers and notes: after everything else
	path     []string    // headings above the next block
	levels   []int       // level of each heading in path
	maxChars int
	full     bool // the cap on code points was met: what follows is dropped

	title, titleSource string
	language           string // as the file declares it
	encoding           string
	pages              int
	partly             []string // sentences about what was left out
	recognised         bool     // some words come from pictures
	status             rag.FileStatus
}

func newDocument(opts Options) *document {
	return &document{maxChars: opts.MaxChars}
}

// heading adds a heading and makes it the path of what follows. Level is 1 to 6.
func (d *document) heading(level int, text string, at rag.Locator) {
	text = tidy(text)
	if text == "" {
		return
	}
	level = min(max(level, 1), 6)
	keep := len(d.levels)
	for keep > 0 && d.levels[keep-1] >= level {
		keep--
	}
	d.path, d.levels = d.path[:keep:keep], d.levels[:keep]
	d.add(rag.Block{Kind: rag.BlockHeading, Text: text, Level: level, Locator: at})
	d.path = append(d.path, oneLine(text))
	d.levels = append(d.levels, level)
}

// add appends a block in reading order. Its heading path and offset are set
// here; a block without text is dropped.
func (d *document) add(b rag.Block) {
	if d.full {
		return
	}
	if b.Kind != rag.BlockCode && b.Kind != rag.BlockTable {
		b.Text = tidy(b.Text)
	} else {
		b.Text = cleanText(strings.Trim(b.Text, "\n"))
	}
	if strings.TrimSpace(b.Text) == "" {
		return
	}
	if len(d.path) > 0 {
		b.Heading = d.path[:len(d.path):len(d.path)]
	}
	if b.Kind == rag.BlockNote || b.Kind == rag.BlockHeaderFooter {
		d.tail = append(d.tail, b)
		return
	}
	d.append(b)
}

// fullReason is said of a document that has no room for more.
const fullReason = "Only the first part was read: the file holds more text than one document may have."

// fill ends the document here.
func (d *document) fill() {
	if !d.full {
		d.full = true
		d.partly = append(d.partly, fullReason)
	}
}

func (d *document) append(b rag.Block) {
	n := utf8.RuneCountInString(b.Text)
	if d.runes+n+len(separator) > d.maxChars {
		d.fill()
		return
	}
	if n := len(d.blocks); n > 0 {
		gap := separator
		if b.Kind == rag.BlockListItem && d.blocks[n-1].Kind == rag.BlockListItem {
			gap = "\n"
		}
		d.text.WriteString(gap)
		d.runes += len(gap)
	}
	b.Offset = d.runes
	start, capacity := d.text.Len(), d.text.Cap()
	d.text.WriteString(b.Text)
	d.runes += n
	d.blocks, d.starts = append(d.blocks, b), append(d.starts, start)
	if d.text.Cap() == capacity {
		d.share(len(d.blocks) - 1)
	} else {
		d.share(0)
	}
}

// share lets the texts of blocks lie in the normalised text instead of beside
// it, which halves what a large document takes. When the text moves to grow,
// all of them move with it.
func (d *document) share(from int) {
	whole := d.text.String()
	for i := from; i < len(d.blocks); i++ {
		b := &d.blocks[i]
		b.Text = whole[d.starts[i] : d.starts[i]+len(b.Text)]
	}
}

// adopt adds the blocks of a document that lies within this one, below the
// headings that are open: its own become deeper, its places are translated.
func (d *document) adopt(sub *document, deeper int, at func(rag.Locator) rag.Locator) {
	base, levels := d.path, d.levels
	for _, b := range sub.blocks {
		b.Locator = at(b.Locator)
		if b.Kind == rag.BlockHeading {
			d.heading(b.Level+deeper, b.Text, b.Locator)
		} else {
			d.add(b)
		}
	}
	d.path, d.levels = base, levels
	for _, b := range sub.tail {
		b.Locator = at(b.Locator)
		b.Heading = append(base[:len(base):len(base)], b.Heading...)
		d.tail = append(d.tail, b)
	}
}

// leftOut notes once what was not read, a sentence.
func (d *document) leftOut(sentence string) {
	if !slices.Contains(d.partly, sentence) {
		d.partly = append(d.partly, sentence)
	}
}

// setTitle keeps the first title of the strongest source.
func (d *document) setTitle(title, source string) {
	title = oneLine(tidy(title))
	if title == "" || d.title != "" || utf8.RuneCountInString(title) > 300 {
		return
	}
	d.title, d.titleSource = title, source
}

// finish closes the text and gives the extraction; kind and the title's last
// resort are the caller's.
func (d *document) finish() rag.Extraction {
	for _, b := range d.tail {
		d.append(b)
	}
	d.tail = nil
	status := d.status
	if status == "" {
		status = rag.FileIndexed
		if len(d.partly) > 0 {
			status = rag.FilePartlyIndexed
		}
	}
	return rag.Extraction{
		Status: status, Reason: strings.Join(d.partly, " "), Title: d.title, TitleSource: d.titleSource,
		Pages: d.pages, Language: d.language, Encoding: d.encoding, Text: d.text.String(), Blocks: d.blocks,
	}
}
