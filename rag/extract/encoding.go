package extract

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
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
		if e, err = htmlindex.Get(override); err != nil {
			return "", "", damaged("The encoding "+override+" is not known.", err)
		}
		name = strings.ToLower(override)
	}
	if e == nil {
		name, e = byStatistics(b)
	}
	if e == nil {
		return string(b), "utf-8", nil
	}
	out, err := e.NewDecoder().Bytes(b)
	if err != nil {
		return "", "", damaged("The text could not be decoded.", fmt.Errorf("%s: %w", name, err))
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

func byStatistics(b []byte) (string, encoding.Encoding) {
	sample := b[:min(len(b), 64<<10)]
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
	// A text in UTF-8 with a few broken bytes is still UTF-8.
	if good, bad := utf8Score(sample); good > 20*bad {
		return "", nil
	}
	return guess(sample)
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
	return ""
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

// candidates are the encodings that guessing decides between.
var candidates = []struct {
	name string
	enc  encoding.Encoding
	wide bool // multi-byte: invalid bytes rule it out
}{
	{"shift_jis", japanese.ShiftJIS, true},
	{"euc-jp", japanese.EUCJP, true},
	{"gb18030", simplifiedchinese.GB18030, true},
	{"big5", traditionalchinese.Big5, true},
	{"euc-kr", korean.EUCKR, true},
	{"windows-1252", charmap.Windows1252, false},
	{"windows-1250", charmap.Windows1250, false},
	{"windows-1251", charmap.Windows1251, false},
	{"koi8-r", charmap.KOI8R, false},
	{"ibm866", charmap.CodePage866, false},
	{"iso-8859-5", charmap.ISO8859_5, false},
	{"windows-1253", charmap.Windows1253, false},
	{"windows-1254", charmap.Windows1254, false},
	{"windows-1255", charmap.Windows1255, false},
	{"windows-1256", charmap.Windows1256, false},
	{"iso-8859-2", charmap.ISO8859_2, false},
	{"macintosh", charmap.Macintosh, false},
	{"ibm850", charmap.CodePage850, false},
}

// guess decodes a sample with every candidate and takes the most readable;
// chardet's opinion counts as a bonus.
func guess(sample []byte) (string, encoding.Encoding) {
	sample = sample[:min(len(sample), 16<<10)]
	opinion := map[string]int{}
	if results, err := chardet.NewTextDetector().DetectAll(sample); err == nil {
		for _, r := range results {
			name := canonical(r.Charset)
			opinion[name] = max(opinion[name], r.Confidence)
		}
	}
	best, bestScore := -1, -1e9
	for i, c := range candidates {
		text, ok := trial(sample, c.enc, c.wide)
		if !ok {
			continue
		}
		score := legibility(text, c.wide) + float64(opinion[c.name])/100
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	if best < 0 {
		return "windows-1252", charmap.Windows1252
	}
	return candidates[best].name, candidates[best].enc
}

// canonical maps chardet's names to the superset that files really use.
func canonical(name string) string {
	switch name = strings.ToLower(name); name {
	case "iso-8859-1":
		return "windows-1252"
	case "iso-8859-7":
		return "windows-1253"
	case "iso-8859-8", "iso-8859-8-i":
		return "windows-1255"
	case "iso-8859-9":
		return "windows-1254"
	case "iso-8859-6":
		return "windows-1256"
	case "gb-18030", "gb2312", "gbk":
		return "gb18030"
	}
	return name
}

// trial decodes; a multi-byte encoding is out when more than one character in
// 500 is broken (one at the cut end of the sample is forgiven).
func trial(sample []byte, e encoding.Encoding, wide bool) (string, bool) {
	out, err := e.NewDecoder().Bytes(sample)
	if err != nil {
		return "", false
	}
	text := string(out)
	if wide {
		broken := strings.Count(text, "\uFFFD")
		if broken > 1+utf8.RuneCountInString(text)/500 {
			return "", false
		}
	}
	return text, true
}
