package extract

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Encoding is one that a person can set for a file. Script says whose texts are
// written in it: unicode, western, central_european, nordic, celtic, southern,
// romanian, baltic, cyrillic, greek, turkish, hebrew, arabic, thai, vietnamese,
// japanese, chinese_simplified, chinese_traditional or korean.
type Encoding struct {
	Name   string
	Script string
}

// Encodings lists what can be set, by script, the common before the rare.
func Encodings() []Encoding { return slices.Clone(encodings) }

var encodings = inScripts(
	"unicode: utf-8 utf-16le utf-16be utf-32le utf-32be",
	"western: windows-1252 iso-8859-15 macintosh ibm850 ibm437 ibm860 ibm863",
	"central_european: windows-1250 iso-8859-2 ibm852",
	"nordic: iso-8859-10 ibm865",
	"celtic: iso-8859-14",
	"southern: iso-8859-3",
	"romanian: iso-8859-16",
	"baltic: windows-1257 iso-8859-13 iso-8859-4",
	"cyrillic: windows-1251 koi8-r koi8-u ibm866 iso-8859-5 x-mac-cyrillic ibm855",
	"greek: windows-1253 iso-8859-7",
	"turkish: windows-1254",
	"hebrew: windows-1255 iso-8859-8 ibm862",
	"arabic: windows-1256 iso-8859-6",
	"thai: windows-874",
	"vietnamese: windows-1258",
	"japanese: shift_jis euc-jp iso-2022-jp",
	"chinese_simplified: gb18030 gbk hz-gb-2312",
	"chinese_traditional: big5",
	"korean: euc-kr",
)

func inScripts(lines ...string) []Encoding {
	var out []Encoding
	for _, line := range lines {
		script, names, _ := strings.Cut(line, ": ")
		for _, name := range strings.Fields(names) {
			out = append(out, Encoding{name, script})
		}
	}
	return out
}

// TakesEncoding tells whether the encoding counts that a person sets for a file
// of this kind; the other kinds say themselves how their letters are stored.
// Bytes that looked like no text are read as text once an encoding is set.
func TakesEncoding(kind string) bool {
	switch kind {
	case kindText, kindMarkdown, kindHTML, kindCSV, kindJSON, kindNotebook, kindCode, kindRTF, kindEPUB, kindEmail, kindBinary, "":
		return true
	}
	return false
}

// EncodingName is the name in Encodings for any usual name of an encoding, such
// as "latin1" or "CP850". False: there is none, or no text can be read in it.
func EncodingName(name string) (string, bool) {
	name, _, err := byName(name)
	return name, err == nil
}

// byName gives an encoding by any usual name, and the one name that it has here.
func byName(name string) (string, encoding.Encoding, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, c := range candidates {
		if c.name == name {
			return name, c.enc, nil
		}
	}
	switch name {
	case "hz-gb-2312":
		return name, simplifiedchinese.HZGB2312, nil
	case "iso-2022-jp":
		return name, japanese.ISO2022JP, nil
	case "utf-8":
		return name, unicode.UTF8, nil
	case "utf-32le":
		return name, utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), nil
	case "utf-32be":
		return name, utf32.UTF32(utf32.BigEndian, utf32.UseBOM), nil
	}
	e, err := htmlindex.Get(name)
	if err == nil {
		name, err = htmlindex.Name(e)
	} else if e, err = ianaindex.IANA.Encoding(name); err == nil && e != nil {
		name, err = ianaindex.IANA.Name(e)
		name = strings.ToLower(name)
	}
	if err == nil && (e == nil || e == encoding.Replacement || e == charmap.XUserDefined) {
		err = errors.New("no text is read in " + name)
	}
	if err != nil {
		return "", nil, err
	}
	return name, e, nil
}
