package extract

import (
	"encoding/xml"
	"strings"
)

// odfStyle is what a style says about text, a sheet or a slide.
type odfStyle struct {
	parent string
	title  bool // the document's title
	hidden bool // text, sheet or slide that is not shown
}

// odfStyles are styles by name, and the markers of lists by style and level.
type odfStyles map[odfStyleKey]odfStyle

type odfStyleKey struct{ family, name string }

// odfListLevel is how one level of a list is marked.
type odfListLevel struct {
	format, prefix, suffix string // format: "1", "a", "i", …; empty for a bullet
	start                  int
}

// lookup follows parents a few steps: chains are short, loops exist. Built-in
// names are English in every language of the program.
func (s odfStyles) lookup(family, name string) odfStyle {
	found := s[odfStyleKey{family, name}]
	found.title = name == "Title"
	for i := 0; i < 10 && found.parent != ""; i++ {
		up := s[odfStyleKey{family, found.parent}]
		found.title = found.title || found.parent == "Title"
		found.hidden = found.hidden || up.hidden
		found.parent = up.parent
	}
	return found
}

// styleElement takes in an element of a style.
func (r *odfReader) styleElement(e xml.StartElement) {
	switch e.Name.Local {
	case "style":
		r.style = odfStyleKey{attr(e, "family"), attr(e, "name")}
		r.styles[r.style] = odfStyle{parent: attr(e, "parent-style-name")}
	case "text-properties":
		r.hideStyle(attr(e, "display") == "none")
	case "table-properties":
		r.hideStyle(attr(e, "display") == "false")
	case "drawing-page-properties":
		r.hideStyle(attr(e, "visibility") == "hidden")
	case "list-style":
		r.listStyle = attr(e, "name")
	case "list-level-style-number", "list-level-style-bullet", "list-level-style-image":
		if r.lists == nil {
			r.lists = map[listKey]odfListLevel{}
		}
		level := odfListLevel{prefix: attr(e, "num-prefix"), suffix: attr(e, "num-suffix"), start: max(number(attr(e, "start-value")), 1)}
		if strings.HasSuffix(e.Name.Local, "number") {
			level.format = attr(e, "num-format")
		}
		r.lists[listKey{r.listStyle, number(attr(e, "level"))}] = level
	}
}

func (r *odfReader) hideStyle(hidden bool) {
	if hidden && r.style.name != "" {
		s := r.styles[r.style]
		s.hidden = true
		r.styles[r.style] = s
	}
}

// odfList is an open list.
type odfList struct {
	style   string
	counted int  // items so far
	fresh   bool // the open item has no paragraph yet
}

// marker gives what stands before the first paragraph of a list item; empty
// for the others.
func (r *odfReader) marker() (text string, item bool) {
	n := len(r.openLists)
	if n == 0 {
		return "", false
	}
	l := &r.openLists[n-1]
	if !l.fresh {
		return "", false
	}
	l.fresh = false
	l.counted++
	level, ok := r.lists[listKey{l.style, n}]
	if !ok || level.format == "" {
		return "- ", true
	}
	format := map[string]string{"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}[level.format]
	return level.prefix + countAs(level.start+l.counted-1, format) + level.suffix + " ", true
}
