package analyze

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// isoDates reads 2024-03-01, 1.3.2024, 01/03/2024 and their kin. Where day and
// month could change places, both readings are returned, day first.
func isoDates(t string) (iso [2]string) {
	for _, sep := range []string{"-", "/", "."} {
		p := strings.Split(t, sep)
		if len(p) != 3 {
			continue
		}
		switch {
		case len(p[0]) == 4 && len(p[1]) <= 2 && len(p[2]) <= 2:
			iso[0] = isoDate(p[0], p[1], p[2])
		case len(p[2]) == 4 && len(p[0]) <= 2 && len(p[1]) <= 2:
			iso[0] = isoDate(p[2], p[1], p[0])
			if other := isoDate(p[2], p[0], p[1]); sep == "/" || iso[0] == "" {
				iso[1] = other
			}
			if iso[0] == "" || iso[0] == iso[1] {
				iso[0], iso[1] = max(iso[0], iso[1]), ""
			}
		}
		return iso
	}
	return iso
}

// isoDate returns yyyy-mm-dd, or nothing where there is no such day.
func isoDate(year, month, day string) string {
	y, err1 := strconv.Atoi(year)
	m, err2 := strconv.Atoi(month)
	d, err3 := strconv.Atoi(day)
	if err1 != nil || err2 != nil || err3 != nil || y < 1000 || m < 1 || m > 12 || d < 1 {
		return ""
	}
	if when := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC); when.Day() != d {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

// dateReader follows the tokens of a text and emits the ISO form of dates that
// are written with the name of a month, beside their words.
type dateReader struct {
	emit             emitter
	day, month, year string
	seen             int // tokens since the first part
}

// token takes the next token; day and year are digits, the month is a name.
func (d *dateReader) token(t string) {
	plain := t
	if n := len(t); n > 2 && n <= 4 && t[0] <= '9' { // 1st, 22nd
		switch t[n-2:] {
		case "st", "nd", "rd", "th", "er":
			plain = t[:n-2]
		}
	}
	m := ""
	if len(t) >= 3 && len(t) <= 20 && t[0] > '9' {
		m = months[strings.ToLower(t)]
	}
	switch {
	case m != "" && d.month == "":
		d.month = m
	case digits(plain, 1, 2) && d.day == "":
		d.day, d.seen = plain, 0
	case digits(t, 4, 4) && d.month != "" && d.day != "":
		d.year = t
	case linking[strings.ToLower(t)] && (d.day != "" || d.month != ""):
	default:
		d.end()
		if digits(plain, 1, 2) {
			d.day = plain
		}
		return
	}
	if d.seen++; d.year != "" {
		if iso := isoDate(d.year, d.month, d.day); iso != "" {
			d.emit.exact(Date, iso, iso, true)
		}
		d.end()
	} else if d.seen > 5 {
		d.end()
	}
}

// end forgets a date that was not completed.
func (d *dateReader) end() { d.day, d.month, d.year, d.seen = "", "", "", 0 }

func digits(s string, least, most int) bool {
	if len(s) < least || len(s) > most {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// linking words stand inside dates: the 1st of May, 1 de mayo de 2024.
var linking = map[string]bool{"of": true, "de": true, "del": true, "the": true, "do": true}

// months by their names and short forms in eight languages.
var months = func() map[string]string {
	m := map[string]string{}
	for i, names := range []string{
		"january jan gennaio januar januari janvier enero janeiro января jänner",
		"february feb febbraio februar februari février fevrier febrero fevereiro февраля",
		"march mar marzo märz maerz maart mars março marco марта",
		"april apr aprile avril abril апреля",
		"may maggio mai mei mayo maio мая maj",
		"june jun giugno juni juin junio junho июня",
		"july jul luglio juli juillet julio julho июля",
		"august aug agosto augustus août aout августа augusti",
		"september sep sept settembre septembre septiembre setembro сентября",
		"october oct ottobre oktober octobre octubre outubro октября okt",
		"november nov novembre noviembre novembro ноября",
		"december dec dicembre dezember décembre decembre diciembre dezembro декабря dez",
	} {
		for _, n := range strings.Fields(names) {
			m[n] = strconv.Itoa(i + 1)
		}
	}
	return m
}()
