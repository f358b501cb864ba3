package extract

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// maxStyleBytes bounds the part of styles that is read; a larger one is left
// out, and numbers are shown as they are stored.
const maxStyleBytes = 16 << 20

var (
	formatCode  = regexp.MustCompile(`\bformatCode="([^"]*)"`)
	formatsList = regexp.MustCompile(`<((?:\w+:)?)numFmts\b[^>/]*>`)
	styleRoot   = regexp.MustCompile(`<((?:\w+:)?)styleSheet\b[^>]*>`)
	quotedText  = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]`)
)

// english names a language in a date format. Without one excelize goes through
// all its languages for each part of each date, which is most of the time that a
// sheet of dates takes.
const english = "[$-409]"

// builtInDates are the formats of dates and times that have numbers of their own
// (ECMA-376-1, 18.8.30). Those that follow the system's language are written so
// that day and month cannot be confused.
var builtInDates = map[int]string{
	14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
	22: "yyyy-mm-dd h:mm", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0",
}

// datesInEnglish gives each date format a language.
func datesInEnglish(styles string) string {
	styles = formatCode.ReplaceAllStringFunc(styles, func(s string) string {
		code := formatCode.FindStringSubmatch(s)[1]
		if !isDateFormat(html.UnescapeString(code)) {
			return s
		}
		return `formatCode="` + english + code + `"`
	})
	var own strings.Builder
	prefix := ""
	if m := styleRoot.FindStringSubmatch(styles); m != nil {
		prefix = m[1]
	}
	for id, code := range builtInDates {
		fmt.Fprintf(&own, `<%snumFmt numFmtId="%d" formatCode="%s%s"/>`, prefix, id, english, code)
	}
	if at := formatsList.FindStringIndex(styles); at != nil {
		return styles[:at[1]] + own.String() + styles[at[1]:]
	}
	if at := styleRoot.FindStringIndex(styles); at != nil {
		return styles[:at[1]] + "<" + prefix + "numFmts>" + own.String() + "</" + prefix + "numFmts>" + styles[at[1]:]
	}
	return styles
}

// isDateFormat tells whether a format shows a date or a time in no language of
// its own.
func isDateFormat(code string) bool {
	if strings.Contains(code, "[$-") {
		return false
	}
	bare := strings.ToLower(quotedText.ReplaceAllString(code, ""))
	return !strings.Contains(bare, "general") && strings.ContainsAny(bare, "ymdhs") || strings.Contains(strings.ToLower(code), "[h]")
}
