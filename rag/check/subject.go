package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"referent/rag"
	"referent/rag/language"
)

// subject is what a passage names: in the text that the model saw, and by its
// title, heading and path. Keys are of the language of the question.
type subject struct {
	place, text []language.Designation // of title and heading; of the text, with its places
	words       map[string]bool        // of all, in any case
	pairs       map[[2]string]bool     // neighbours, in any case
	names       [][]string
	acronyms    map[string]bool
	numbers     map[string]bool // anywhere
}

var (
	numberRE = regexp.MustCompile(`\d+(?:\.\d+)*[a-zA-Z]?\b`)
	dottedRE = regexp.MustCompile(`(?:\p{Lu}\.){2,}`)
)

func newSubject(l *language.Language, h rag.Hit) *subject {
	s := &subject{words: map[string]bool{}, pairs: map[[2]string]bool{}, acronyms: map[string]bool{}, numbers: map[string]bool{}}
	title := h.Title + "\n\n" + h.Heading
	s.place, s.text = l.Designations(title), l.Designations(h.Rendered)
	for _, text := range []string{title, h.Rendered} {
		for _, name := range l.Names(text) {
			keys := make([]string, len(name))
			for i, w := range name {
				keys[i] = l.Key(w.Lower)
			}
			s.names = append(s.names, keys)
		}
	}
	place := title + "\n" + h.Path
	for _, text := range []string{place, h.Rendered} {
		before := ""
		for _, w := range language.Words(text) {
			key := l.Key(w.Lower)
			s.words[key], s.words[language.Fold(w.Lower)] = true, true
			s.pairs[[2]string{before, key}] = true
			before = key
			if w.Text != w.Lower && w.Text == strings.ToUpper(w.Text) {
				s.acronyms[w.Lower] = true
			}
		}
		for _, number := range numberRE.FindAllString(text, -1) {
			s.numbers[language.Fold(number)] = true
		}
	}
	for _, letters := range dottedRE.FindAllString(place+"\n"+h.Rendered, -1) { // "U.S."
		s.acronyms[strings.ToLower(strings.ReplaceAll(letters, ".", ""))] = true
	}
	return s
}

// tells tells whether a passage names a thing in some way. Where in doubt it does:
// what is the thing's own need only stand anywhere in it, so that a passage which
// names two things is never held against an answer.
func (s *subject) tells(d language.Designation) bool {
	switch d.Form {
	case language.Numbered: // a letter is a word too ("a")
		return s.numbers[d.Own] || s.numbering(d)
	case language.Coded: // short numbers stand everywhere
		return len(d.Own) > 2 && s.numbers[d.Own] || s.pairs[[2]string{d.Head, d.Own}] || s.words[d.Head+d.Own] || slices.ContainsFunc(s.text, d.Same)
	case language.Compound:
		return s.begins(d.Own)
	}
	_, size := utf8.DecodeRuneInString(d.Own)
	return s.words[d.Own] || s.pairs[[2]string{d.Own[:size], d.Head}] || s.words[d.Own+d.Head] || s.words[d.Head+d.Own] || s.acronym(d.Name) ||
		slices.ContainsFunc(s.names, func(name []string) bool { return len(name) > 1 && len(name) < len(d.Name) && contains(d.Name, name) })
}

// stem is how many bytes of a compound make its first part, at least.
const stem = 6

// begins tells whether a word of the passage begins as a compound does: its parts
// may stand apart ("Vorauszahlung auf die Nebenkosten").
func (s *subject) begins(compound string) bool {
	if s.words[compound] {
		return true
	}
	for word := range s.words {
		if len(word) >= stem && len(compound) >= stem && word[:stem] == compound[:stem] {
			return true
		}
	}
	return false
}

// numbering tells whether the text has the number with the label or with a
// paragraph sign, or a part of it ("section 7" and "section 7.2").
func (s *subject) numbering(d language.Designation) bool {
	return slices.ContainsFunc(slices.Concat(s.place, s.text), func(o language.Designation) bool {
		return o.Form == language.Numbered && (o.Head == d.Head || o.Head == "§" || d.Head == "§") &&
			(o.Own == d.Own || strings.HasPrefix(o.Own, d.Own+".") || strings.HasPrefix(d.Own, o.Own+"."))
	})
}

// acronym tells whether the initials of a name stand in the passage.
func (s *subject) acronym(name []string) bool {
	initials := ""
	for _, key := range name {
		_, size := utf8.DecodeRuneInString(key)
		initials += key[:size]
	}
	return s.acronyms[initials]
}

// contains tells whether words stand side by side in a name.
func contains(name, words []string) bool {
	for i := 0; i+len(words) <= len(name); i++ {
		if slices.Equal(name[i:i+len(words)], words) {
			return true
		}
	}
	return false
}
