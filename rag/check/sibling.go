package check

import (
	"slices"
	"unicode/utf8"

	"referent/rag/language"
)

// otherThing is the kind of an issue about a sibling: the sentence names a thing
// that the passages which it cites do not name, and one of them names another of
// its kind where it says so, or before. "The caretaker of Mill House is J. Weber
// [1]" is such a sentence where passage 1 is about Quay House. That a question
// states a name makes the name known, and says nothing about what the passage
// tells of. A sibling behind what is cited may be an exception from it.
const otherThing = "other_thing"

// sibling returns a designation of a sentence that the passages lack, and its
// sibling that one of them has; false if there is none. What nobody states is
// flagged by itself.
func (c *Checker) sibling(sentence string, numbers []int) (named, found language.Designation, ok bool) {
	own, known := c.names(sentence)
	for _, named := range known {
		if slices.ContainsFunc(numbers, func(n int) bool { return c.subject(n).tells(named) }) {
			continue
		}
		for _, n := range numbers {
			for _, found := range c.things(n, sentence) {
				if named.Sibling(found) && !slices.ContainsFunc(own, found.Same) { // a sentence that names both relates them
					return named, found, true
				}
			}
		}
	}
	return named, found, false
}

// names are the designations of a sentence, and those of them that somebody states.
// Every passage is asked about a sentence in turn, so it is read once.
func (c *Checker) names(sentence string) (all, known []language.Designation) {
	if c.read.sentence != sentence {
		c.read.sentence, c.read.all, c.read.known = sentence, c.l.Designations(sentence), nil
		if len(c.read.all) > 0 {
			unknown := slices.DeleteFunc(c.l.Values(sentence), c.known.Holds)
			c.read.known = slices.DeleteFunc(slices.Clone(c.read.all), func(d language.Designation) bool {
				invented := slices.ContainsFunc(unknown, func(v language.Value) bool { return v.Start < d.End && d.Start < v.End })
				return invented || d.Form == language.Compound && !c.asked(d)
			})
		}
	}
	return c.read.all, c.read.known
}

// asked tells whether the question names the same thing.
func (c *Checker) asked(named language.Designation) bool {
	return slices.ContainsFunc(c.l.Designations(c.in.Question), named.Same)
}

// things are the designations of a passage's place, and of its text up to the
// end of what holds the sentence.
func (c *Checker) things(n int, sentence string) []language.Designation {
	s := c.subject(n)
	_, end := span(c.spoken[n], c.packed[n].Rendered, sentence)
	out := slices.Clone(s.place)
	for _, d := range s.text { // of compounds only what the document is about: other nouns end alike too
		if d.Form != language.Compound && utf8.RuneCountInString(c.packed[n].Rendered[:d.End]) <= end {
			out = append(out, d)
		}
	}
	return out
}

func (c *Checker) subject(n int) *subject {
	if c.subjects[n] == nil {
		c.subjects[n] = newSubject(c.l, c.packed[n])
	}
	return c.subjects[n]
}
