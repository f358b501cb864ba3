package fake

import "unicode"

// tokenRunes is the longest token, in code points of a word.
const tokenRunes = 4

// Tokens cuts a text by the rule of the package; the tokens joined are the
// text. len(Tokens(s)) is what CountTokens returns for s.
func Tokens(text string) []string {
	var out []string
	start, runes := 0, 0 // of the token being read; runes counts its word part
	for i, r := range text {
		switch space := unicode.IsSpace(r); {
		case space && runes > 0, !space && runes == tokenRunes:
			out = append(out, text[start:i])
			start, runes = i, 0
			if !space {
				runes = 1
			}
		case !space:
			runes++
		}
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}
