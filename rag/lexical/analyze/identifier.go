package analyze

import (
	"strings"
	"unicode/utf8"
)

// identifier emits the whole token as it is, lower-cased and never stemmed,
// and its parts. A name of letters only (iPhone, YouTube) is also read as a
// word, since people write it in small letters and in the plural.
func identifier(t string, s shape, emit emitter) {
	whole := fold(lower(strings.ReplaceAll(t, "'", ""), ""))
	u := unit{kind: Identifier, surface: t, exact: [2]string{whole}}
	if s.digits == 0 && s.underscores == 0 {
		u.word, u.script = t, s.script
	}
	emit(u)
	bare := whole
	if s.underscores+s.hyphens+s.dots > 0 {
		bare = strings.Map(func(r rune) rune {
			if r == '_' || r == '-' || r == '.' {
				return -1
			}
			return r
		}, whole)
		emit.exact(Identifier, t, bare, true)
	}
	for rest := t; rest != ""; {
		part, sc, after := nextPart(rest)
		rest = after
		if part != "" && len(part) < len(t) {
			emit.plain(part, sc, true)
		}
	}
}

// nextPart cuts the first part off an identifier: borders are connectors, the
// change between letters and digits, small to capital (userId), and the last
// capital before a small letter (HTTPServer).
func nextPart(t string) (part string, sc script, rest string) {
	const (
		other = iota
		digit
		small
		capital
	)
	class := func(r rune) int {
		switch {
		case isDigit(r):
			return digit
		case isUpper(r):
			return capital
		case scriptOf(r) != scriptNone:
			return small
		}
		return other
	}
	prev, capitals := -1, 0
	for i, r := range t {
		c := class(r)
		cut := false
		switch {
		case prev == -1:
			if c == other {
				return "", scriptNone, t[utf8.RuneLen(r):]
			}
		case c == other || (c == digit) != (prev == digit) || c == capital && prev == small:
			cut = true
		case c == small && prev == capital && capitals > 1:
			_, back := utf8.DecodeLastRuneInString(t[:i])
			i -= back
			cut = true
		}
		if cut {
			return t[:i], partScript(t[:i]), t[i:]
		}
		if c == capital {
			capitals++
		} else {
			capitals = 0
		}
		prev = c
	}
	return t, partScript(t), ""
}

func partScript(p string) script {
	r, _ := utf8.DecodeRuneInString(p)
	if isDigit(r) {
		return scriptNone
	}
	return scriptOf(r)
}
