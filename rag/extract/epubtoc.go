package extract

import (
	"encoding/xml"
	"strings"
	"unicode"
)

// maxContents bounds the entries of a table of contents that are used.
const maxContents = 20_000

// tocEntry is a line of a table of contents.
type tocEntry struct {
	title    string
	depth    int    // from 1
	fragment string // the element in the part; empty for its beginning
}

// epubContents gives the entries of the table of contents by the part that they
// lead to. Only one of the two forms is used; a book without any is read with
// the headings of its chapters alone.
func (a *archive) epubContents(b book) map[string][]tocEntry {
	toc := map[string][]tocEntry{}
	if b.nav != "" {
		n := navReader{toc: toc, part: b.nav}
		_, _ = a.eachTokenOf(b.nav, n.token) // what stands before a break is used
	}
	if len(toc) == 0 && b.ncx != "" {
		n := ncxReader{toc: toc, part: b.ncx}
		_, _ = a.eachTokenOf(b.ncx, n.token)
	}
	return toc
}

func addEntry(toc map[string][]tocEntry, from, href, title string, depth int) {
	title = oneLine(cleanText(title))
	if title == "" || href == "" || len(toc) >= maxContents {
		return
	}
	_, fragment, _ := strings.Cut(href, "#")
	part := epubPart(from, href)
	if len(toc[part]) < maxContents {
		toc[part] = append(toc[part], tocEntry{title, min(max(depth, 1), 6), fragment})
	}
}

// navReader reads the navigation document of EPUB 3: nested lists of links in
// the nav element for the table of contents.
type navReader struct {
	toc   map[string][]tocEntry
	part  string
	in    bool // the right nav element
	depth int
	href  string
	text  strings.Builder
	link  bool
}

func (n *navReader) token(t xml.Token) {
	switch t := t.(type) {
	case xml.StartElement:
		switch t.Name.Local {
		case "nav":
			kind := attr(t, "type")
			n.in = kind == "" || strings.Contains(" "+kind+" ", " toc ")
		case "ol", "ul":
			n.depth++
		case "a":
			n.link, n.href = n.in, attr(t, "href")
			n.text.Reset()
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "nav":
			n.in, n.depth = false, 0
		case "ol", "ul":
			n.depth--
		case "a":
			if n.link {
				addEntry(n.toc, n.part, n.href, n.text.String(), n.depth)
			}
			n.link = false
		}
	case xml.CharData:
		if n.link {
			n.text.Write(t)
		}
	}
}

// ncxReader reads the table of contents of EPUB 2: nested navigation points.
type ncxReader struct {
	toc   map[string][]tocEntry
	part  string
	depth int
	title strings.Builder
	label bool // inside the label of a point
	text  bool
}

func (n *ncxReader) token(t xml.Token) {
	switch t := t.(type) {
	case xml.StartElement:
		switch t.Name.Local {
		case "navPoint":
			n.depth++
		case "navLabel":
			n.label = true
			n.title.Reset()
		case "text":
			n.text = n.label
		case "content":
			if n.depth > 0 {
				addEntry(n.toc, n.part, attr(t, "src"), n.title.String(), n.depth)
			}
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "navPoint":
			n.depth--
		case "navLabel":
			n.label = false
		case "text":
			n.text = false
		}
	case xml.CharData:
		if n.text {
			n.title.Write(t)
		}
	}
}

// sameTitle tells whether a heading says what the table of contents says, apart
// from case, marks and what one of them leaves out ("Chapter 1" for "Chapter 1:
// The Key").
func sameTitle(a, b string) bool {
	a, b = letters(a), letters(b)
	return a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
