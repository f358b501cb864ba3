package pack

import (
	"fmt"
	"strconv"
	"strings"

	"referent/rag"
	"referent/rag/answer/neutral"
)

// maxTitle bounds title and heading in a label, in code points.
const maxTitle = 80

// Label is the line above a passage: its number, the document and the place.
func Label(n int, h rag.Hit) string {
	name := h.Title
	if name == "" {
		name = fileName(h.Path)
	}
	parts := []string{neutral.Clip(neutral.Line(name), maxTitle)}
	if h.Heading != "" && h.Heading != h.Title {
		parts = append(parts, neutral.Clip(neutral.Line(h.Heading), maxTitle))
	}
	if p := place(h.Locator); p != "" {
		parts = append(parts, p)
	}
	return "[" + strconv.Itoa(n) + "] " + strings.Join(parts, ", ")
}

func fileName(path string) string {
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

func place(l rag.Locator) string {
	switch {
	case l.PageLabel != "":
		return "page " + neutral.Clip(neutral.Line(l.PageLabel), 12)
	case l.Page > 0:
		return fmt.Sprintf("page %d", l.Page)
	case l.Slide > 0:
		return fmt.Sprintf("slide %d", l.Slide)
	case l.Sheet != "":
		return strings.TrimSpace("sheet " + neutral.Clip(neutral.Line(l.Sheet), 31) + " " + l.Cell)
	}
	return ""
}

// Evidence is the text of all packed hits, as the prompt holds it.
func Evidence(hits []rag.Hit) string {
	var b strings.Builder
	for _, h := range hits {
		if h.Packing == rag.Packed {
			b.WriteString(Label(h.N, h) + "\n" + h.Rendered + "\n\n")
		}
	}
	return b.String()
}
