package extract

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// candidates are the encodings that guessing decides between, of each kind the
// common before the rare. Windows-1252 reads ISO-8859-1, gb18030 reads GBK and
// GB2312.
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
	{"iso-8859-2", charmap.ISO8859_2, false},
	{"koi8-r", charmap.KOI8R, false},
	{"koi8-u", charmap.KOI8U, false},
	{"windows-1253", charmap.Windows1253, false},
	{"windows-1254", charmap.Windows1254, false},
	{"windows-1255", charmap.Windows1255, false},
	{"windows-1256", charmap.Windows1256, false},
	{"windows-1257", charmap.Windows1257, false},
	{"windows-874", charmap.Windows874, false},
	{"iso-8859-5", charmap.ISO8859_5, false},
	{"iso-8859-6", charmap.ISO8859_6, false},
	{"iso-8859-7", charmap.ISO8859_7, false},
	{"iso-8859-13", charmap.ISO8859_13, false},
	{"iso-8859-15", charmap.ISO8859_15, false},
	{"iso-8859-16", charmap.ISO8859_16, false},
	{"macintosh", charmap.Macintosh, false},
	{"x-mac-cyrillic", charmap.MacintoshCyrillic, false},
	{"ibm850", charmap.CodePage850, false},
	{"ibm852", charmap.CodePage852, false},
	{"ibm866", charmap.CodePage866, false},
	{"ibm437", charmap.CodePage437, false},
}

// rarer is what each place further down the list costs, in the logarithms of
// fluency: next to nothing against one wrong letter.
const rarer = 0.1

// guess takes the single-byte encoding whose text is most fluent, and the
// multi-byte one whose text is most legible, where chardet's opinion counts as
// a bonus; the more legible of the two wins.
func guess(sample []byte) (string, encoding.Encoding) {
	opinion := opinions(sample)
	narrow, wide := -1, -1
	mostFluent, narrowScore, wideScore := math.Inf(-1), math.Inf(-1), math.Inf(-1)
	for i, c := range candidates {
		text, ok := trial(sample, c.enc, c.wide)
		if !ok {
			continue
		}
		legible := func() float64 { return legibility(text, c.wide) + opinion[c.name] }
		if c.wide {
			if score := legible(); score > wideScore {
				wide, wideScore = i, score
			}
		} else if f := fluency(text) - rarer*float64(i); f > mostFluent {
			narrow, mostFluent, narrowScore = i, f, legible()
		}
	}
	best := narrow
	if wideScore > narrowScore {
		best = wide
	}
	if best < 0 {
		return "windows-1252", charmap.Windows1252
	}
	return candidates[best].name, candidates[best].enc
}

// opinions are chardet's confidences, 0 to 1.
func opinions(sample []byte) map[string]float64 {
	out := map[string]float64{}
	results, err := chardet.NewTextDetector().DetectAll(sample)
	if err != nil {
		return out
	}
	for _, r := range results {
		name := canonical(r.Charset)
		out[name] = max(out[name], float64(r.Confidence)/100)
	}
	return out
}

// canonical maps chardet's names to the superset that files really use.
func canonical(name string) string {
	switch name = strings.ToLower(name); name {
	case "iso-8859-1":
		return "windows-1252"
	case "iso-8859-8", "iso-8859-8-i":
		return "windows-1255"
	case "iso-8859-9":
		return "windows-1254"
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

const (
	tellingBytes = 4 << 10 // enough for any two encodings that differ at all
	lineBytes    = 2 << 10 // of one line
	leadBytes    = 100     // before its first byte beyond ASCII
)

// tellingLines collects the lines that hold bytes beyond ASCII, from all of the
// file: the rest is the same in every encoding. A cut is made at a line end, or
// where all before is ASCII, so that no character is cut in two but at the end
// of a long line.
func tellingLines(b []byte) []byte {
	var out []byte
	for len(b) > 0 && len(out) < tellingBytes {
		high := firstHigh(b)
		if high < 0 {
			break
		}
		from := high
		for from > 0 && high-from < leadBytes && b[from-1] != '\n' {
			from--
		}
		to := high
		for to < len(b) && to-from < lineBytes && b[to] != '\n' {
			to++
		}
		out = append(append(out, b[from:to]...), '\n')
		for to < len(b) && b[to] != '\n' {
			to++
		}
		b = b[to:]
	}
	return out
}

func firstHigh(b []byte) int {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return -1
}
