package check

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"referent/rag"
)

// markerRE finds citations: [1], [1, 2], [1-3], and the forms with a word that
// small models write: [Passage 2], (passage 2).
var markerRE = regexp.MustCompile(`(?i)\[(?:passages?\s*)?(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\]|\((?:passages?)\s*(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\)`)

// mark is a citation in an answer; bytes.
type mark struct {
	start, end int
	numbers    []int
}

func marks(text string) []mark {
	var out []mark
	for _, m := range markerRE.FindAllStringSubmatchIndex(text, -1) {
		group := ""
		for g := 1; g <= 2; g++ {
			if m[2*g] >= 0 {
				group = text[m[2*g]:m[2*g+1]]
			}
		}
		out = append(out, mark{m[0], m[1], numbers(group)})
	}
	return out
}

// numbers reads "1, 3-5".
func numbers(group string) []int {
	var out []int
	for _, part := range strings.FieldsFunc(group, func(r rune) bool { return r == ',' || r == ';' }) {
		part = strings.ReplaceAll(part, "–", "-")
		from, to, isRange := strings.Cut(part, "-")
		a, _ := strconv.Atoi(strings.TrimSpace(from))
		b := a
		if isRange {
			b, _ = strconv.Atoi(strings.TrimSpace(to))
		}
		for n := a; n <= b && n < a+20; n++ {
			out = append(out, n)
		}
	}
	return out
}

// existing rewrites every citation to markers that name a passage, and drops
// the others with an issue each. Positions of issues are in the new text.
func existing(text string, has func(n int) bool) (string, []rag.Issue) {
	var b strings.Builder
	var issues []rag.Issue
	last := 0
	for _, m := range marks(text) {
		b.WriteString(text[last:m.start])
		last = m.end
		wrote := ""
		for _, n := range m.numbers {
			if has(n) {
				wrote += "[" + strconv.Itoa(n) + "]"
				continue
			}
			at := utf8.RuneCountInString(b.String())
			issues = append(issues, rag.Issue{Kind: "citation", Text: "[" + strconv.Itoa(n) + "]", Start: at, End: at})
		}
		if wrote == "" { // no gap is left where the marker stood
			kept := strings.TrimRight(b.String(), " ")
			b.Reset()
			b.WriteString(kept)
			continue
		}
		b.WriteString(wrote)
	}
	b.WriteString(text[last:])
	return b.String(), issues
}
