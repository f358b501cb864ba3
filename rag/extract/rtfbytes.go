package extract

import (
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// symbolPage stands for the fonts that have signs in place of letters.
const symbolPage = 42

// codePages are the encodings by the numbers that Windows gives them.
var codePages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855, 860: charmap.CodePage860,
	862: charmap.CodePage862, 863: charmap.CodePage863, 865: charmap.CodePage865, 866: charmap.CodePage866, 874: charmap.Windows874,
	932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
	1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258,
	10000: charmap.Macintosh, 10007: charmap.MacintoshCyrillic, 65001: unicode.UTF8,
}

// charsetPages are the code pages of \fcharset (RTF 1.9.1, "Font Table"). ANSI
// and the default follow the file.
var charsetPages = map[int]int{
	2: symbolPage, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257,
	204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}

// force takes the encoding that a person has set. The file is plain ASCII
// outside of its letters, so one in units of two or four bytes, or with escapes,
// cannot be meant.
func (r *rtfReader) force(name string) error {
	name, e, err := byName(name)
	if err != nil || strings.HasPrefix(name, "utf-16") || strings.HasPrefix(name, "utf-32") || name == "iso-2022-jp" || name == "hz-gb-2312" {
		return err
	}
	r.override, r.d.encoding, r.forced = e, name, 1252
	switch name {
	case "shift_jis":
		r.forced = 932
	case "gb18030", "gbk":
		r.forced = 936
	case "euc-kr", "euc-jp": // of the same form
		r.forced = 949
	case "big5":
		r.forced = 950
	}
	return nil
}

// codePage is that of the open font. A Western font in a file for Chinese,
// Japanese or Korean has Western bytes.
func (r *rtfReader) codePage() int {
	if r.override != nil {
		return r.forced
	}
	page, known := r.fonts[r.state.font]
	switch {
	case !known || page == 1:
		return r.ansi
	case page == 0 && wide(r.ansi):
		return 1252
	case page == 0:
		return r.ansi
	}
	return page
}

// wide tells the code pages whose characters have two bytes.
func wide(page int) bool { return page == 932 || page == 936 || page == 949 || page == 950 }

// leads tells whether a byte is the first of two.
func leads(page int, b byte) bool {
	if page == 932 {
		return b >= 0x81 && b <= 0x9f || b >= 0xe0 && b <= 0xfc
	}
	return wide(page) && b >= 0x81 && b != 0xff
}

// char takes a character that stands for itself, unless it is the second byte
// of one or repeats a \u.
func (r *rtfReader) char(c byte) {
	r.star = false
	if r.lead || c >= 0x80 {
		r.byte(c)
		r.raw = true
		return
	}
	if r.skip > 0 {
		r.skip--
		return
	}
	r.flush()
	r.put(string(rune(c)))
}

// byte takes a byte in the code page of the font.
func (r *rtfReader) byte(b byte) {
	r.star = false
	if r.skip > 0 {
		r.skip--
		return
	}
	page := r.codePage()
	if page != r.page {
		r.flush()
		r.page = page
	}
	r.lead = !r.lead && leads(page, b)
	if len(r.bytes) < maxRTFParagraph {
		r.bytes = append(r.bytes, b)
	}
}

// flush decodes the bytes that wait.
func (r *rtfReader) flush() {
	if len(r.bytes) == 0 {
		return
	}
	waiting := r.bytes
	r.bytes, r.lead = r.bytes[:0], false
	if r.page == symbolPage {
		for _, b := range waiting {
			r.put(symbolSign(rune(b)))
		}
		return
	}
	e := r.override
	if e == nil {
		e = codePages[r.page]
	}
	if e == nil {
		e = charmap.Windows1252
	}
	if out, err := e.NewDecoder().Bytes(waiting); err == nil {
		r.put(string(out))
	}
}

// unicode takes a \u, half of a pair perhaps.
func (r *rtfReader) unicode(value int) {
	r.flush()
	c := rune(value)
	if c < 0 {
		c += 0x10000
	}
	r.skip = r.state.unicode
	switch {
	case c >= 0xd800 && c < 0xdc00:
		r.high = c
		return
	case c >= 0xdc00 && c < 0xe000:
		c = utf16.DecodeRune(r.high, c)
	}
	r.high = 0
	if c >= 0xf000 && c <= 0xf0ff { // where fonts of signs lie
		r.put(symbolSign(c - 0xf000))
		return
	}
	r.put(string(c))
}

// symbolSign gives the signs of the Symbol and Wingdings fonts that stand before
// the lines of lists; the others mean nothing without the font.
func symbolSign(b rune) string {
	switch b {
	case 0xb7, 0xa7, 0x6c, 0x6e, 0x71, 0x76, 0xd8:
		return "•"
	case 0xe0, 0xae:
		return "→"
	case 0xfc, 0xfe:
		return "✓"
	case 0x20, 0xa0:
		return " "
	}
	return ""
}
