package analyze

import (
	"strings"
)

// numeric emits a token of digits and connectors: a date, a number, or a
// chain such as a version, a range, a time or a telephone number.
func numeric(t string, s shape, emit emitter) {
	if iso := isoDates(t); iso[0] != "" {
		emit(unit{kind: Date, surface: t, exact: [2]string{t, iso[0]}})
		if iso[1] != "" {
			emit.exact(Date, t, iso[1], true)
		}
		emit.exact(Number, iso[0][:4], iso[0][:4], true)
		return
	}
	if strings.ContainsAny(t, "-/:") {
		chain(t, emit)
		return
	}
	if s.digits == len(t) {
		emit.exact(Number, t, t, false)
		return
	}
	plain, ok := ungrouped(t)
	if !ok {
		chain(t, emit)
		return
	}
	u := unit{kind: Number, surface: t, exact: [2]string{t}}
	if plain != t {
		u.exact[1] = plain
	}
	emit(u)
}

// chain emits digits joined by what does not group them, whole and in parts.
func chain(t string, emit emitter) {
	emit.exact(Identifier, t, fold(lower(t, "")), false)
	for _, p := range strings.FieldsFunc(t, func(r rune) bool { return !isDigit(r) }) {
		emit.exact(Number, p, p, true)
	}
}

// ungrouped writes a number without group separators and with a decimal point:
// 1,234.56 and 1.234,56 and 1'234.56 give 1234.56, 3,5 gives 3.5. One separator
// before exactly three digits groups them (1.234 is 1234). ok is false where
// the token is no number (1.2.3).
func ungrouped(t string) (string, bool) {
	last := strings.LastIndexAny(t, ".,'")
	if last < 0 {
		return t, true
	}
	decimal := t[last] != '\'' && len(t)-last-1 != 3
	if !decimal && t[last] != '\'' && strings.IndexByte(t, t[last]) == last && strings.ContainsAny(t[:last], ".,'") {
		decimal = true // 1.234,567: the second kind of separator is the decimal one
	}
	whole, fraction := t, ""
	if decimal {
		whole, fraction = t[:last], "."+t[last+1:]
	}
	groups := strings.FieldsFunc(whole, func(r rune) bool { return r == '.' || r == ',' || r == '\'' })
	for i, g := range groups {
		if len(groups) > 1 && (i > 0 && len(g) != 3 || i == 0 && len(g) > 3) {
			return "", false
		}
	}
	return strings.Join(groups, "") + fraction, true
}
