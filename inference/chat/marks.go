package chat

import (
	"strconv"
	"strings"
)

// marks are stand-ins for contents that occur nowhere in a template.
type marks struct {
	open string
	n    int
}

func newMarks(source string, n int) marks {
	open := "Wq9z"
	for strings.Contains(source, open) {
		open += "q"
	}
	return marks{open: open, n: n}
}

func (m marks) text(i int) string { return m.open + strconv.Itoa(i) + "X" }

// next finds the first mark: the text before it, its number, the text after
// it. Without one the number is -1 and the text comes back whole.
func (m marks) next(s string) (before string, i int, after string) {
	for from := 0; ; {
		at := strings.Index(s[from:], m.open)
		if at < 0 {
			return s, -1, ""
		}
		at += from
		number, rest, ok := strings.Cut(s[at+len(m.open):], "X")
		if k, err := strconv.Atoi(number); ok && err == nil && k >= 0 && k < m.n {
			return s[:at], k, rest
		}
		from = at + len(m.open)
	}
}
