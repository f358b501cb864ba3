package engine

import (
	"unicode"
	"unicode/utf8"

	"referent/rag"
	"referent/rag/language"
)

// memory is what was said, by content word; it is read when a rule first asks.
type memory struct {
	l       *language.Language
	history []rag.Message
	keys    map[string]bool
}

func (m *memory) holds(w language.Word) bool {
	if m.keys == nil {
		m.keys = map[string]bool{}
		for _, said := range m.history {
			for k := range m.l.Keys(said.Text) {
				m.keys[k] = true
			}
		}
	}
	return m.keys[m.l.Key(w.Lower)]
}

// newName tells whether some of the words name what nobody has spoken of: a
// capital inside a question, on a content word that the conversation does not
// hold. In German capitals make no names.
func (m *memory) newName(words []language.Word) bool {
	if m.l.Code == "de" {
		return false
	}
	for _, w := range words {
		if capital(w) && m.l.Content(w) && !m.holds(w) {
			return true
		}
	}
	return false
}

func capital(w language.Word) bool {
	r, _ := utf8.DecodeRuneInString(w.Text)
	return unicode.IsUpper(r)
}

// defines tells whether three words ask for a thing by its new name: "What is
// Excelsior?", but not "What about Excelsior?" nor "Where in Spain?".
func (m *memory) defines(words []language.Word) bool {
	return len(words) == 3 && m.l.Is("question", words[0].Lower) && m.l.Is("question", words[1].Lower) && m.newName(words[2:])
}

// explained tells whether a word of reference has what it stands for in the
// question itself: "How did Jessica Alba begin her career?".
func (m *memory) explained(words []language.Word, i int) bool {
	return i > 1 && m.l.Is("bound", words[i].Lower) && m.newName(words[1:i])
}
