package extract

import "unicode"

// script is a writing system, as far as encodings and languages need it.
type script int

const (
	scriptOther script = iota
	scriptLatin
	scriptCyrillic
	scriptGreek
	scriptHebrew
	scriptArabic
	scriptHan
	scriptKana
	scriptHalfKana
	scriptHangul
	scriptThai
	scriptDevanagari
)

// scriptOf gives the script of a letter. The ranges are those of the Unicode
// blocks; the order is by how often a text asks.
func scriptOf(r rune) script {
	switch {
	case r < 0x250:
		return scriptLatin
	case r >= 0x370 && r < 0x400, r >= 0x1f00 && r < 0x2000:
		return scriptGreek
	case r >= 0x400 && r < 0x530:
		return scriptCyrillic
	case r >= 0x590 && r < 0x600:
		return scriptHebrew
	case r >= 0x600 && r < 0x780, r >= 0xfb50 && r < 0xfe00, r >= 0xfe70 && r < 0xff00:
		return scriptArabic
	case r >= 0x900 && r < 0x980:
		return scriptDevanagari
	case r >= 0xe00 && r < 0xe80:
		return scriptThai
	case r >= 0x1e00 && r < 0x1f00:
		return scriptLatin
	case r >= 0x3040 && r < 0x3100, r == 0x30fc:
		return scriptKana
	case r >= 0xff61 && r < 0xffa0:
		return scriptHalfKana
	case r >= 0x4e00 && r < 0xa000, r >= 0x3400 && r < 0x4dc0, r >= 0xf900 && r < 0xfb00, r >= 0x20000 && r < 0x32000:
		return scriptHan
	case r >= 0xac00 && r < 0xd7b0, r >= 0x1100 && r < 0x1200, r >= 0x3130 && r < 0x3190:
		return scriptHangul
	case unicode.Is(unicode.Latin, r):
		return scriptLatin
	}
	return scriptOther
}

func cjk(s script) bool { return s == scriptHan || s == scriptKana || s == scriptHangul }
