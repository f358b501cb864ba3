package language

import (
	"embed"
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/spanish"
)

//go:embed lists/*.txt
var files embed.FS

// Language holds the word lists of one language. It is immutable and shared.
type Language struct {
	Code    string // ISO 639-1
	Name    string // English name; empty for a language without lists
	Refusal string // the fixed sentence that says that the documents do not answer

	sets   map[string]map[string]bool
	phrase map[string][]string
	number map[string]float64
	month  map[string]int
	day    map[string]int // of the week, Monday is 1
	unit   map[string]unit
	stem   func(*snowballstem.Env) bool
}

var stemmers = map[string]func(*snowballstem.Env) bool{
	"en": english.Stem, "it": italian.Stem, "de": german.Stem, "fr": french.Stem, "es": spanish.Stem,
}

// Codes lists the languages that have word lists.
func Codes() []string { return []string{"en", "it", "de", "fr", "es"} }

var load = sync.OnceValue(func() map[string]*Language {
	all := map[string]*Language{}
	for _, code := range Codes() {
		all[code] = read(code)
	}
	return all
})

// For returns the language of an ISO 639-1 code. A code without lists gets
// empty ones, the English refusal and no stemmer.
func For(code string) *Language {
	if l, ok := load()[code]; ok {
		return l
	}
	return &Language{Code: code, Refusal: load()["en"].Refusal}
}

// Is tells whether a lower-case word stands in a section of the lists.
func (l *Language) Is(section, lower string) bool { return l.sets[section][lower] }

// Has tells whether the language has a section at all.
func (l *Language) Has(section string) bool { return len(l.sets[section]) > 0 }

// Phrases lists a section's entries in file order; callers must not change it.
func (l *Language) Phrases(section string) []string { return l.phrase[section] }

// BeginsWith returns the entry of a section with which the text begins, at a
// word's end and whatever the case; empty if none. The longest entry wins.
func (l *Language) BeginsWith(section, text string) string {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	text = strings.TrimLeft(text, " \t\n\"'“”„«»¿¡([*-–—.…")
	best := ""
	for _, p := range l.phrase[section] {
		if len(p) > len(best) && strings.HasPrefix(text, p) && endsWord(text[len(p):]) {
			best = p
		}
	}
	return best
}

// Fits returns the entry of a section that a text fits, whatever the case: the
// text begins with it, at a word's end, or, where the entry holds a "*", begins
// and ends with its parts and has words between. The longest wins; empty: none.
func (l *Language) Fits(section, text string) string {
	text = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
	text = strings.TrimLeft(text, " \t\n\"'“”„«»¿¡([*-–—.…")
	text = strings.TrimRight(text, " \t\n\"'“”„«»?!.…")
	best := ""
	for _, p := range l.phrase[section] {
		head, tail, open := strings.Cut(p, "*")
		head, tail = strings.TrimSpace(head), strings.TrimSpace(tail)
		switch {
		case len(p) <= len(best), !strings.HasPrefix(text, head), !endsWord(text[len(head):]):
			continue
		case open && (!strings.HasSuffix(text, tail) || len(text) <= len(head)+len(tail)+1):
			continue
		}
		best = p
	}
	return best
}

func read(code string) *Language {
	b, err := files.ReadFile("lists/" + code + ".txt")
	if err != nil { // the files are part of the program
		return &Language{Code: code}
	}
	l := &Language{Code: code, sets: map[string]map[string]bool{}, phrase: map[string][]string{},
		number: map[string]float64{}, month: map[string]int{}, day: map[string]int{}, unit: map[string]unit{}, stem: stemmers[code]}
	section := ""
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
			continue
		}
		l.add(section, line)
	}
	l.compounds()
	return l
}

func (l *Language) add(section, line string) {
	switch section {
	case "name":
		l.Name += line
		return
	case "refuse":
		l.Refusal += line
		return
	}
	for entry := range strings.SplitSeq(line, ",") {
		entry = strings.TrimSpace(entry)
		if entry == "" {
			continue
		}
		switch section {
		case "number":
			word, v, _ := strings.Cut(entry, "=")
			l.number[word] = parseDigits(v)
		case "month":
			word, v, _ := strings.Cut(entry, "=")
			l.month[word] = int(parseDigits(v))
		case "unit":
			word, v, _ := strings.Cut(entry, "=")
			dimension, factor, _ := strings.Cut(v, ":")
			l.unit[word] = unit{dimension, parseDigits(factor)}
		case "weekday":
			word, v, _ := strings.Cut(entry, "=")
			l.day[word] = int(parseDigits(v))
		default:
			if l.sets[section] == nil {
				l.sets[section] = map[string]bool{}
			}
			l.sets[section][entry] = true
			l.phrase[section] = append(l.phrase[section], entry)
		}
	}
}

// compounds adds the written numbers below 100 that a language builds from
// tens and units in one word, as its grammar has it.
func (l *Language) compounds() {
	tens := map[string]float64{}
	units := map[string]float64{}
	for word, v := range l.number {
		if v >= 20 && v < 100 && int(v)%10 == 0 {
			tens[word] = v
		}
		if v >= 1 && v < 10 {
			units[word] = v
		}
	}
	for tw, t := range tens {
		for uw, u := range units {
			switch l.Code {
			case "de": // dreiundzwanzig
				l.number[uw+"und"+tw] = t + u
			case "it": // ventitre, ventuno, ventotto
				head := tw
				if strings.HasPrefix(uw, "u") || strings.HasPrefix(uw, "o") {
					head = tw[:len(tw)-1]
				}
				l.number[head+uw] = t + u
				if uw == "tre" {
					l.number[head+"tré"] = t + u
				}
			}
		}
	}
	if l.Code == "it" || l.Code == "de" { // duecento, zweihundert, tremila
		for uw, u := range units {
			for suffix, v := range map[string]float64{"cento": 100, "hundert": 100, "mila": 1000, "tausend": 1000} {
				l.number[uw+suffix] = u * v
			}
		}
	}
}
