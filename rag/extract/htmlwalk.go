package extract

import (
	"strings"

	"golang.org/x/net/html"

	"referent/rag"
)

// htmlWalk turns a parsed page into blocks. The parser bounds the nesting to
// 512 elements, so recursion is safe here.
type htmlWalk struct {
	d    *document
	text strings.Builder // inline text of the open block
	kind rag.BlockKind   // of the open block; empty is a paragraph

	mail   bool // quotations are earlier messages
	quoted int  // elements open that quote one

	count      bool             // of an e-book: blocks are numbered
	paragraphs int              // blocks so far
	contents   *chapterContents // entries of the table of contents; nil outside of e-books
}

// add adds a block; inside a quoted message it is a note.
func (w *htmlWalk) add(b rag.Block) {
	if w.quoted > 0 {
		b.Kind = rag.BlockNote
	}
	w.contents.enter(w)
	b.Locator = w.here()
	w.d.add(b)
}

// quotesMail knows what mail programs put an earlier message into.
func quotesMail(n *html.Node) bool {
	if n.Data == "blockquote" {
		return true
	}
	for _, a := range n.Attr {
		switch {
		case a.Key == "class" && (strings.Contains(a.Val, "gmail_quote") || strings.Contains(a.Val, "moz-cite-prefix") || strings.Contains(a.Val, "yahoo_quoted")),
			a.Key == "id" && (a.Val == "divRplyFwdMsg" || a.Val == "appendonsend"):
			return true
		}
	}
	return false
}

func blockElement(name string) bool {
	switch name {
	case "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "div", "dl", "dt", "fieldset",
		"figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p",
		"pre", "section", "summary", "table", "tbody", "td", "th", "thead", "title", "tr", "ul":
		return true
	}
	return false
}

func hiddenElement(n *html.Node) bool {
	switch n.Data {
	case "head", "script", "style", "noscript", "template", "svg", "math", "iframe", "object", "select", "button", "nav":
		return true
	}
	for _, a := range n.Attr {
		if a.Key == "hidden" || a.Key == "aria-hidden" && a.Val == "true" || a.Key == "style" && strings.Contains(strings.ReplaceAll(a.Val, " ", ""), "display:none") {
			return true
		}
	}
	return false
}

// flush closes the open block.
func (w *htmlWalk) flush() {
	text := w.text.String()
	w.text.Reset()
	kind := w.kind
	if kind == "" {
		kind = rag.BlockParagraph
	}
	if s := strings.TrimSpace(text); s != "" {
		if kind == rag.BlockListItem {
			s = "- " + s
		}
		w.add(rag.Block{Kind: kind, Text: s})
	}
	if w.kind != rag.BlockListItem && w.kind != rag.BlockNote {
		w.kind = ""
	}
}

// here locates by the nearest heading; a page has nothing better to show.
func (w *htmlWalk) here() rag.Locator {
	heading := ""
	if n := len(w.d.path); n > 0 {
		heading = w.d.path[n-1]
	}
	return w.section(heading)
}

// section locates the next block, below a heading or that heading itself.
func (w *htmlWalk) section(heading string) rag.Locator {
	at := rag.Locator{Section: heading}
	if w.count {
		w.paragraphs++
		at.Paragraph = w.paragraphs
	}
	return at
}

func (w *htmlWalk) blocks(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.inline(n.Data)
		return
	case html.ElementNode:
		if hiddenElement(n) {
			return
		}
		w.contents.meet(n, w)
	case html.CommentNode, html.DoctypeNode:
		return
	}
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		w.flush()
		text := oneLine(visibleText(n))
		if w.quoted > 0 {
			w.add(rag.Block{Text: text})
			return
		}
		w.heading(int(n.Data[1]-'0'), text, n)
	case "pre":
		w.flush()
		w.add(rag.Block{Kind: rag.BlockCode, Text: rawText(n)})
	case "table":
		w.flush()
		w.table(n)
	case "br":
		w.text.WriteByte('\n')
	case "img":
		for _, a := range n.Attr {
			if a.Key == "alt" && len(strings.Fields(a.Val)) > 1 {
				w.inline(" " + a.Val + " ")
			}
		}
	default:
		w.container(n)
	}
}

func (w *htmlWalk) heading(level int, text string, n *html.Node) {
	if w.contents == nil {
		w.d.heading(level, text, w.section(text))
		return
	}
	for c := range n.Descendants() { // an entry may lead to a mark inside the heading
		w.contents.meet(c, w)
	}
	if text != "" {
		w.contents.heading(level, text, w)
	}
}

func (w *htmlWalk) container(n *html.Node) {
	block := n.Type == html.ElementNode && blockElement(n.Data)
	outer := w.kind
	quotes := block && w.mail && quotesMail(n)
	if block {
		w.flush()
		if quotes {
			w.quoted++
		}
		switch n.Data {
		case "li":
			w.kind = rag.BlockListItem
		case "figcaption", "caption":
			w.kind = rag.BlockCaption
		case "aside":
			if footnote(n) {
				w.kind = rag.BlockNote
			}
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.blocks(c)
	}
	if block {
		w.flush()
		w.kind = outer
		if quotes {
			w.quoted--
		}
	}
}

// inline adds text with its white space collapsed.
func (w *htmlWalk) inline(s string) {
	s = strings.ReplaceAll(s, "\n", " ")
	fields := strings.Fields(s)
	if len(fields) == 0 {
		if w.text.Len() > 0 && s != "" {
			w.text.WriteByte(' ')
		}
		return
	}
	if strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t") {
		w.text.WriteByte(' ')
	}
	w.text.WriteString(strings.Join(fields, " "))
	if strings.HasSuffix(s, " ") || strings.HasSuffix(s, "\t") {
		w.text.WriteByte(' ')
	}
}

// table reads rows; a table of one column or with tables inside is layout and
// is read as running text.
func (w *htmlWalk) table(t *html.Node) {
	var rows []*html.Node
	nested := false
	var collect func(n *html.Node)
	collect = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type != html.ElementNode:
			case c.Data == "tr":
				rows = append(rows, c)
				collect(c)
			case c.Data == "table":
				nested = true
			case c.Data == "caption":
				w.add(rag.Block{Kind: rag.BlockCaption, Text: visibleText(c)})
			default:
				collect(c)
			}
		}
	}
	collect(t)
	var lines []string
	columns, header := 0, ""
	for i, r := range rows {
		var cells []string
		heads := 0
		for c := r.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && (c.Data == "td" || c.Data == "th") {
				cells = append(cells, cell(visibleText(c)))
				if c.Data == "th" {
					heads++
				}
			}
		}
		columns = max(columns, len(cells))
		if line := row(cells); line != "" {
			lines = append(lines, line)
			if i == 0 && (heads == len(cells) || looksLikeHeader(cells)) {
				header = line
			}
		}
	}
	if nested || columns < 2 {
		for c := t.FirstChild; c != nil; c = c.NextSibling {
			w.container(c)
		}
		w.flush()
		return
	}
	w.add(rag.Block{Kind: rag.BlockTable, Text: strings.Join(lines, "\n"), TableHeader: header})
}

// footnote tells the notes of an e-book, which stand where they are called.
func footnote(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "epub:type" && (strings.Contains(a.Val, "footnote") || strings.Contains(a.Val, "endnote") || strings.Contains(a.Val, "rearnote")) {
			return true
		}
	}
	return false
}

// visibleText is the text below a node, blocks separated by spaces.
func visibleText(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			return
		}
		if n.Type == html.ElementNode && hiddenElement(n) {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
		if n.Type == html.ElementNode && blockElement(n.Data) {
			b.WriteByte(' ')
		}
	}
	walk(n)
	return strings.TrimSpace(b.String())
}

// rawText keeps the white space of preformatted text.
func rawText(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && n.Data == "br" {
			b.WriteByte('\n')
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

func pageTitle(root *html.Node) string {
	if n := find(root, "title"); n != nil {
		return rawText(n)
	}
	return ""
}

func pageLanguage(root *html.Node) string {
	if n := find(root, "html"); n != nil {
		for _, a := range n.Attr {
			if a.Key == "lang" && len(a.Val) >= 2 {
				return strings.ToLower(a.Val[:2])
			}
		}
	}
	return ""
}

func find(n *html.Node, name string) *html.Node {
	if n.Type == html.ElementNode && n.Data == name {
		return n
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if found := find(c, name); found != nil {
			return found
		}
	}
	return nil
}
