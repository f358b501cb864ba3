package engine

import (
	"slices"
	"strings"

	"referent/rag/language"
)

// mostThings is how many things a comparison is taken apart into; one of more
// is searched as a whole.
const mostThings = 6

// Split turns a comparison of two to six things into as many search texts, each
// with one of them; any other text gives nil. It is a pure function of the text:
// "Compare the warranty of pump A and pump B" gives "the warranty of pump A"
// and "the warranty of pump B".
func Split(l *language.Language, text string) []string {
	text = strings.TrimRight(strings.TrimSpace(text), " ?!.")
	words := language.Words(text)
	if len(words) < 3 || len(words) > 40 || !l.Has("compare") {
		return nil
	}
	if head, things := alternative(l, text); len(things) > 0 {
		for i := range things {
			things[i] = strings.TrimSpace(head + " " + things[i])
		}
		return things
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
	if things, right := listed(l, text, words, begin); things != nil {
		return each(l, text, things, right)
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

// listed reads three or more things, "A, B and C" or "A and B and C": those
// before the last joining word, and what follows it. A thing in the middle is a
// name: one with a preposition belongs to another kind of sentence, unless it
// begins as the last one does.
func listed(l *language.Language, text string, words []language.Word, begin int) (things [][]language.Word, right []language.Word) {
	joins := func(w language.Word) bool { return small(l, "conjunction", w) && !l.Is("against", w.Lower) }
	last := -1
	for i := begin + 1; i+1 < len(words); i++ {
		if joins(words[i]) {
			last = i
		}
	}
	if last < 0 {
		return nil, nil
	}
	right = words[last+1:]
	for len(right) > 1 && l.Is("compare", right[len(right)-1].Lower) {
		right = right[:len(right)-1]
	}
	start := begin
	for i := begin; i <= last; i++ {
		joined := joins(words[i])
		if joined || i > start && strings.ContainsAny(text[words[i-1].End:words[i].Start], ",;") {
			if i > start {
				things = append(things, words[start:i])
			}
			if start = i; joined {
				start = i + 1
			}
		}
	}
	if len(things) < 2 || len(things) >= mostThings {
		return nil, nil
	}
	for _, thing := range things[1:] {
		prepositions := slices.ContainsFunc(thing, func(w language.Word) bool { return small(l, "preposition", w) })
		if prepositions && thing[0].Lower != right[0].Lower || !slices.ContainsFunc(thing, l.Content) {
			return nil, nil
		}
	}
	return things, right
}

// each writes one text for each thing, as sides does for two.
func each(l *language.Language, text string, things [][]language.Word, right []language.Word) []string {
	item := itemStart(l, things[0], things[1])
	tail := itemEnd(l, things[0][item:], right)
	prefix, suffix := slice(text, things[0][:item]), slice(text, right[tail:])
	out := []string{join(prefix, slice(text, things[0][item:]), suffix)}
	for _, thing := range append(slices.Clone(things[1:]), right[:tail]) {
		out = append(out, join(prefix, slice(text, thing), suffix))
	}
	return out
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

// alternative reads "Which is cheaper, A or B" and "Which is cheapest: A, B or C".
func alternative(l *language.Language, text string) (head string, things []string) {
	words := language.Words(text)
	if !l.Is("superlative", words[0].Lower) {
		return "", nil
	}
	for _, at := range []int{strings.IndexByte(text, ':'), strings.IndexByte(text, ','), strings.LastIndexAny(text, ",:")} {
		if at < 0 {
			continue
		}
		if things := choices(text[at+1:]); things != nil {
			return strings.TrimSpace(text[:at]), things
		}
	}
	return "", nil
}

// choices are the things of "A, B or C", names of six words at most.
func choices(text string) []string {
	text = strings.ReplaceAll(text, ";", ",")
	last := ""
	for i, w := range language.Words(text) {
		if i > 0 && isOr(w.Lower) {
			text, last = text[:w.Start], text[w.End:]
			break
		}
	}
	things := append(strings.Split(strings.TrimRight(text, " ,"), ","), last)
	if len(things) > mostThings {
		return nil
	}
	for i, t := range things {
		things[i] = strings.TrimSpace(t)
		if n := len(strings.Fields(t)); n == 0 || n > 6 {
			return nil
		}
	}
	return things
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
