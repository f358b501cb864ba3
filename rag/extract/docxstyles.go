package extract

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// wordStyle is what a paragraph style says about its paragraphs.
type wordStyle struct {
	level     int // heading level; 0 for text
	title     bool
	caption   bool
	list      string
	listLevel int
	basedOn   string
}

// wordStyles are the styles of a document by their id.
type wordStyles map[string]wordStyle

// wordStyles reads the style part. The names of built-in styles are English in
// every language of Word; their ids are not.
func (a *archive) wordStyles(name string) (wordStyles, error) {
	styles := wordStyles{}
	if name == "" {
		return styles, nil
	}
	r, err := a.open(name)
	if r == nil || err != nil {
		return styles, err
	}
	defer r.Close()
	id := ""
	err = eachToken(r, func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			s := styles[id]
			switch t.Name.Local {
			case "style":
				id = attr(t, "styleId")
				return
			case "name":
				s.named(attr(t, "val"))
			case "basedOn":
				s.basedOn = attr(t, "val")
			case "outlineLvl":
				if s.level == 0 {
					s.level = outlineLevel(attr(t, "val"))
				}
			case "numId":
				s.list = attr(t, "val")
			case "ilvl":
				s.listLevel = min(max(number(attr(t, "val")), 0), 8)
			default:
				return
			}
			if id != "" {
				styles[id] = s
			}
		case xml.EndElement:
			if t.Name.Local == "style" {
				id = ""
			}
		}
	})
	styles.inherit()
	return styles, err
}

func (s *wordStyle) named(name string) {
	name = strings.ToLower(name)
	switch {
	case name == "title":
		s.title = true
	case name == "caption":
		s.caption = true
	case strings.HasPrefix(name, "heading "):
		if n := number(strings.TrimPrefix(name, "heading ")); n >= 1 {
			s.level = min(n, 6)
		}
	}
}

// inherit fills in what a style leaves to the one it is based on, a few steps
// up: chains are short, loops exist.
func (s wordStyles) inherit() {
	for id, style := range s {
		base := style.basedOn
		for i := 0; i < 10 && base != ""; i++ {
			b, ok := s[base]
			if !ok {
				break
			}
			if style.level == 0 && !style.title {
				style.level = b.level
			}
			if style.list == "" {
				style.list, style.listLevel = b.list, b.listLevel
			}
			base = b.basedOn
		}
		s[id] = style
	}
}

// outlineLevel turns 0 to 8 into a heading level; 9 is running text.
func outlineLevel(val string) int {
	n, err := strconv.Atoi(val)
	if err != nil || n < 0 || n > 8 {
		return 0
	}
	return min(n+1, 6)
}

func number(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return 0
	}
	return n
}
