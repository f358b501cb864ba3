package language

import (
	"strings"
	"unicode"
)

// Detect guesses the language of a text: by its script, else by the words of
// the lists. sure is false when a text is too short or fits two languages; the
// code is then the best guess, "en" without any sign.
func Detect(text string) (code string, sure bool) {
	if code := byScript(text); code != "" {
		return code, true
	}
	if len(text) > 4000 { // the beginning says enough
		text = strings.ToValidUTF8(text[:4000], "")
	}
	words := Words(text)
	best, second := 0.0, 0.0
	code = "en"
	for _, c := range Codes() {
		l := For(c)
		score := 0.0
		for _, w := range words {
			if len(w.Lower) > 1 && l.Is("stop", w.Lower) {
				score++
				if l.Is("question", w.Lower) {
					score += 0.5
				}
			} else if len(w.Lower) == 1 && l.Is("stop", w.Lower) {
				score += 0.3
			} else if _, month := l.month[w.Lower]; month && len(w.Lower) > 3 {
				score++
			}
		}
		score += letters(c, text)
		switch {
		case score > best:
			best, second, code = score, best, c
		case score > second:
			second = score
		}
	}
	return code, best >= 1.5 && best >= second*1.25+0.25
}

// letters scores signs that only one of the languages uses.
func letters(code, text string) float64 {
	signs := map[string]string{"de": "ßäöüÄÖÜ", "es": "ñ¿¡áíóú", "fr": "êçœâîôûëï", "it": "ìòù"}[code]
	n := 0.0
	for _, r := range text {
		if signs != "" && strings.ContainsRune(signs, r) {
			n += 0.75
		}
	}
	return min(n, 3)
}

func byScript(text string) string {
	scripts := []struct {
		table *unicode.RangeTable
		code  string
	}{
		{unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hangul, "ko"}, {unicode.Han, "zh"}, {unicode.Thai, "th"},
		{unicode.Cyrillic, "ru"}, {unicode.Arabic, "ar"}, {unicode.Hebrew, "he"}, {unicode.Greek, "el"}, {unicode.Devanagari, "hi"},
	}
	counts := make([]int, len(scripts))
	letters := 0
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		letters++
		for i, s := range scripts {
			if r > 0x24F && unicode.Is(s.table, r) {
				counts[i]++
				break
			}
		}
	}
	for i, s := range scripts {
		if counts[i]*3 > letters {
			return s.code
		}
	}
	return ""
}
