package extract

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"referent/rag"
)

// epubChapter reads one chapter with the entries of the table of contents that
// lead into it. A page of contents is left out if it holds little but links: its
// lines are the headings already.
func (a *archive) epubChapter(part string, entries []tocEntry, contents bool, opts Options, w *htmlWalk) error {
	raw, err := a.partBytes(part, maxHTMLBytes)
	if err != nil {
		return err
	}
	page, err := decodeXHTML(raw, opts, w.d)
	if err != nil {
		return err
	}
	w.contents = newChapterContents(entries)
	if tagDepth(page) > maxDepth {
		w.wholePage(page)
		return nil
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil { // the parser refuses what nests too deep
		w.wholePage(page)
		return nil
	}
	body := find(root, "body")
	if body == nil {
		body = root
	}
	if contents && len(linkText(body))*2 > len(visibleText(body)) {
		return nil
	}
	w.blocks(body)
	w.flush()
	w.contents.enter(w) // a chapter of pictures still has its title
	return nil
}

// wholePage adds a page that no parser takes as one block.
func (w *htmlWalk) wholePage(page string) {
	w.contents.enter(w)
	w.d.add(rag.Block{Kind: rag.BlockParagraph, Text: htmlText(page), Locator: w.here()})
}

// linkText is the text of the links below a node.
func linkText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && c.Data == "a" {
			b.WriteString(visibleText(c))
		}
	}
	return b.String()
}

var (
	xmlEncoding = regexp.MustCompile(`^\s*<\?xml[^>]*encoding=["']([A-Za-z0-9_.:-]+)["']`)
	selfClosed  = regexp.MustCompile(`<([A-Za-z][A-Za-z0-9:_-]*)((?:\s[^<>]*)?)/>`)
)

// decodeXHTML decodes a page and makes it HTML: an element that closes itself
// is one that HTML would leave open, and a title that does so would swallow the
// whole page.
func decodeXHTML(raw []byte, opts Options, d *document) (string, error) {
	var page string
	var err error
	if m := xmlEncoding.FindSubmatch(raw[:min(len(raw), 256)]); m != nil && opts.Encoding == "" && !hasUnicodeMark(raw) && utf16Without(raw) == "" {
		page, d.encoding, err = decode(raw, string(m[1]))
	} else {
		page, err = decodeHTML(raw, opts, d)
	}
	if err != nil {
		return "", err
	}
	return selfClosed.ReplaceAllStringFunc(page, func(tag string) string {
		m := selfClosed.FindStringSubmatch(tag)
		switch strings.ToLower(m[1]) {
		case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr":
			return tag
		}
		return "<" + m[1] + m[2] + "></" + m[1] + ">"
	}), nil
}

// chapterContents are the entries of a table of contents that are still to be
// met in the open chapter.
type chapterContents struct {
	at      map[string][]tocEntry // at an element
	pending []tocEntry            // met, and no heading or text has followed
	depth   int                   // of the last entry that was met
}

func newChapterContents(entries []tocEntry) *chapterContents {
	c := &chapterContents{at: map[string][]tocEntry{}}
	for _, e := range entries {
		if e.fragment == "" {
			c.pending = append(c.pending, e)
		} else {
			c.at[e.fragment] = append(c.at[e.fragment], e)
		}
	}
	return c
}

// meet notes the entries that lead to an element. Those that wait for a heading
// are written first.
func (c *chapterContents) meet(n *html.Node, w *htmlWalk) {
	if c == nil || len(c.at) == 0 {
		return
	}
	for _, a := range n.Attr {
		if a.Key != "id" && a.Key != "name" {
			continue
		}
		if entries := c.at[a.Val]; len(entries) > 0 {
			delete(c.at, a.Val)
			w.flush()
			c.pending = append(c.pending, entries...)
		}
	}
}

// heading writes a heading of the chapter at the level that the table of
// contents gives it, or below its last entry.
func (c *chapterContents) heading(level int, text string, w *htmlWalk) {
	for i, e := range c.pending {
		if sameTitle(e.title, text) {
			c.write(c.pending[:i], w)
			c.pending, c.depth = c.pending[i+1:], e.depth
			w.d.heading(e.depth, text, w.section(text))
			return
		}
	}
	c.enter(w)
	w.d.heading(max(level, c.depth+1), text, w.section(text))
}

// enter writes the entries that wait: what follows is their text.
func (c *chapterContents) enter(w *htmlWalk) {
	if c == nil {
		return
	}
	c.write(c.pending, w)
	c.pending = nil
}

func (c *chapterContents) write(entries []tocEntry, w *htmlWalk) {
	for _, e := range entries {
		c.depth = e.depth
		w.d.heading(e.depth, e.title, w.section(e.title))
	}
}
