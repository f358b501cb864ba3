package language

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unit is what a number counts: a dimension, and how many of its base unit one
// of these is (metres, kilograms, litres, minutes, months).
type unit struct {
	dimension string
	factor    float64
}

// symbols are the same in every language.
var symbols = map[string]unit{
	"m": {"length", 1}, "km": {"length", 1000}, "cm": {"length", 0.01}, "mm": {"length", 0.001},
	"kg": {"mass", 1}, "g": {"mass", 0.001}, "t": {"mass", 1000},
	"l": {"volume", 1}, "L": {"volume", 1}, "ml": {"volume", 0.001},
	"min": {"time", 1}, "h": {"time", 60},
	"%": {"percent", 1}, "€": {"euro", 1}, "EUR": {"euro", 1}, "$": {"dollar", 1}, "USD": {"dollar", 1},
	"W": {"watt", 1}, "kW": {"watt", 1000}, "V": {"volt", 1}, "bar": {"bar", 1}, "°C": {"celsius", 1}, "°F": {"fahrenheit", 1},
}

// unitOf returns the unit of the number at these bytes: the word or symbol right
// behind it, or a currency sign before it.
func (l *Language) unitOf(text string, start, end int) (unit, bool) {
	rest := strings.TrimLeft(text[end:], " \u00a0\u202f-")
	if len(text[end:])-len(rest) <= len("\u202f")+1 { // not behind a dash that stands alone
		for _, sign := range []string{"%", "€", "$", "°C", "°F"} {
			if strings.HasPrefix(rest, sign) {
				return symbols[sign], true
			}
		}
		word := rest[:wordLength(rest)]
		if u, ok := symbols[word]; ok {
			return u, true
		}
		if u, ok := l.unit[strings.ToLower(word)]; ok {
			return u, true
		}
	}
	before := strings.TrimRight(text[:start], " \u00a0\u202f")
	for _, sign := range []string{"€", "$", "EUR", "USD"} {
		if strings.HasSuffix(before, sign) {
			return symbols[sign], true
		}
	}
	return unit{}, false
}

// wordLength is the length of the letters with which a text begins.
func wordLength(s string) int {
	n := 0
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !inWord(r) {
			break
		}
		n += size
	}
	return n
}

// measure completes a number by its quantity: what it is in the base unit.
func (l *Language) measure(text string, v *Value) {
	if v.Kind != KindNumber {
		return
	}
	u, ok := l.unitOf(text, v.Start, v.End)
	if !ok {
		return
	}
	for _, f := range v.forms {
		if n, ok := strings.CutPrefix(f, "n:"); ok {
			v.quantities = append(v.quantities, "q:"+u.dimension+":"+strconv.FormatFloat(parseDigits(n)*u.factor, 'g', 9, 64))
		}
	}
}
