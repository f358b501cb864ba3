package analyze

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func isLower(r rune) bool { return unicode.IsLower(r) }
func isUpper(r rune) bool { return unicode.IsUpper(r) }

// articles that French, Italian and Catalan elide before a vowel.
var elided = map[string]bool{
	"l": true, "d": true, "j": true, "m": true, "t": true, "s": true, "n": true, "c": true, "qu": true, "jusqu": true, "lorsqu": true,
	"puisqu": true, "quoiqu": true, "un": true, "dell": true, "all": true, "dall": true, "nell": true, "sull": true, "coll": true,
	"quell": true, "quest": true, "bell": true, "sant": true, "v": true, "gl": true, "dov": true, "com": true, "senz": true,
	"anch": true, "nient": true, "tutt": true, "mezz": true, "cos": true,
}

// word emits a word of letters, with or without apostrophes. Elided articles
// are split off in every language, because a question has none of its own;
// English contractions become one word; a possessive s goes.
func word(t string, s shape, emit emitter) {
	if s.apostrophes == 0 {
		emit.plain(t, s.script, false)
		return
	}
	if head, rest, _ := strings.Cut(t, "'"); elided[strings.ToLower(head)] && beginsWithVowel(rest) {
		emit(unit{kind: Word, surface: head, word: head, script: s.script, aux: true})
		word(rest, shapeOf(rest), emit)
		return
	}
	if n := len(t); n > 2 && (t[n-1] == 's' || t[n-1] == 'S') && t[n-2] == '\'' {
		t = t[:n-2]
	}
	emit.plain(strings.ReplaceAll(t, "'", ""), s.script, false)
}

func beginsWithVowel(s string) bool {
	r, _ := utf8.DecodeRuneInString(fold(strings.ToLower(s)))
	return strings.ContainsRune("aeiouyh", r)
}

// compound emits letters joined by dots or hyphens: the parts are the words.
// U.S.A. is one word. A hyphenated word is also read as one (e-mail, email),
// a dotted one also as it stands (example.com).
func compound(t string, s shape, emit emitter) {
	parts := strings.FieldsFunc(t, func(r rune) bool { return r == '.' || r == '-' })
	if s.hyphens == 0 && allSingle(parts) {
		emit.plain(strings.Join(parts, ""), s.script, false)
		return
	}
	for _, p := range parts {
		word(p, shapeOf(p), emit)
	}
	if s.dots > 0 {
		emit.exact(Word, t, fold(lower(t, "")), true)
		return
	}
	joined := strings.Join(parts, "")
	emit(unit{kind: Word, surface: t, word: strings.ReplaceAll(joined, "'", ""), script: s.script, aux: true})
}

func allSingle(parts []string) bool {
	for _, p := range parts {
		if utf8.RuneCountInString(p) != 1 {
			return false
		}
	}
	return len(parts) > 1
}
