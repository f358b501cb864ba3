package analyze

// Version names the rules of this package. It is kept with every index; a
// different number means that terms changed and the index is rebuilt.
const Version = 1

// Text hands the index terms of a text to each, in order, with repeats. aux
// marks a second reading of what another term covers already; it does not
// count for the length of the text. language is ISO 639-1, empty if not known.
// Text of any encoding is accepted; broken bytes end words. Safe for
// concurrent use.
func Text(text, language string, each func(term string, aux bool)) {
	scan(normalize(text), func(u unit) {
		for i, x := range u.exact {
			if x != "" && (i == 0 || x != u.exact[0]) {
				each(x, u.aux || i > 0)
			}
		}
		if u.word == "" {
			return
		}
		if w := stem(u.word, stemLanguage(u.script, language), language); w != u.exact[0] {
			each(w, u.aux || u.exact[0] != "")
		}
	})
}
