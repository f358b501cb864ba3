package extract

import (
	"bytes"
	"regexp"
	"strings"
)

// plainFormat is a number format of the commonest kind: one section, digits
// with or without a separator of thousands, decimals, a percent sign, and fixed
// text around them. Amounts hardly ever repeat, and what excelize does for each
// takes fifty times as long.
type plainFormat struct {
	before, after string
	grouped       bool
	decimals      int
	percent       bool
}

var (
	plainNumber = regexp.MustCompile(`^((?:"[^"]*"|\\.|\[\$[^\]-]*(?:-[0-9A-Fa-f]*)?\]|[ €$£])*)(#,##0|0)(\.0{1,9})?(%?)((?:"[^"]*"|\\.|\[\$[^\]-]*(?:-[0-9A-Fa-f]*)?\]|[ €$£])*)$`)
	fixedText   = regexp.MustCompile(`"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-[0-9A-Fa-f]*)?\]`)
)

// plainFormatOf reads a format code, or the number of one that has no code in
// the file (ECMA-376-1, 18.8.30).
func plainFormatOf(code string) (plainFormat, bool) {
	if c, ok := map[string]string{"1": "0", "2": "0.00", "3": "#,##0", "4": "#,##0.00", "9": "0%", "10": "0.00%"}[code]; ok {
		code = c
	}
	m := plainNumber.FindStringSubmatch(code)
	if m == nil {
		return plainFormat{}, false
	}
	return plainFormat{before: fixedText.ReplaceAllString(m[1], "$1$2$3"), after: fixedText.ReplaceAllString(m[5], "$1$2$3"),
		grouped: strings.Contains(m[2], ","), decimals: max(len(m[3])-1, 0), percent: m[4] != ""}, true
}

// text shows a number that isPlainNumber takes, rounded half up in decimal, as
// spreadsheets do. Not ok: one below zero.
func (f plainFormat) text(value []byte) (string, bool) {
	if !isPlainNumber(value) || value[0] == '-' {
		return "", false
	}
	whole, fraction, _ := bytes.Cut(value, []byte("."))
	digits := append(append(make([]byte, 0, 32), whole...), fraction...)
	point := len(whole)
	if f.percent {
		point += 2
	}
	keep := point + f.decimals
	for len(digits) <= keep {
		digits = append(digits, '0')
	}
	up := digits[keep] >= '5'
	digits = digits[:keep]
	for i := keep - 1; i >= 0 && up; i-- {
		if digits[i]++; digits[i] > '9' {
			digits[i] = '0'
		} else {
			up = false
		}
	}
	if up {
		digits, point = append([]byte{'1'}, digits...), point+1
	}
	for point > 1 && digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	out := append(make([]byte, 0, 64), f.before...)
	for i, c := range digits {
		switch {
		case i == point:
			out = append(out, '.')
		case f.grouped && i > 0 && i < point && (point-i)%3 == 0:
			out = append(out, ',')
		}
		out = append(out, c)
	}
	if f.percent {
		out = append(out, '%')
	}
	return string(append(out, f.after...)), true
}
