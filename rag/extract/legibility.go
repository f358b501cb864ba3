package extract

import (
	"unicode"
	"unicode/utf8"
)

// legibility scores a trial decoding by its pairs of neighbouring characters:
// letters of one script beside each other, small letters after a capital,
// frequent signs of the script. The right decoding of a text gives about 1 to
// 3, a wrong one less. Only characters beyond ASCII and their neighbours are
// judged, since ASCII is the same in every candidate.
func legibility(text string, wide bool) float64 {
	var sum float64
	judged := 0
	prev := ' '
	for i, r := range text {
		if r < utf8.RuneSelf && prev < utf8.RuneSelf {
			prev = r
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		sum += pairScore(prev, r)
		if r >= utf8.RuneSelf {
			sum += charScore(r, prev, next)
			judged++
		}
		prev = r
	}
	if judged == 0 {
		return 0
	}
	return sum / float64(judged)
}

// pairScore judges two neighbours of which at least one is beyond ASCII.
func pairScore(a, b rune) float64 {
	la, lb := unicode.IsLetter(a), unicode.IsLetter(b)
	if !la || !lb {
		return 0
	}
	sa, sb := scriptOf(a), scriptOf(b)
	switch {
	case sa != sb && !(cjk(sa) && cjk(sb)):
		return -2 // two alphabets inside one word
	case unicode.IsLower(a) && unicode.IsUpper(b):
		return -1.5 // a capital after a small letter
	case sa == scriptLatin && a >= utf8.RuneSelf && b >= utf8.RuneSelf:
		return -0.7 // accented letters are seldom neighbours
	case sa == scriptHalfKana:
		return -0.6 // half-width kana: mostly a wrong decoding of Chinese or Latin
	}
	return 0.5
}

// charScore judges one character by how often running text has it.
func charScore(r, prev, next rune) float64 {
	switch {
	case r == utf8.RuneError, r >= 0xe000 && r <= 0xf8ff, r < 0xa0:
		return -4
	case r >= 0x2500 && r <= 0x259f: // box drawing: a wrong DOS code page
		return -2
	}
	if !unicode.IsLetter(r) {
		return signScore(r, prev, next)
	}
	switch scriptOf(r) {
	case scriptLatin:
		if frequentLatin(r) {
			return 1
		}
		return -0.4
	case scriptCyrillic:
		if r >= 'А' && r <= 'я' || r == 'ё' || r == 'Ё' {
			if commonCyrillic(r) {
				return 0.9
			}
			return 0.3
		}
		return -0.5
	case scriptHan:
		if commonHan(r) {
			return 1.6
		}
		if r >= 0x4e00 && r <= 0x9fff {
			return 0.2
		}
		return -1.5
	case scriptKana:
		return 1.3
	case scriptHalfKana:
		return -0.8
	case scriptHangul:
		return 0.9
	case scriptGreek, scriptHebrew, scriptArabic, scriptThai:
		return 0.8
	}
	return -1
}

func signScore(r, prev, next rune) float64 {
	switch r {
	case '“', '”', '„', '«', '»', '‘', '’':
		// A quotation mark stands at the edge of a word.
		if unicode.IsLetter(prev) != unicode.IsLetter(next) {
			return 1.6
		}
		return 0.4
	case '–', '—', '…', '€', '°', '§', '№', ' ', '©', '®', '·', '•', '²', '³', '½', '£', '¿', '¡':
		if unicode.IsLetter(prev) && unicode.IsLetter(next) && r != '–' && r != '—' {
			return -1 // a sign in the middle of a word
		}
		return 0.6
	case '、', '。', '，', '「', '」', '・', '！', '？', '：', '（', '）', '《', '》':
		return 1
	}
	if unicode.IsLetter(prev) && unicode.IsLetter(next) {
		return -2
	}
	return -0.5
}

func frequentLatin(r rune) bool {
	switch unicode.ToLower(r) {
	case 'ä', 'ö', 'ü', 'ß', 'é', 'è', 'ê', 'à', 'â', 'ç', 'ù', 'û', 'î', 'ï', 'ô', 'ò', 'ì', 'í', 'ó', 'ú', 'á', 'ñ', 'ã', 'õ',
		'å', 'æ', 'ø', 'œ', 'ë', 'ą', 'ć', 'ę', 'ł', 'ń', 'ś', 'ź', 'ż', 'č', 'ď', 'ě', 'ň', 'ř', 'š', 'ť', 'ů', 'ý', 'ž', 'ő', 'ű',
		'ş', 'ğ', 'ı', 'İ', 'ă', 'ț', 'ţ':
		return true
	}
	return false
}

// commonCyrillic holds the letters that make up four fifths of Russian text:
// what tells KOI8-R from windows-1251 and both from DOS pages.
func commonCyrillic(r rune) bool {
	switch r {
	case 'о', 'е', 'а', 'и', 'н', 'т', 'с', 'р', 'в', 'л', 'к', 'м', 'д', 'п', 'у', 'я', 'ы', 'ь', 'з':
		return true
	}
	return false
}
