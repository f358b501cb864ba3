package analyze

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Group is one word of a search text. Its variants are the index terms that
// the word has in the languages of the corpus; a chunk scores the best of them,
// once.
type Group struct {
	Surface  string   // as typed
	Kind     Kind     //
	Variants []string // distinct, at least one, the surest first
	Content  bool     // carries meaning: no stop word, no second reading
	Aux      bool     // a second reading: adds score, never content
}

// Query turns a search text into groups in the order of the text, distinct by
// their variants. languages are those of the corpus, ISO 639-1; an empty one
// stands for documents whose language is not known.
func Query(text string, languages []string) []Group {
	text = normalize(text)
	if len(languages) == 0 {
		languages = []string{""}
	}
	var groups []Group
	seen := map[string]bool{}
	var stops stopGuess
	scan(text, func(u unit) {
		if u.single {
			return
		}
		g := Group{Surface: u.surface, Kind: u.kind, Aux: u.aux, Content: !u.aux && !u.stop}
		for _, x := range u.exact {
			g.add(x)
		}
		if u.word != "" {
			for _, l := range languages {
				g.add(stem(u.word, stemLanguage(u.script, l), l))
			}
			if u.kind == Word && !u.aux {
				stops.count(strings.ToLower(u.surface))
			}
		}
		key := strings.Join(g.Variants, "\x00")
		if seen[key] || len(g.Variants) == 0 {
			return
		}
		seen[key] = true
		groups = append(groups, g)
	})
	markStopWords(text, groups, stops.best(languages))
	return groups
}

func (g *Group) add(term string) {
	if term != "" && !slices.Contains(g.Variants, term) {
		g.Variants = append(g.Variants, term)
	}
}

// markStopWords takes the content mark from stop words of the languages that
// the text seems to be in. A text of nothing but stop words keeps them all:
// they are what was asked for.
func markStopWords(text string, groups []Group, languages []string) {
	mixed := text != strings.ToUpper(text)
	var stops []int
	content := 0
	for i, g := range groups {
		if !g.Content {
			continue
		}
		if g.Kind == Word && isStopWord(strings.ToLower(g.Surface), languages) && !(mixed && emphatic(g.Surface, i == 0)) {
			stops = append(stops, i)
		} else {
			content++
		}
	}
	if content > 0 {
		for _, i := range stops {
			groups[i].Content = false
		}
		return
	}
	for i := range groups { // pairs of grammar signs only
		groups[i].Content = !groups[i].Aux
	}
}

// emphatic tells whether a stop word was written in capitals inside a text of
// small letters, and so is a name: IT, WHO, pump A.
func emphatic(surface string, first bool) bool {
	if surface == "I" || surface != strings.ToUpper(surface) || surface == strings.ToLower(surface) {
		return false
	}
	return utf8.RuneCountInString(surface) > 1 || !first
}

// Content returns the content words of a text as typed, in order, distinct in
// every language of the corpus.
func Content(text string, languages []string) []string {
	var out []string
	for _, g := range Query(text, languages) {
		if g.Content {
			out = append(out, g.Surface)
		}
	}
	return out
}
