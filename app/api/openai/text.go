package openai

import (
	"fmt"
	"strings"

	"referent/rag"
)

// rule separates an answer from what was appended for clients that show only
// text. A client sends it back as history, where it is cut off again.
const rule = "\n\n---\nSearched for: "

// answerOnly takes what the program appended off an earlier answer.
func answerOnly(role, text string) string {
	if role != "assistant" {
		return text
	}
	if i := strings.LastIndex(text, rule); i >= 0 {
		return text[:i]
	}
	return text
}

// appended is the search text, the sources and the check as text.
func appended(p rag.Prepared, d rag.Done) string {
	var b strings.Builder
	b.WriteString(rule + strings.Join(p.SearchQueries, " | "))
	if p.Reason != "" {
		fmt.Fprintf(&b, " (the rewrite failed: %s)", p.Reason)
	}
	for _, s := range d.Sources {
		fmt.Fprintf(&b, "\n[%d] %s%s (%s)", s.N, s.Title, place(s.Locator), s.Path)
	}
	fmt.Fprintf(&b, "\nAnswer check: %s", d.AnswerCheck.Status)
	for _, i := range d.AnswerCheck.Issues {
		fmt.Fprintf(&b, "; %s: %s", i.Kind, i.Text)
	}
	return b.String()
}

// place says where in a document a source stands; empty where that is the whole.
func place(l rag.Locator) string {
	switch {
	case l.Page > 0:
		return fmt.Sprintf(", page %d", l.Page)
	case l.Slide > 0:
		return fmt.Sprintf(", slide %d", l.Slide)
	case l.Sheet != "":
		return strings.TrimRight(fmt.Sprintf(", sheet %s %s", l.Sheet, l.Cell), " ")
	case l.LineFrom > 0:
		return fmt.Sprintf(", line %d", l.LineFrom)
	case l.Section != "":
		return ", section " + l.Section
	}
	return ""
}
