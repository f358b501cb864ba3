package engine

import (
	"slices"
	"strings"

	"referent/rag/language"
)

// Split turns a comparison of two things into two search texts, each with one
// of them; any other text gives nil. It is a pure function of the text:
// "Compare the warranty of pump A and pump B" gives "the warranty of pump A"
// and "the warranty of pump B".
func Split(l *language.Language, text string) []string {
	text = strings.TrimRight(strings.TrimSpace(text), " ?!.")
	words := language.Words(text)
	if len(words) < 3 || len(words) > 40 || !l.Has("compare") {
		return nil
	}
	if head, two, ok := alternative(l, text); ok {
		return []string{strings.TrimSpace(head + " " + two[0]), strings.TrimSpace(head + " " + two[1])}
	}
	cue := -1
	for i, w := range words {
		if l.Is("compare", w.Lower) {
			cue = i
			break
		}
	}
	if cue < 0 {
		return nil
	}
	if left, right, ok := against(l, words, cue); ok {
		return sides(l, text, left, right)
	}
	at := conjunction(l, words, cue)
	if at <= 0 || at+1 >= len(words) {
		return nil
	}
	// The cue itself and the words that only lead to it are not searched for.
	begin := 0
	if cue < at {
		begin = cue + 1
	}
	for begin < at && (l.Is("between", words[begin].Lower) || l.Is("compare", words[begin].Lower)) {
		begin++
	}
	left, right := words[begin:at], words[at+1:]
	for len(right) > 0 && l.Is("compare", right[len(right)-1].Lower) { // "A and B compared"
		right = right[:len(right)-1]
	}
	return sides(l, text, left, right)
}

// sides writes one text for each thing: what stands around the two is common to
// both.
func sides(l *language.Language, text string, left, right []language.Word) []string {
	if len(left) == 0 || len(right) == 0 {
		return nil
	}
	item := itemStart(l, left, right)
	tail := itemEnd(l, left[item:], right)
	prefix := slice(text, left[:item])
	suffix := slice(text, right[tail:])
	return []string{
		join(prefix, slice(text, left[item:]), suffix),
		join(prefix, slice(text, right[:tail]), suffix),
	}
}

// against reads "A compared to B" and "A differs from B", where the cue stands
// between the two things: left and right are the words around it. A side that
// joins two things itself, or says nothing, is another kind of comparison.
func against(l *language.Language, words []language.Word, cue int) (left, right []language.Word, ok bool) {
	if cue == 0 || cue+2 >= len(words) || !l.Is("against", words[cue+1].Lower) {
		return nil, nil, false
	}
	left, right = words[:cue], words[cue+2:]
	for len(left) > 0 && small(l, "preposition", left[len(left)-1]) { // "im Vergleich zu"
		left = left[:len(left)-1]
	}
	for len(right) > 1 && l.Is("reference", right[0].Lower) { // "to that of pump B"
		right = right[1:]
		if small(l, "preposition", right[0]) {
			right = right[1:]
		}
	}
	joins := func(w language.Word) bool { return small(l, "conjunction", w) && !l.Is("against", w.Lower) }
	if slices.ContainsFunc(left, joins) || slices.ContainsFunc(right, joins) || !slices.ContainsFunc(left, l.Content) || !slices.ContainsFunc(right, l.Content) {
		return nil, nil, false
	}
	return left, right, true
}

// small tells whether a word of a section is written in small letters: the A of
// "la pompa A" is no preposition.
func small(l *language.Language, section string, w language.Word) bool {
	return l.Is(section, w.Lower) && w.Text == w.Lower
}

// conjunction finds the word between the two things: the cue "vs" itself, else
// the first joining word behind the cue, else the last before it.
func conjunction(l *language.Language, words []language.Word, cue int) int {
	if c := words[cue].Lower; c == "vs" || c == "versus" {
		return cue
	}
	between := func(i int) bool {
		return small(l, "conjunction", words[i]) && i > 0 && i+1 < len(words)
	}
	if cue+1 < len(words) && l.Is("against", words[cue+1].Lower) { // "A and B compare with regard to C"
		for i := cue - 1; i > 0; i-- {
			if between(i) {
				return i
			}
		}
	}
	for i := cue + 1; i < len(words); i++ {
		// "compared to X" joins nothing yet; "to" joins only two full things.
		if between(i) && i > cue+1 {
			return i
		}
	}
	for i := cue - 1; i > 0; i-- {
		if between(i) {
			return i
		}
	}
	return -1
}

// itemStart finds where the first thing begins in the words before the
// conjunction: at the word with which the second thing begins too, else behind
// the last preposition, else at the start.
func itemStart(l *language.Language, left, right []language.Word) int {
	head := right[0]
	if l.Is("definite", head.Lower) && len(right) > 1 {
		head = right[1]
	}
	for i := len(left) - 1; i >= 0; i-- {
		if left[i].Lower == head.Lower {
			if i > 0 && l.Is("definite", left[i-1].Lower) && left[i-1].Lower == right[0].Lower {
				return i - 1
			}
			return i
		}
	}
	for i := len(left) - 1; i >= 0; i-- {
		if left[i].Lower == right[0].Lower && l.Is("definite", right[0].Lower) && i+1 < len(left) {
			return i // "the old rules and the new rules"
		}
		if small(l, "preposition", left[i]) && i+1 < len(left) {
			return i + 1
		}
	}
	return 0
}

// itemEnd finds where the second thing ends: at the first preposition, else
// after as many words as the first thing has if more follow.
func itemEnd(l *language.Language, item, right []language.Word) int {
	for i, w := range right {
		if i > 0 && small(l, "preposition", w) && !holds(item, w.Lower) {
			return i
		}
	}
	if len(right) > len(item) && right[0].Lower == item[0].Lower {
		return len(item)
	}
	return len(right)
}

func holds(words []language.Word, lower string) bool {
	for _, w := range words {
		if w.Lower == lower {
			return true
		}
	}
	return false
}

// alternative reads "Which is cheaper, A or B" and "…: A or B".
func alternative(l *language.Language, text string) (head string, two [2]string, ok bool) {
	words := language.Words(text)
	if !l.Is("superlative", words[0].Lower) {
		return "", two, false
	}
	at := strings.LastIndexAny(text, ",:")
	if at < 0 {
		return "", two, false
	}
	rest := text[at+1:]
	for i, w := range language.Words(rest) {
		if i > 0 && isOr(w.Lower) {
			a, b := strings.TrimSpace(rest[:w.Start]), strings.TrimSpace(rest[w.End:])
			if len(strings.Fields(a)) <= 6 && len(strings.Fields(b)) <= 6 && a != "" && b != "" {
				return strings.TrimSpace(text[:at]), [2]string{a, b}, true
			}
		}
	}
	return "", two, false
}

func isOr(lower string) bool {
	switch lower {
	case "or", "o", "od", "oder", "ou", "u", "oppure":
		return true
	}
	return false
}

func slice(text string, words []language.Word) string {
	if len(words) == 0 {
		return ""
	}
	return text[words[0].Start:words[len(words)-1].End]
}

func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}
