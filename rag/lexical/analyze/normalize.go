package analyze

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// normalize brings text into the form that scan reads: NFKC, without invisible
// joiners, with grouped digits joined where the group space cannot break.
func normalize(text string) string {
	if isASCII(text) {
		return text
	}
	if needsPrepare(text) {
		text = prepare(text)
	}
	return norm.NFKC.String(text)
}

// prepared runes: what NFKC would turn into something with another meaning.
func special(r rune) bool {
	switch r {
	case 0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x640, 0xA0, 0x2007, 0x2009, 0x202F, 0x2019, 0x2BC, 0x2010, 0x2011, utf8.RuneError:
		return true
	}
	return 0xBC <= r && r <= 0xBE || 0x2150 <= r && r <= 0x215E
}

func needsPrepare(text string) bool {
	for _, r := range text {
		if special(r) {
			return true
		}
	}
	return false
}

func prepare(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	var last rune
	for i, r := range text {
		switch {
		case !special(r):
			b.WriteRune(r)
		case r == 0xAD || r == 0x200C || r == 0x200D || r == 0x2060 || r == 0xFEFF || r == 0x640:
			continue // soft hyphen, joiners, Arabic stretching: no part of a word
		case r == 0x2019 || r == 0x2BC:
			b.WriteByte('\'')
		case r == 0x2010 || r == 0x2011:
			b.WriteByte('-')
		case 0xBC <= r && r <= 0xBE || 0x2150 <= r && r <= 0x215E:
			b.WriteByte(' ') // 6½ is no 61
			b.WriteRune(r)
		case r != 0x200B && r != utf8.RuneError && isDigit(last) && threeDigits(text[i+utf8.RuneLen(r):]): // a broken byte is shorter than its rune, and ends a word
			continue // a space that groups digits
		default:
			b.WriteByte(' ')
		}
		last = r
	}
	return b.String()
}

// threeDigits tells whether text begins with exactly three ASCII digits.
func threeDigits(s string) bool {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n == 3
}
