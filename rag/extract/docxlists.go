package extract

import (
	"encoding/xml"
	"strings"
)

// wordLists number the paragraphs of lists as Word would show them.
type wordLists struct {
	abstract map[string]string // list id to abstract id
	levels   map[listKey]listLevel
	counts   map[listKey]int
}

type listKey struct {
	id    string // abstract
	level int    // from 0
}

type listLevel struct {
	format string // decimal, lowerLetter, …, bullet, none
	text   string // "%1.%2)"
	start  int
}

func (a *archive) wordLists(name string) (wordLists, error) {
	l := wordLists{abstract: map[string]string{}, levels: map[listKey]listLevel{}, counts: map[listKey]int{}}
	if name == "" {
		return l, nil
	}
	r, err := a.open(name)
	if r == nil || err != nil {
		return l, err
	}
	defer r.Close()
	var abstract, num string
	level := -1
	err = eachToken(r, func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			at := listKey{abstract, level}
			lev := l.levels[at]
			switch t.Name.Local {
			case "abstractNum":
				abstract = attr(t, "abstractNumId")
			case "num":
				num = attr(t, "numId")
			case "abstractNumId":
				if num != "" {
					l.abstract[num] = attr(t, "val")
				}
			case "lvl":
				level = number(attr(t, "ilvl"))
				l.levels[listKey{abstract, level}] = listLevel{format: "decimal", start: 1}
			case "numFmt":
				lev.format = attr(t, "val")
				l.set(at, lev)
			case "lvlText":
				lev.text = attr(t, "val")
				l.set(at, lev)
			case "start":
				lev.start = number(attr(t, "val"))
				l.set(at, lev)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "abstractNum":
				abstract = ""
			case "num":
				num = ""
			case "lvl":
				level = -1
			}
		}
	})
	return l, err
}

func (l wordLists) set(at listKey, lev listLevel) {
	if at.id != "" && at.level >= 0 {
		l.levels[at] = lev
	}
}

// marker counts a paragraph and gives what Word shows before it, with a blank;
// empty for text that is in no list.
func (l wordLists) marker(list string, level int) string {
	if list == "" || list == "0" {
		return ""
	}
	id, ok := l.abstract[list]
	if !ok {
		return "- "
	}
	at := listKey{id, level}
	lev, ok := l.levels[at]
	switch {
	case !ok || lev.format == "bullet":
		return "- "
	case lev.format == "none":
		return ""
	}
	l.counts[at]++
	for deeper := level + 1; deeper < 9; deeper++ {
		delete(l.counts, listKey{id, deeper})
	}
	text := lev.text
	for i := 0; i <= level && i < 9; i++ {
		up := l.levels[listKey{id, i}]
		n := up.start + max(l.counts[listKey{id, i}], 1) - 1
		text = strings.ReplaceAll(text, "%"+itoa(i+1), countAs(n, up.format))
	}
	if text = strings.TrimSpace(cleanText(text)); text == "" {
		return ""
	}
	return text + " "
}

func countAs(n int, format string) string {
	if n < 1 || n > 3999 {
		return itoa(n)
	}
	switch format {
	case "lowerLetter", "upperLetter":
		s := strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
		if format == "upperLetter" {
			return strings.ToUpper(s)
		}
		return s
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperRoman":
		return roman(n)
	}
	return itoa(n)
}

func roman(n int) string {
	var b strings.Builder
	for _, d := range []struct {
		value int
		sign  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= d.value; n -= d.value {
			b.WriteString(d.sign)
		}
	}
	return b.String()
}
