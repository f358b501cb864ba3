package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a part of a text, in byte offsets.
type Span struct{ Start, End int }

// Sentences cuts a text into sentences. A full stop after an abbreviation, a
// single initial, a list numeral or inside a number ends none; ? ! … and the
// full-width marks 。！？ always do; so do an empty line and the start of a list
// item. The inside of a balanced code fence is never cut; an unbalanced fence is
// ordinary text. Spans hold no white space at their ends, and what lies between
// them is white space only.
func (l *Language) Sentences(text string) []Span {
	fences := Fences(text)
	var out []Span
	start := 0
	flush := func(end int) {
		s := text[start:end]
		trimmed := strings.TrimSpace(s)
		if trimmed != "" {
			at := start + strings.Index(s, trimmed)
			out = append(out, Span{at, at + len(trimmed)})
		}
		start = end
	}
	for i := 0; i < len(text); {
		if f, ok := inFence(fences, i); ok {
			i = f.End
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch r {
		case '。', '！', '？', '｡':
			i = closers(text, i)
			flush(i)
		case '!', '?', '…':
			if j := closers(text, i); ended(text, j) {
				i = j
				flush(i)
			}
		case '.':
			if j := closers(text, i); ended(text, j) && !l.dotInside(text, start, i-1, j) {
				i = j
				flush(i)
			}
		case '\n':
			if newBlock(text[i:]) {
				flush(i)
			}
		}
	}
	flush(len(text))
	return out
}

// closers moves past quotes, brackets and more end marks, and past citation
// markers that follow without a letter between.
func closers(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(".!?…\"'”’»)]。！？」』", r) {
			break
		}
		i += n
	}
	for {
		rest := strings.TrimLeft(text[i:], " ")
		m := markerPrefix(rest)
		if m == 0 {
			return i
		}
		i = len(text) - len(rest) + m
	}
}

// markerPrefix returns the length of a citation marker like [3] or [1, 2].
func markerPrefix(s string) int {
	if !strings.HasPrefix(s, "[") {
		return 0
	}
	end := strings.IndexByte(s, ']')
	if end < 2 || end > 24 || strings.Trim(s[1:end], "0123456789, ") != "" {
		return 0
	}
	return end + 1
}

func ended(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return i >= len(text) || unicode.IsSpace(r)
}

// dotInside tells whether the dot at byte i belongs to an abbreviation, an
// initial or a list numeral of the sentence that began at start.
func (l *Language) dotInside(text string, start, i, after int) bool {
	head := text[start:i]
	at := strings.LastIndexFunc(head, func(r rune) bool { return unicode.IsSpace(r) || r == '(' || r == '“' || r == '"' || r == '„' })
	token := head
	if at >= 0 {
		_, n := utf8.DecodeRuneInString(head[at:])
		token = head[at+n:]
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text[after:], unicode.IsSpace))
	lower := strings.ToLower(token)
	switch {
	case token == "":
		return false
	case strings.TrimSpace(head) == token && len(token) <= 3 && allDigits(token): // "1." at the start is a list numeral
		return true
	case allDigits(token) && l.Code == "de" && len(token) <= 2 && after < len(text): // "am 3. Mai"
		return unicode.IsUpper(next) && l.ordinalFollows(text[after:])
	case l.Is("abbreviation", lower):
		// An abbreviation that can end a sentence does so before a capital.
		if lower == "etc" || lower == "usw" || lower == "ecc" || lower == "a.m" || lower == "p.m" {
			return !unicode.IsUpper(next)
		}
		// "no." is also a word: it is an abbreviation only before a digit.
		if lower == "no" || lower == "art" || lower == "n" || lower == "fig" || lower == "min" || lower == "max" || lower == "es" || lower == "mar" || lower == "sec" || lower == "st" {
			return unicode.IsDigit(next) || lower == "st" && unicode.IsUpper(next)
		}
		return true
	case after < len(text) && utf8.RuneCountInString(token) == 1 && (initial(strings.TrimSpace(text[after:])) || initial(lastField(head[:len(head)-len(token)]))):
		return true // "z. B.", "J. R. Smith"
	case utf8.RuneCountInString(token) == 1:
		r, _ := utf8.DecodeRuneInString(token)
		return unicode.IsUpper(r) && unicode.IsUpper(next) && after < len(text) && strings.TrimSpace(head) != token && token != "I"
	}
	return false
}

// initial tells whether a text begins with one letter and a dot.
func initial(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) && strings.HasPrefix(s[n:], ".")
}

func lastField(s string) string {
	f := strings.Fields(s[max(0, len(s)-8):])
	if len(f) == 0 || len(f[len(f)-1]) > 3 {
		return ""
	}
	return f[len(f)-1]
}

func (l *Language) ordinalFollows(rest string) bool {
	w := Words(rest[:min(len(rest), 60)])
	if len(w) == 0 {
		return false
	}
	_, month := l.month[w[0].Lower]
	return month || strings.HasPrefix(w[0].Lower, "etage") || strings.HasPrefix(w[0].Lower, "stock") || strings.HasPrefix(w[0].Lower, "jahr")
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// newBlock tells whether a line break is followed by an empty line or a list item.
func newBlock(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return true
	}
	return ListMarker(trimmed) > 0 || strings.HasPrefix(trimmed, "#")
}

// ListMarker returns the length of the list marker with which a line begins:
// a bullet, "1." or "2)", with the space after it; 0 if there is none.
func ListMarker(line string) int {
	for _, b := range []string{"- ", "* ", "+ ", "• ", "– "} {
		if strings.HasPrefix(line, b) {
			return len(b)
		}
	}
	n := 0
	for n < len(line) && n < 3 && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(line) && (line[n] == '.' || line[n] == ')') && line[n+1] == ' ' {
		return n + 2
	}
	return 0
}

// Fences returns the balanced code fences of a text: from a line that begins
// with three backticks to the end of the next such line.
func Fences(text string) []Span {
	var out []Span
	open := -1
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i
		}
		if strings.HasPrefix(strings.TrimLeft(text[at:end], " \t"), "```") {
			if open < 0 {
				open = at
			} else {
				out = append(out, Span{open, end})
				open = -1
			}
		}
		at = end + 1
	}
	return out
}

func inFence(fences []Span, i int) (Span, bool) {
	for _, f := range fences {
		if i >= f.Start && i < f.End {
			return f, true
		}
	}
	return Span{}, false
}
