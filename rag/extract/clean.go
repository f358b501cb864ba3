package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cleanText makes any text fit for storing and matching: valid UTF-8, LF line
// ends, no control characters, no soft hyphens, zero-width or direction marks.
// Tabs and line ends stay.
func cleanText(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		case r == '\r':
			if i+1 >= len(s) || s[i+1] != '\n' {
				b.WriteByte('\n')
			}
		case r == '\f' || r == '\v' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			b.WriteByte('\n')
		case !dropped(r):
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return isCleanUnicode(s[i:])
		}
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

func isCleanUnicode(s string) bool {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return false
			}
		}
		if dropped(r) || r == '\r' || r == '\f' || r == '\v' || r == '\u0085' || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	return true
}

// dropped tells the characters that carry no text: controls, soft hyphen,
// zero-width and direction marks, the byte-order mark and non-characters. The
// zero-width joiner stays where scripts need it (emoji, Indic, Arabic).
func dropped(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return true
	case r == 0xad, r == 0x200b, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e,
		r == 0x2060, r >= 0x2066 && r <= 0x2069, r == 0xfeff, r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return true
	}
	return false
}

// tidy cleans running text: trailing blanks of lines and blank lines at either
// end are dropped, runs of three or more line ends become two.
func tidy(s string) string {
	s = strings.TrimSpace(cleanText(s))
	if !strings.Contains(s, "\n") {
		return s
	}
	lines := strings.Split(s, "\n")
	out := lines[:0]
	for _, l := range lines {
		l = strings.TrimRightFunc(l, unicode.IsSpace)
		if l == "" && len(out) > 0 && out[len(out)-1] == "" {
			continue
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

// oneLine collapses all white space.
func oneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// isOneLine tells text that has nothing to collapse; it does not look beyond
// ASCII.
func isOneLine(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= utf8.RuneSelf || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return s == "" || before != ' '
}

// cell makes a text one cell of a table row: one line, and no bar that would
// read as a border.
func cell(s string) string {
	return strings.ReplaceAll(oneLine(cleanText(s)), " | ", " / ")
}

// row joins cells; empty cells at the end are dropped.
func row(cells []string) string {
	n := len(cells)
	for n > 0 && cells[n-1] == "" {
		n--
	}
	return strings.Join(cells[:n], " | ")
}
