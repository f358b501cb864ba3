package analyze

import (
	"unicode/utf8"
)

// scan reads normalised text and emits its units in order.
func scan(text string, emit emitter) {
	d := dateReader{emit: emit}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		sc := scriptOf(r)
		switch {
		case sc.paired():
			end := runEnd(text, i, sc)
			d.end()
			pairs(text[i:end], sc, emit)
			i = end
		case sc != scriptNone || isDigit(r) || r == '_':
			end := tokenEnd(text, i)
			if end-i <= maxTerm {
				token(text[i:end], emit)
				d.token(text[i:end])
			} else {
				d.end()
			}
			i = end
		default:
			if r != ' ' && r != '.' && r != ',' && r != '\n' {
				d.end()
			}
			i += size
		}
	}
	d.end()
}

// runEnd finds the end of a run of one paired script.
func runEnd(text string, i int, sc script) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if scriptOf(r) != sc {
			break
		}
		i += size
	}
	return i
}

// tokenEnd finds the end of a token: letters, digits and underscores, with
// single connectors between them.
func tokenEnd(text string, i int) int {
	var last rune
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case inToken(r):
		case connects(r, last, text[i+size:]):
		default:
			return i
		}
		last = r
		i += size
	}
	return i
}

func inToken(r rune) bool {
	if r == '_' || isDigit(r) {
		return true
	}
	sc := scriptOf(r)
	return sc != scriptNone && !sc.paired()
}

// connects tells whether r, between last and the text after it, keeps a token
// together.
func connects(r, last rune, after string) bool {
	switch r {
	case '.', '-', '\'':
		next, _ := utf8.DecodeRuneInString(after)
		return inToken(last) && after != "" && inToken(next)
	case ',', '/', ':':
		return '0' <= last && last <= '9' && after != "" && '0' <= after[0] && after[0] <= '9'
	}
	return false
}

// shape counts what a token is made of.
type shape struct {
	letters, digits, underscores, dots, hyphens, apostrophes, others int
	inner                                                            bool // a capital after a small letter
	script                                                           script
}

func shapeOf(t string) shape {
	var s shape
	small := false
	for _, r := range t {
		isSmall := false
		switch {
		case r == '_':
			s.underscores++
		case r == '.':
			s.dots++
		case r == '-':
			s.hyphens++
		case r == '\'':
			s.apostrophes++
		case isDigit(r):
			s.digits++
		default:
			sc := scriptOf(r)
			if sc == scriptNone {
				s.others++
				break
			}
			if s.letters == 0 {
				s.script = sc
			} else if s.script != sc && s.script != scriptOther {
				s.script = scriptOther // mixed scripts are not stemmed
			}
			s.letters++
			if r < utf8.RuneSelf {
				isSmall = r >= 'a'
				s.inner = s.inner || small && !isSmall
			} else {
				isSmall = isLower(r)
				s.inner = s.inner || small && isUpper(r)
			}
		}
		small = isSmall
	}
	return s
}

// token emits the units of one token.
func token(t string, emit emitter) {
	s := shapeOf(t)
	switch {
	case s.letters == 0 && s.digits > 0 && s.underscores == 0:
		numeric(t, s, emit)
	case s.letters == 0: // only underscores
	case s.digits > 0 || s.underscores > 0 || s.inner && s.dots == 0 && s.hyphens == 0 && s.apostrophes == 0:
		identifier(t, s, emit)
	case s.dots > 0 || s.hyphens > 0:
		compound(t, s, emit)
	default:
		word(t, s, emit)
	}
}
