package analyze

import "unicode"

// script is what decides how a run of letters becomes terms.
type script uint8

const (
	scriptNone        script = iota // not a letter
	scriptLatin                     //
	scriptGreek                     //
	scriptCyrillic                  //
	scriptArabic                    //
	scriptTamil                     //
	scriptOther                     // any other script with spaces between words
	scriptIdeograph                 // Han and kana: pairs of signs
	scriptHangul                    // pairs of syllables
	scriptUnsegmented               // Thai, Lao, Khmer, Burmese: pairs of grapheme clusters
)

// paired tells whether text of the script is cut into overlapping pairs.
func (s script) paired() bool { return s >= scriptIdeograph }

// scriptOf classifies a letter or mark. Marks of the common scripts return
// scriptOther; they never begin a run.
func scriptOf(r rune) script {
	switch {
	case r < 0x80:
		if 'a' <= r|0x20 && r|0x20 <= 'z' {
			return scriptLatin
		}
		return scriptNone
	case r < 0x250, 0x1E00 <= r && r < 0x1F00, 0x2C60 <= r && r < 0x2C80, 0xA720 <= r && r < 0xA800:
		if unicode.IsLetter(r) {
			return scriptLatin
		}
		return scriptNone
	case 0x3041 <= r && r <= 0x30FF, 0x31F0 <= r && r <= 0x31FF, r == 0x3005, r == 0x3007:
		if r == 0x30FB || r == 0x30A0 { // the middle dot separates words
			return scriptNone
		}
		return scriptIdeograph
	case 0x3400 <= r && r <= 0x4DBF, 0x4E00 <= r && r <= 0x9FFF, 0xF900 <= r && r <= 0xFAFF, 0x20000 <= r && r <= 0x3FFFF:
		return scriptIdeograph
	case 0xAC00 <= r && r <= 0xD7A3, 0x1100 <= r && r <= 0x11FF, 0x3130 <= r && r <= 0x318F:
		return scriptHangul
	case 0x0E01 <= r && r <= 0x0E4E, 0x0E81 <= r && r <= 0x0ECE, 0x0EDC <= r && r <= 0x0EDF,
		0x1780 <= r && r <= 0x17D3, 0x1000 <= r && r <= 0x103F, 0x1050 <= r && r <= 0x109F:
		if unicode.Is(unicode.P, r) {
			return scriptNone
		}
		return scriptUnsegmented
	case 0x370 <= r && r < 0x400, 0x1F00 <= r && r < 0x2000:
		return letterOr(r, scriptGreek)
	case 0x400 <= r && r < 0x530:
		return letterOr(r, scriptCyrillic)
	case 0x600 <= r && r < 0x700, 0x750 <= r && r < 0x780, 0x8A0 <= r && r < 0x900:
		return letterOr(r, scriptArabic)
	case 0xB80 <= r && r < 0xC00:
		return letterOr(r, scriptTamil)
	}
	return letterOr(r, scriptOther)
}

func letterOr(r rune, s script) script {
	if unicode.IsLetter(r) || unicode.IsMark(r) {
		return s
	}
	return scriptNone
}

func isDigit(r rune) bool {
	if r < 0x80 {
		return '0' <= r && r <= '9'
	}
	return unicode.IsNumber(r)
}

// isHan tells whether a sign stands for a word of its own; kana do not.
func isHan(r rune) bool {
	return r >= 0x3400 && !(0xAC00 <= r && r <= 0xD7A3) || r == 0x3005 || r == 0x3007
}
