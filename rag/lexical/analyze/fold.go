package analyze

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters that do not decompose, or that are written both ways in practice
// (Cyrillic ё is typed as е almost everywhere). Others keep their form.
var foldedLetters = map[rune]string{
	'ł': "l", 'ø': "o", 'đ': "d", 'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ð': "d", 'ı': "i", 'ё': "е",
}

// fold drops accents from Latin and Greek letters of a lower-case word. Marks
// of other scripts are letters there (か is not が, й is not и) and stay.
func fold(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
			continue
		}
		if f, ok := foldedLetters[r]; ok {
			b.WriteString(f)
			continue
		}
		if sc := scriptOf(r); sc != scriptLatin && sc != scriptGreek {
			b.WriteRune(r)
			continue
		}
		d := norm.NFD.PropertiesString(string(r)).Decomposition()
		if d == nil {
			b.WriteRune(r)
			continue
		}
		for _, c := range string(d) {
			if f, ok := foldedLetters[c]; ok {
				b.WriteString(f)
			} else if !unicode.Is(unicode.Mn, c) {
				b.WriteRune(c)
			}
		}
	}
	return dropLooseMarks(b.String())
}

// dropLooseMarks removes combining marks that follow a Latin or Greek letter
// and had no composed form, such as x̌.
func dropLooseMarks(s string) string {
	loose := false
	for _, r := range s {
		if 0x300 <= r && r <= 0x36F {
			loose = true
			break
		}
	}
	if !loose {
		return s
	}
	var b strings.Builder
	base := scriptNone
	for _, r := range s {
		if 0x300 <= r && r <= 0x36F && (base == scriptLatin || base == scriptGreek) {
			continue
		}
		base = scriptOf(r)
		b.WriteRune(r)
	}
	return b.String()
}

// lower gives the lower-case form in a language. Only Turkish differs: its
// capital I is the dotless one.
func lower(s, language string) string {
	if language == "tr" && strings.ContainsAny(s, "Iİ") {
		return strings.ToLowerSpecial(unicode.TurkishCase, s)
	}
	return strings.ToLower(s)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
