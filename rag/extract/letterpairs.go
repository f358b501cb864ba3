package extract

import (
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// fluency is the logarithm of how likely text is in the language that it fits
// best: a sum over pairs of neighbouring letters (a bigram model with the single
// letters as its prior, as MacKay and Peto describe, 1995). Decodings of the same bytes in
// single-byte encodings are compared by it, since their texts have equally many
// characters: the ASCII letters say which language it is, and the language
// says which other letters can stand between them.
func fluency(text string) float64 {
	pairs := map[letterPair]int{}
	oddities := 0.0
	before, prev, last := ' ', ' ', signs // two characters and a class back
	for _, r := range text {
		c := letterClass(r)
		pairs[letterPair{last, c}]++
		oddities += oddity(before, prev, r)
		before, prev, last = prev, r, c
	}
	m := letterModels()
	sums := make([]float64, m.languages)
	for p, n := range pairs {
		m.add(sums, p, float64(n))
	}
	return slices.Max(sums) - oddities
}

// Classes of what is no letter.
const (
	signs  = '_'
	digits = '0'
	odd    = '?' // signs that running text hardly has
)

// usualSigns are those beyond ASCII that running text has.
const usualSigns = "“”„«»‘’–—…€°§№\u00a0©®·£¿¡،؛؟\u200c"

func letterClass(r rune) rune {
	switch {
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return unicode.ToLower(r)
	case r >= '0' && r <= '9':
		return digits
	case r < utf8.RuneSelf, strings.ContainsRune(usualSigns, r):
		return signs
	}
	return odd
}

// oddity is what makes a decoding unlikely beyond its letters, for character r
// behind prev and the one before it. The weights are logarithms, set by hand:
// what counts is that each weighs more than a rare letter and less than three.
func oddity(before, prev, r rune) float64 {
	cost := 0.0
	if r >= utf8.RuneSelf && letterClass(r) == signs {
		cost += 3 // one sign in twenty is beyond ASCII
	}
	switch {
	case r == utf8.RuneError, r >= 0xe000 && r <= 0xf8ff, r >= 0x7f && r < 0xa0:
		cost += 12 // no character at all
	case r >= 0x2500 && r <= 0x259f:
		cost += 4 // box drawing
	case unicode.IsLower(prev) && unicode.IsUpper(r):
		cost += 4
	}
	if strings.ContainsRune("€£§°№©®", r) && unicode.IsLetter(prev) || unicode.IsLetter(r) && strings.ContainsRune("€£§°№©®", prev) {
		cost += 3 // such signs stand by numbers
	}
	if unicode.IsLetter(before) && unicode.IsLetter(r) && prev >= utf8.RuneSelf && !unicode.IsLetter(prev) && !unicode.IsMark(prev) &&
		!strings.ContainsRune("’–—·\u00a0\u200c", prev) {
		cost += 6 // a sign in the middle of a word
	}
	return cost
}

type letterPair struct{ first, second rune }

// letterModel holds the logarithms of all languages, a row for each thing that
// is looked up and a column for each language.
type letterModel struct {
	languages int
	pair      map[letterPair][]float64 // absent where the pair was not seen
	letter    map[rune][]float64       // absent where the language does not have it
	unseen    map[rune][]float64       // weight of single letters behind a letter; 0 where that was not seen
}

// absent is no logarithm of a likelihood.
const absent = 1.0

const (
	// smoothing is how many sightings single letters weigh as much as.
	smoothing = 4
	// foreign is the cost of a letter that the language does not have.
	foreign = -13
)

// add adds n times the likelihood of a pair to the sum of each language.
func (m *letterModel) add(sums []float64, p letterPair, n float64) {
	pair, letter, unseen := m.pair[p], m.letter[p.second], m.unseen[p.first]
	for i := range sums {
		switch {
		case pair != nil && pair[i] != absent:
			sums[i] += n * pair[i]
		case letter == nil || letter[i] == absent:
			sums[i] += n * foreign
		case unseen == nil:
			sums[i] += n * letter[i]
		default:
			sums[i] += n * (letter[i] + unseen[i])
		}
	}
}

// letterModels counts the pairs of the sample texts, once a process.
var letterModels = sync.OnceValue(func() *letterModel {
	m := &letterModel{languages: len(sampleTexts), pair: map[letterPair][]float64{}, letter: map[rune][]float64{}, unseen: map[rune][]float64{}}
	language := 0
	for _, text := range sampleTexts {
		pairs, follow, letters := map[letterPair]float64{}, map[rune]float64{}, map[rune]float64{}
		total, last := 0.0, signs
		for _, r := range text {
			c := letterClass(r)
			pairs[letterPair{last, c}]++
			follow[last]++
			letters[c]++
			total++
			last = c
		}
		for c, n := range letters {
			rowOf(m.letter, c, m.languages, absent)[language] = math.Log(n / total)
		}
		for p, n := range pairs {
			rowOf(m.pair, p, m.languages, absent)[language] = math.Log((n + smoothing*letters[p.second]/total) / (follow[p.first] + smoothing))
		}
		for c, n := range follow {
			rowOf(m.unseen, c, m.languages, 0)[language] = math.Log(smoothing / (n + smoothing))
		}
		language++
	}
	return m
})

// rowOf gives the row of a key, made with value in every column if it is new.
func rowOf[K comparable](rows map[K][]float64, key K, columns int, value float64) []float64 {
	if rows[key] == nil {
		rows[key] = slices.Repeat([]float64{value}, columns)
	}
	return rows[key]
}
