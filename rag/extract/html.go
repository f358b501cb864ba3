package extract

import (
	"bytes"
	"context"
	"strings"

	readability "codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"referent/rag"
)

// readHTML reads the main text of a web page; a page that has none (a form, an
// index, a fragment) is read as a whole.
func readHTML(_ context.Context, src *source, opts Options, d *document) error {
	raw, err := src.bytes(maxHTMLBytes)
	if err != nil {
		return err
	}
	page, err := decodeHTML(raw, opts, d)
	if err != nil {
		return err
	}
	root := parsePage(page, d)
	if root == nil {
		return nil
	}
	d.setTitle(pageTitle(root), "metadata")
	d.language = pageLanguage(root)
	w := htmlWalk{d: d}
	if article := mainText(root); article != nil {
		w.blocks(article)
	} else {
		w.blocks(root)
	}
	w.flush()
	return nil
}

// parsePage parses a page. One that nests too deep for the parser becomes the
// text of the document at once, and the root is nil.
func parsePage(page string, d *document) *html.Node {
	if tagDepth(page) <= maxDepth {
		if root, err := html.Parse(strings.NewReader(page)); err == nil {
			return root
		}
	}
	d.add(rag.Block{Kind: rag.BlockParagraph, Text: htmlText(page)})
	return nil
}

// mailPage adds the whole text of a message written as a page; what it quotes
// becomes notes.
func mailPage(page string, d *document) {
	if root := parsePage(page, d); root != nil {
		w := htmlWalk{d: d, mail: true}
		w.blocks(root)
		w.flush()
	}
}

// mainText is the article of a page, or nil where it holds less than a third
// of what the whole page says: then the page is not an article.
func mainText(root *html.Node) *html.Node {
	parser := readability.NewParser()
	article, err := parser.ParseDocument(root, nil)
	if err != nil || article.Node == nil {
		return nil
	}
	if len(visibleText(article.Node))*3 < len(visibleText(root)) {
		return nil
	}
	return article.Node
}

// decodeHTML believes a declared encoding only if the bytes are valid in it.
// Otherwise the bytes decide, without the markup, which looks like English.
func decodeHTML(raw []byte, opts Options, d *document) (string, error) {
	if e, name := declared(raw); e != nil && opts.Encoding == "" && !hasUnicodeMark(raw) && utf16Without(raw) == "" {
		if out, err := e.NewDecoder().Bytes(raw); err == nil && bytes.Count(out, []byte("\uFFFD")) <= bytes.Count(raw, []byte("\uFFFD")) {
			d.encoding = name
			return string(out), nil
		}
	}
	if utf16Without(raw) != "" || hasUnicodeMark(raw) || opts.Encoding != "" {
		text, name, err := decode(raw, opts.Encoding)
		d.encoding = name
		return text, err
	}
	_, name, err := decode(rawTexts(raw), "")
	if err != nil {
		return "", err
	}
	text, name, err := decode(raw, name)
	d.encoding = name
	return text, err
}

// rawTexts gives the bytes between the tags as they are.
func rawTexts(raw []byte) []byte {
	var out []byte
	z := html.NewTokenizer(bytes.NewReader(raw))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return out
		case html.TextToken:
			out = append(out, z.Raw()...)
		}
	}
}

// declared is the encoding that the page's own meta element names.
func declared(raw []byte) (encoding.Encoding, string) {
	head := raw[:min(len(raw), 4096)]
	if !bytes.Contains(bytes.ToLower(head), []byte("charset")) {
		return nil, ""
	}
	_, name, _ := charset.DetermineEncoding(head, "")
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, ""
	}
	return e, name
}

// tagDepth is the deepest nesting of elements, by counting tags. Void elements
// and unclosed paragraphs make it too high, so only clear excess counts.
func tagDepth(page string) int {
	depth, deepest := 0, 0
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return deepest
		case html.StartTagToken:
			name, _ := z.TagName()
			switch string(name) {
			case "div", "span", "table", "tr", "td", "ul", "ol", "section", "article", "blockquote", "b", "i", "em", "strong", "font", "a":
				depth++
				deepest = max(deepest, depth)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			switch string(name) {
			case "div", "span", "table", "tr", "td", "ul", "ol", "section", "article", "blockquote", "b", "i", "em", "strong", "font", "a":
				depth = max(0, depth-1)
			}
		}
	}
}

// htmlText gives the text of markup by its tokens alone, which works for any
// nesting; elements that are no text are skipped.
func htmlText(markup string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(markup))
	skip := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return tidy(b.String())
		case html.TextToken:
			if skip == "" {
				b.Write(z.Text())
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			if n := string(name); skip == "" && (n == "script" || n == "style" || n == "noscript" || n == "template") {
				skip = n
			} else if blockElement(n) {
				b.WriteByte('\n')
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if n := string(name); n == skip {
				skip = ""
			} else if blockElement(n) {
				b.WriteByte('\n')
			}
		}
	}
}
