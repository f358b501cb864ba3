package extract

import (
	"math"
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
	best := math.Inf(-1)
	for _, m := range letterModels() {
		sum := 0.0
		for p, n := range pairs {
			sum += float64(n) * m.likelihood(p)
		}
		best = max(best, sum)
	}
	return best - oddities
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

// letterModel holds the logarithms of one language.
type letterModel struct {
	pair   map[letterPair]float64 // of pairs that were seen
	letter map[rune]float64
	unseen map[rune]float64 // weight of single letters behind a letter
}

const (
	// smoothing is how many sightings single letters weigh as much as.
	smoothing = 4
	// foreign is the cost of a letter that the language does not have.
	foreign = -13
)

func (m *letterModel) likelihood(p letterPair) float64 {
	if l, ok := m.pair[p]; ok {
		return l
	}
	l, ok := m.letter[p.second]
	if !ok {
		return foreign
	}
	return l + m.unseen[p.first]
}

// letterModels counts the pairs of the sample texts, once a process.
var letterModels = sync.OnceValue(func() []*letterModel {
	var all []*letterModel
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
		m := &letterModel{pair: map[letterPair]float64{}, letter: map[rune]float64{}, unseen: map[rune]float64{}}
		for c, n := range letters {
			m.letter[c] = math.Log(n / total)
		}
		for p, n := range pairs {
			m.pair[p] = math.Log((n + smoothing*letters[p.second]/total) / (follow[p.first] + smoothing))
		}
		for c, n := range follow {
			m.unseen[c] = math.Log(smoothing / (n + smoothing))
		}
		all = append(all, m)
	}
	return all
})
