package extract

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// decode turns the bytes of a text file into text and names the encoding. The
// order goes from proof to guess: byte-order mark, NUL statistics (UTF-16
// without a mark), ISO-2022 escapes (which are valid UTF-8, so before it),
// strict UTF-8, then detection. A name in override goes before all but a mark.
func decode(b []byte, override string) (text, name string, err error) {
	if len(b) == 0 {
		return "", "utf-8", nil
	}
	name, e := byMark(b)
	if e == nil && override != "" {
		if name, e, err = byName(override); err != nil {
			return "", "", damaged("The encoding "+override+" is not known. Choose another one.", err)
		}
	}
	if e == nil {
		name, e = byStatistics(b)
	}
	if e == nil {
		return string(b), "utf-8", nil
	}
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return "", "", damaged("The text could not be decoded. Set its encoding.", fmt.Errorf("%s: %w", name, err))
	}
	return string(out), name, nil
}

func hasUnicodeMark(b []byte) bool { _, e := byMark(b); return e != nil }

// byMark reads a byte-order mark. The UTF-32 mark begins like that of UTF-16,
// so it is looked for first.
func byMark(b []byte) (string, encoding.Encoding) {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe, 0, 0}) && len(b)%4 == 0:
		return "utf-32le", utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	case bytes.HasPrefix(b, []byte{0, 0, 0xfe, 0xff}):
		return "utf-32be", utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case bytes.HasPrefix(b, []byte{0xef, 0xbb, 0xbf}):
		return "utf-8", unicode.UTF8BOM
	}
	return "", nil
}

// sampleBytes is how much of a file the statistics look at.
const sampleBytes = 64 << 10

func byStatistics(b []byte) (string, encoding.Encoding) {
	sample := b[:min(len(b), sampleBytes)]
	switch utf16Without(sample) {
	case "utf-16le":
		return "utf-16le", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "utf-16be":
		return "utf-16be", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	if name, e := byEscape(sample); e != nil {
		return name, e
	}
	if utf8.Valid(b) {
		return "", nil
	}
	telling := tellingLines(b)
	// A text in UTF-8 with a few broken bytes is still UTF-8.
	if good, bad := utf8Score(telling); good > 20*bad {
		return "", nil
	}
	return guess(telling)
}

// utf16Without tells UTF-16 without a mark by where its NUL bytes are: in
// text of any alphabet spaces, digits and line ends have one on the same side.
func utf16Without(b []byte) string {
	n := len(b) &^ 1
	if n < 4 {
		return ""
	}
	even, odd := 0, 0
	for i := 0; i < n; i += 2 {
		if b[i] == 0 {
			even++
		}
		if b[i+1] == 0 {
			odd++
		}
	}
	pairs := n / 2
	switch {
	case odd*20 >= pairs && even*50 <= odd && plausible16(b[:n], 1):
		return "utf-16le"
	case even*20 >= pairs && odd*50 <= even && plausible16(b[:n], 0):
		return "utf-16be"
	}
	return eastAsian16(b[:n])
}

// eastAsian16 knows UTF-16 of Chinese, Japanese and Korean, which has few NUL
// bytes or none: read in the right order nearly all units are of these scripts,
// and many are kana, frequent Han characters, or Hangul between spaces.
func eastAsian16(b []byte) string {
	if utf8.Valid(b) && !slices.ContainsFunc(b, isControl) {
		return ""
	}
	units := len(b) / 2
	for i, name := range []string{"utf-16be", "utf-16le"} {
		bad, telling, hangul, spaces := 0, 0, 0, 0
		for at := 0; at+1 < len(b); at += 2 {
			r := rune(b[at+i])<<8 | rune(b[at+1-i])
			switch {
			case r == ' ':
				spaces++
			case r >= 0xac00 && r <= 0xd7a3:
				hangul++
			case r >= 0x3000 && r <= 0x30ff, commonHan(r):
				telling++
			case r >= 0x4e00 && r <= 0x9fff, r >= 0xff00 && r <= 0xffef, r >= 0x2010 && r <= 0x2027, r < 0x7f && !isControl(byte(r)):
			default:
				bad++
			}
		}
		if bad*50 <= units && (telling*4 >= units || hangul*2 >= units && spaces*12 >= units) {
			return name
		}
	}
	return ""
}

// isControl tells the bytes that no text has but ISO-2022, whose escapes are
// looked for elsewhere.
func isControl(c byte) bool {
	return c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b
}

// plausible16 tells whether the units are text and not numbers of a binary
// file: where the high byte (at offset high) is NUL, the low one is a printable
// character or white space.
func plausible16(b []byte, high int) bool {
	ascii, text := 0, 0
	for i := 0; i+1 < len(b); i += 2 {
		if b[i+high] != 0 {
			continue
		}
		ascii++
		if c := b[i+1-high]; c >= ' ' && c != 0x7f || c == '\n' || c == '\r' || c == '\t' {
			text++
		}
	}
	return text*10 >= ascii*9
}

// byEscape knows the encodings that switch character sets by escapes.
func byEscape(b []byte) (string, encoding.Encoding) {
	switch {
	case bytes.Contains(b, []byte("\x1b$B")), bytes.Contains(b, []byte("\x1b$@")), bytes.Contains(b, []byte("\x1b(J")):
		return "iso-2022-jp", japanese.ISO2022JP
	case bytes.Contains(b, []byte("~{")) && isASCII(b) && hzText(b):
		return "hz-gb-2312", simplifiedchinese.HZGB2312
	}
	return "", nil
}

// hzText tells whether what follows the first ~{, up to ~} or the end of the
// line, is GB2312 pairs.
func hzText(b []byte) bool {
	_, inner, _ := bytes.Cut(b, []byte("~{"))
	inner, _, _ = bytes.Cut(inner, []byte("\n"))
	inner, _, closed := bytes.Cut(inner, []byte("~}"))
	inner = bytes.TrimRight(inner, "\r")
	if len(inner) < 4 || closed && len(inner)%2 != 0 {
		return false
	}
	for i, c := range inner {
		if c < 0x21 || c > 0x7e || i%2 == 0 && c > 0x77 { // no row of GB2312 lies beyond
			return false
		}
	}
	return true
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// utf8Score counts well-formed multi-byte characters and broken bytes.
func utf8Score(b []byte) (good, bad int) {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			bad++
		} else if n > 1 {
			good++
		}
		b = b[n:]
	}
	return good, bad
}
