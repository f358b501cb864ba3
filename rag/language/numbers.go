package language

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	digitsRE     = regexp.MustCompile(`\d{1,3}(?:[ \x{a0}\x{202f}'’]\d{3})+(?:[.,]\d+)?\b|\d+(?:[.,]\d+)*`)
	identifierRE = regexp.MustCompile(`\b\pL+[-_]?\d[\pL\d_-]*`)
	timeRE       = regexp.MustCompile(`\b(\d{1,2})(?:[:h](\d{2}))?(?:\s?([aApP])\.?\s?[mM]\b\.?|\s?(Uhr|uhr|o'clock)|\b)`)
)

// form is the canonical text of a number under a class letter.
func form(class string, v float64) string {
	return class + ":" + strconv.FormatFloat(v, 'f', -1, 64)
}

// parseDigits reads plain digits; a text that is none is -1.
func parseDigits(s string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return -1
	}
	return v
}

// digits finds numbers written in digits.
func (s *scan) digits() {
	for _, m := range digitsRE.FindAllStringIndex(s.text, -1) {
		start, end := m[0], m[1]
		if !s.free(start, end) {
			continue
		}
		token := s.text[start:end]
		v := Value{Kind: KindNumber, Start: start, End: end, forms: NumberForms(token)}
		if s.generous && strings.ContainsAny(token, " \u00a0\u202f'’.,") { // "5 100 items" may be two numbers
			for _, part := range strings.FieldsFunc(token, func(r rune) bool { return strings.ContainsRune(" \u00a0\u202f'’", r) }) {
				v.also = append(v.also, NumberForms(part)...)
			}
		}
		s.take(v)
	}
}

// NumberForms returns the canonical forms of a number in digits. A single
// separator before exactly three digits can mean thousands or decimals, so
// "1.000" has two forms; with both signs the last one is the decimal sign.
func NumberForms(token string) []string {
	token = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "’", "").Replace(token)
	dots, commas := strings.Count(token, "."), strings.Count(token, ",")
	decimal := func(sep string) string {
		other := map[string]string{".": ",", ",": "."}[sep]
		plain := strings.ReplaceAll(token, other, "")
		return form("n", parseDigits(strings.Replace(plain, sep, ".", 1)))
	}
	switch {
	case dots+commas == 0:
		return []string{form("n", parseDigits(token))}
	case dots > 0 && commas > 0:
		if strings.LastIndex(token, ".") > strings.LastIndex(token, ",") {
			return []string{decimal(".")}
		}
		return []string{decimal(",")}
	case dots+commas > 1:
		if groupsOfThree(token) {
			return []string{form("n", parseDigits(strings.NewReplacer(".", "", ",", "").Replace(token)))}
		}
		return []string{"v:" + strings.ReplaceAll(token, ",", ".")} // a version or a section number
	}
	sep := "."
	if commas > 0 {
		sep = ","
	}
	head, tail, _ := strings.Cut(token, sep)
	forms := []string{decimal(sep)}
	if len(tail) == 3 && len(head) <= 3 && !strings.HasPrefix(head, "0") {
		forms = append(forms, form("n", parseDigits(head+tail)))
	}
	return forms
}

func groupsOfThree(token string) bool {
	parts := strings.FieldsFunc(token, func(r rune) bool { return r == '.' || r == ',' })
	for i, p := range parts {
		if i > 0 && len(p) != 3 || len(p) > 3 {
			return false
		}
	}
	return true
}

// identifiers finds tokens of letters and digits such as "B1" or "ISO-9001".
func (s *scan) identifiers() {
	for _, m := range identifierRE.FindAllStringIndex(s.text, -1) {
		start, end := m[0], m[1]
		if !s.free(start, end) {
			continue
		}
		v := Value{Kind: KindName, Start: start, End: end}
		for _, w := range Words(s.text[start:end]) {
			v.words = append(v.words, w.Lower)
		}
		s.take(v)
	}
}

// times finds clock times; "8 p.m." and "20:00" share a form.
func (s *scan) times() {
	if !strings.ContainsAny(s.text, "0123456789") {
		return
	}
	for _, m := range timeRE.FindAllStringSubmatchIndex(s.text, -1) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s.text[m[2*i]:m[2*i+1]]
		}
		minutes, half, clock := group(2), strings.ToLower(group(3)), group(4)
		if minutes == "" && half == "" && clock == "" || !s.free(m[0], m[1]) {
			continue
		}
		hour := parseDigits(group(1))
		if hour > 24 || minutes != "" && parseDigits(minutes) > 59 {
			continue
		}
		v := Value{Kind: KindNumber, Start: m[0], End: m[1]}
		full := hour
		if half == "p" && hour < 12 {
			full += 12
		}
		if minutes == "" {
			minutes = "00"
		}
		v.forms = append(v.forms, form("t", full*60+parseDigits(minutes)))
		if minutes == "00" {
			v.also = append(v.also, form("n", hour), form("n", full))
			if half == "" && hour > 12 {
				v.also = append(v.also, form("n", hour-12))
			}
			if half != "" || clock != "" {
				v.forms = append(v.forms, form("n", hour))
			}
		}
		s.take(v)
	}
}

// numberWords finds numbers written in words, "two hundred and fifty" as one.
func (s *scan) numberWords() {
	if len(s.l.number) == 0 {
		return
	}
	words := Words(s.text)
	for i := 0; i < len(words); {
		total, n := s.l.numberAt(words[i:])
		if n == 0 {
			i++
			continue
		}
		start, end := words[i].Start, words[i+n-1].End
		lone := n == 1 && total == 1 && !s.generous
		if !lone && (s.generous || s.free(start, end)) { // in evidence a word may be a number in two languages
			v := Value{Kind: KindNumber, Start: start, End: end, forms: []string{form("n", total)}}
			if s.generous && n > 1 {
				for _, w := range words[i : i+n] {
					if x, ok := s.l.number[w.Lower]; ok {
						v.also = append(v.also, form("n", x))
					}
				}
			}
			s.take(v)
		}
		i += n
	}
}

// numberAt reads the longest number in words at the beginning of words: its
// value and how many words it took.
func (l *Language) numberAt(words []Word) (value float64, taken int) {
	total, part := 0.0, 0.0
	for i := 0; i < len(words); i++ {
		v, ok := l.number[words[i].Lower]
		if !ok {
			if i > 0 && (words[i].Lower == "and" || words[i].Lower == "y" || words[i].Lower == "et") && i+1 < len(words) {
				next, ok := l.number[words[i+1].Lower]
				if ok && joins(total, part, next, words[i].Lower) {
					continue
				}
			}
			break
		}
		switch {
		case v >= 1000 && (i == 0 || part > 0 || total == 0):
			total, part = total+max(part, 1)*v, 0
		case v == 100 && part < 10:
			part = max(part, 1) * 100
		case i == 0 || part == 0 || joins(total, part, v, ""):
			part += v
		case l.Code == "fr" && int(part)%100 == 4 && v == 20: // quatre-vingt
			part += 76
		default:
			return total + part, taken
		}
		taken = i + 1
	}
	return total + part, taken
}

// joins tells whether a smaller number goes on with a larger one.
func joins(total, part, next float64, and string) bool {
	rest := int(part) % 100
	switch {
	case and == "and":
		return part >= 100 && rest == 0 && next < 100 || part == 0 && total >= 1000 && next < 100
	case and == "y" || and == "et":
		return rest >= 20 && rest%10 == 0 && next < 20
	}
	return part >= 100 && rest == 0 && next < 100 || rest >= 20 && rest%10 == 0 && (next < 10 || (rest == 60 || rest == 80) && next < 20)
}
