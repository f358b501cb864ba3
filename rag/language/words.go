package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"golang.org/x/text/unicode/norm"
)

// Word is a run of letters and digits. Start and End are byte offsets.
type Word struct {
	Text       string
	Lower      string
	Start, End int
}

// Words cuts a text into words. Apostrophes end an elided word ("l'album" is
// "l" and "album") and stay inside an English contraction ("don't"); the
// English possessive loses its s. A text without spaces between words (Han,
// kana, Hangul, Thai) gives overlapping pairs of signs.
func Words(text string) []Word {
	var out []Word
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unspaced(r):
			end := i
			for end < len(text) {
				r, n := utf8.DecodeRuneInString(text[end:])
				if !unspaced(r) {
					break
				}
				end += n
			}
			out = appendPairs(out, text, i, end)
			i = end
		case inWord(r):
			end := wordEnd(text, i)
			out = appendWord(out, text, i, end)
			i = end
		default:
			i += n
		}
	}
	return out
}

func wordEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if unspaced(r) || !inWord(r) && !apostrophe(r) {
			break
		}
		if apostrophe(r) {
			next, _ := utf8.DecodeRuneInString(text[i+n:])
			if !unicode.IsLetter(next) || unspaced(next) {
				break
			}
		}
		i += n
	}
	return i
}

func appendWord(out []Word, text string, start, end int) []Word {
	s := text[start:end]
	at := strings.IndexAny(s, "'’")
	if at < 0 {
		return append(out, Word{s, strings.ToLower(s), start, end})
	}
	_, n := utf8.DecodeRuneInString(s[at:])
	head, tail := s[:at], strings.ToLower(s[at+n:])
	lower := strings.ToLower(head)
	switch {
	case tail == "t" && strings.HasSuffix(lower, "n"): // don't
		return append(out, Word{s, lower + "'t", start, end})
	case tail == "s" || tail == "re" || tail == "ve" || tail == "ll" || tail == "d" && len(head) > 1 || tail == "m":
		return append(out, Word{head, lower, start, start + at})
	}
	out = append(out, Word{head, lower, start, start + at})
	return appendWord(out, text, start+at+n, end)
}

func appendPairs(out []Word, text string, start, end int) []Word {
	prev := start
	_, n := utf8.DecodeRuneInString(text[start:])
	if start+n == end {
		return append(out, Word{text[start:end], text[start:end], start, end})
	}
	for i := start + n; i < end; {
		_, m := utf8.DecodeRuneInString(text[i:])
		out = append(out, Word{text[prev : i+m], text[prev : i+m], prev, i + m})
		prev, i = i, i+m
	}
	return out
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

func apostrophe(r rune) bool { return r == '\'' || r == '’' }

func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

func endsWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !inWord(r)
}

// Fold lower-cases and drops accents, so that "Höhe" and "hohe" meet.
func Fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	s = strings.ToLower(s)
	if ascii {
		return s
	}
	s = strings.ReplaceAll(s, "ß", "ss")
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Key is the folded stem of a lower-case word.
func (l *Language) Key(lower string) string {
	if l.stem == nil || len(lower) < 3 {
		return Fold(lower)
	}
	env := snowballstem.NewEnv(lower)
	l.stem(env)
	return Fold(env.Current())
}

// Content tells whether a word carries a subject: it is no stop word, and no
// lone small letter.
func (l *Language) Content(w Word) bool {
	if l.Is("stop", w.Lower) && !(len(w.Text) == 1 && w.Text != w.Lower && w.Lower != "i" && w.Lower != "a") {
		return false
	}
	if utf8.RuneCountInString(w.Text) > 1 {
		return true
	}
	r, _ := utf8.DecodeRuneInString(w.Text)
	return unicode.IsDigit(r) || unicode.IsUpper(r) || r > 0x2E80
}

// ContentWords returns the words of a text that carry a subject, in order.
func (l *Language) ContentWords(text string) []Word {
	var out []Word
	for _, w := range Words(text) {
		if l.Content(w) {
			out = append(out, w)
		}
	}
	return out
}

// Keys returns the set of keys of a text's content words.
func (l *Language) Keys(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range l.ContentWords(text) {
		out[l.Key(w.Lower)] = true
	}
	return out
}

// Holds tells whether a set of keys holds the word, in this inflection or a
// near one: stems that share at least five letters and differ by at most three
// ("weigh", "weight") count as one word.
func (l *Language) Holds(keys map[string]bool, w Word) bool {
	k := l.Key(w.Lower)
	if keys[k] || keys[Fold(w.Lower)] {
		return true
	}
	if len(k) < 5 {
		return false
	}
	for other := range keys {
		if len(other) >= 5 && other[:5] == k[:5] && near(k, other) {
			return true
		}
	}
	return false
}

func near(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n >= len(a)-2 && len(b)-n <= 3
}
