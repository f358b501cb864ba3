package remote

import "unicode"

// Estimate guesses the tokens of a text: one for each four letters or digits of
// a word begun, one for each other mark, one for each letter of a script that
// writes without spaces. It is meant to be above the truth: byte-pair
// vocabularies of 32,000 entries and more make fewer tokens of ordinary text in
// European languages (about 4.5 letters a token in English), so that a prompt
// that is said to fit does fit.
func Estimate(text string) int {
	var c counter
	for _, r := range text {
		c.add(r)
	}
	return c.tokens
}

// counter is an estimate that grows.
type counter struct{ tokens, run int }

func (c *counter) add(r rune) {
	switch {
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai):
		c.tokens, c.run = c.tokens+1, 0
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		if c.run%4 == 0 {
			c.tokens++
		}
		c.run++
	case unicode.IsSpace(r):
		c.run = 0
	default:
		c.tokens, c.run = c.tokens+1, 0
	}
}
