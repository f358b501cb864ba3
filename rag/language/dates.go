package language

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

var (
	isoRE    = regexp.MustCompile(`\b(\d{4})-(\d{1,2})-(\d{1,2})\b`)
	numberRE = regexp.MustCompile(`\b(\d{1,2})([./-])(\d{1,2})([./-])(\d{4}|\d{2})\b`)
)

// monthDates are the three ways to write a date with a month's name.
type monthDates struct{ dayFirst, monthFirst, monthYear *regexp.Regexp }

var months = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for _, c := range Codes() {
		for name, m := range For(c).month {
			all[name] = m
		}
	}
	return all
})

var dateRE = sync.OnceValue(func() monthDates {
	var names []string
	for name := range months() {
		names = append(names, regexp.QuoteMeta(name))
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	month := `(` + strings.Join(names, "|") + `)`
	return monthDates{
		dayFirst:   regexp.MustCompile(`(?i)\b(\d{1,2})(?:st|nd|rd|th|er|º|°|\.)?\s+(?:of\s+|de\s+|di\s+)?` + month + `\b\.?(?:\s?,?\s+(?:de\s+|del\s+|of\s+)?(\d{4})\b)?`),
		monthFirst: regexp.MustCompile(`(?i)\b` + month + `\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:\s?,?\s+(\d{4})\b)?`),
		monthYear:  regexp.MustCompile(`(?i)\b` + month + `\b\.?,?\s+(?:de\s+|del\s+|of\s+)?(\d{4})\b`),
	}
})

// dates finds days and months of the calendar in the ways of the five languages.
func (s *scan) dates() {
	if !strings.ContainsAny(s.text, "0123456789") {
		return
	}
	s.each(isoRE, func(g []string) []string { return dayForms(g[1], g[2], g[3]) })
	s.each(numberRE, func(g []string) []string {
		if g[2] != g[4] {
			return nil
		}
		year := g[5]
		if len(year) == 2 {
			year = "20" + year
		}
		forms := dayForms(year, g[3], g[1])
		return append(forms, dayForms(year, g[1], g[3])...)
	})
	re := dateRE()
	s.each(re.dayFirst, func(g []string) []string { return monthForms(g[3], g[2], g[1]) })
	s.each(re.monthFirst, func(g []string) []string { return monthForms(g[3], g[1], g[2]) })
	s.each(re.monthYear, func(g []string) []string { return monthForms(g[2], g[1], "") })
}

func (s *scan) each(re *regexp.Regexp, forms func(groups []string) []string) {
	for _, m := range re.FindAllStringSubmatchIndex(s.text, -1) {
		if !s.free(m[0], m[1]) {
			continue
		}
		groups := make([]string, len(m)/2)
		for i := range groups {
			if m[2*i] >= 0 {
				groups[i] = s.text[m[2*i]:m[2*i+1]]
			}
		}
		f := forms(groups)
		if len(f) == 0 {
			continue
		}
		v := Value{Kind: KindDate, Start: m[0], End: m[1], forms: f}
		for _, x := range f {
			v.also = append(v.also, partForms(x)...)
		}
		s.take(v)
	}
}

func dayForms(year, month, day string) []string {
	y, m, d := parseDigits(year), parseDigits(month), parseDigits(day)
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return nil
	}
	return []string{fmt.Sprintf("d:%04.0f-%02.0f-%02.0f", y, m, d)}
}

func monthForms(year, name, day string) []string {
	lower := strings.ToLower(name)
	// "may" and "march" are also verbs, "mar" is a sea.
	if first := []rune(name)[0]; (lower == "may" || lower == "march" || lower == "mar") && !unicode.IsUpper(first) {
		return nil
	}
	m := months()[lower]
	switch {
	case day == "":
		return []string{fmt.Sprintf("d:%s-%02d", year, m)}
	case year == "":
		d := int(parseDigits(day))
		if d < 1 || d > 31 {
			return nil
		}
		return []string{fmt.Sprintf("d:--%02d-%02d", m, d)}
	}
	return dayForms(year, strconv.Itoa(m), day)
}

// partForms are what a date supports besides itself: the day without the year,
// the month, and its year and day as numbers.
func partForms(form string) []string {
	full := strings.TrimPrefix(form, "d:")
	parts := strings.Split(full, "-")
	switch {
	case strings.HasPrefix(full, "--"):
		return []string{"n:" + strings.TrimLeft(parts[3], "0")}
	case len(parts) == 2:
		return []string{"n:" + strings.TrimLeft(parts[0], "0")}
	case len(parts) == 3:
		return []string{"d:--" + parts[1] + "-" + parts[2], "d:" + parts[0] + "-" + parts[1],
			"n:" + strings.TrimLeft(parts[0], "0"), "n:" + strings.TrimLeft(parts[2], "0")}
	}
	return nil
}
