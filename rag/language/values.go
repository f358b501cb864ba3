package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a value is.
type Kind string

// The closed list of value kinds.
const (
	KindNumber Kind = "number"
	KindDate   Kind = "date"
	KindName   Kind = "name"
)

// Value is a number, a date or a name that a text states. Start and End are
// byte offsets.
type Value struct {
	Kind       Kind
	Text       string
	Start, End int

	forms []string // any of them identifies the value
	words []string // of a name: all of them must be known, lower case
	also  []string // weaker forms that a text with this value supports too
	// quantities are the forms of a number with a unit; "0.32 km" and "320 m"
	// share one.
	quantities []string
}

// Values lists what a text states, in order: dates and times, numbers in
// digits and in words, and names. Citation markers and list numerals are no
// values; neither is "one" as a word, which is an article in four of the five
// languages. Names are capitalised words that do not begin a sentence; in
// German only names of several words and acronyms; identifiers such as "B1"
// count as names in every language.
func (l *Language) Values(text string) []Value {
	s := &scan{l: l, text: text, taken: make([]bool, len(text))}
	s.exempt()
	s.dates()
	s.times()
	s.identifiers()
	s.digits()
	s.numberWords()
	s.names()
	for i := range s.out {
		l.measure(text, &s.out[i])
	}
	slices.SortStableFunc(s.out, func(a, b Value) int { return a.Start - b.Start })
	return s.out
}

// Known is what some texts support: every value and word in them.
type Known struct {
	forms map[string]bool
	bare  map[string]bool // forms of numbers that stand without a unit
	words map[string]bool
	keys  map[string]bool
	by    *Language
}

// NewKnown returns an empty set; by is the language in which values are asked for.
func NewKnown(by *Language) *Known {
	return &Known{forms: map[string]bool{}, bare: map[string]bool{}, words: map[string]bool{}, keys: map[string]bool{}, by: by}
}

// Add takes in what a text states, read in its own language.
func (k *Known) Add(text string) {
	code, sure := Detect(text)
	languages := []*Language{k.by}
	if code != k.by.Code {
		languages = append(languages, For(code))
	}
	if !sure {
		for _, c := range Codes() {
			if c != code && c != k.by.Code {
				languages = append(languages, For(c))
			}
		}
	}
	// Dates, times and digits look the same in every language.
	s := &scan{l: k.by, text: text, taken: make([]bool, len(text)), generous: true}
	s.dates()
	s.times()
	s.digits()
	for _, l := range languages {
		s.l = l
		s.numberWords()
	}
	for _, v := range s.out {
		for _, l := range languages {
			l.measure(text, &v)
		}
		for _, f := range append(v.forms, v.also...) {
			k.forms[f] = true
			if len(v.quantities) == 0 {
				k.bare[f] = true
			}
		}
		for _, q := range v.quantities {
			k.forms[q] = true
		}
	}
	for _, w := range Words(text) {
		if day, ok := weekday(w.Lower); ok {
			k.forms[day] = true
		}
		k.words[Fold(w.Lower)] = true
		k.keys[k.by.Key(w.Lower)] = true
		if code != k.by.Code {
			k.keys[For(code).Key(w.Lower)] = true
		}
	}
}

// Holds tells whether the texts support the value. A number with a unit needs
// the same quantity, or the number without any unit.
func (k *Known) Holds(v Value) bool {
	if len(v.quantities) > 0 {
		return slices.ContainsFunc(v.quantities, func(q string) bool { return k.forms[q] }) ||
			slices.ContainsFunc(v.forms, func(f string) bool { return k.bare[f] })
	}
	if v.Kind != KindName {
		return slices.ContainsFunc(v.forms, func(f string) bool { return k.forms[f] })
	}
	for _, w := range v.words {
		if !k.words[Fold(w)] && !k.keys[k.by.Key(w)] && !k.forms[form("n", parseDigits(w))] {
			return false
		}
	}
	return true
}

// Word tells whether the texts hold a word in some inflection.
func (k *Known) Word(w Word) bool {
	return k.words[Fold(w.Lower)] || k.by.Holds(k.keys, w)
}

// scan walks a text once for each kind of value; taken bytes belong to a value
// already, or are exempt.
type scan struct {
	l        *Language
	text     string
	taken    []bool
	generous bool // evidence: parts of a value count too
	out      []Value
}

func (s *scan) take(v Value) {
	v.Text = s.text[v.Start:v.End]
	s.out = append(s.out, v)
	s.mark(v.Start, v.End)
}

func (s *scan) mark(start, end int) {
	for i := start; i < end; i++ {
		s.taken[i] = true
	}
}

func (s *scan) free(start, end int) bool { return !slices.Contains(s.taken[start:end], true) }

// exempt marks citation markers and list numerals.
func (s *scan) exempt() {
	for i := 0; i < len(s.text); i++ {
		if n := markerPrefix(s.text[i:]); n > 0 {
			s.mark(i, i+n)
		}
	}
	at := 0
	for line := range strings.Lines(s.text) {
		indent := len(line) - len(strings.TrimLeft(line, " \t*#>"))
		if n := ListMarker(line[indent:]); n > 0 {
			s.mark(at+indent, at+indent+n)
		}
		at += len(line)
	}
}

// names finds capitalised words that do not begin a sentence, and joins
// neighbours to one name.
func (s *scan) names() {
	begins := s.sentenceStarts()
	var run []Word
	flush := func() {
		defer func() { run = nil }()
		if len(run) == 0 {
			return
		}
		if s.l.Code == "de" && len(run) == 1 && !acronym(run[0].Text) {
			return
		}
		v := Value{Kind: KindName, Start: run[0].Start, End: run[len(run)-1].End}
		for _, w := range run {
			v.words = append(v.words, w.Lower)
		}
		s.take(v)
	}
	words := Words(s.text)
	for _, w := range words {
		named := capital(w.Text) && s.free(w.Start, w.End) && !begins[w.Start] && w.Text != "I"
		if named && s.l.Is("stop", w.Lower) && !acronym(w.Text) {
			named = false
		}
		if len(run) > 0 && (!named || strings.Trim(s.text[run[len(run)-1].End:w.Start], " -'’.s") != "") {
			flush()
		}
		if !named {
			continue
		}
		if day, ok := weekday(w.Lower); ok {
			s.take(Value{Kind: KindDate, Start: w.Start, End: w.End, forms: []string{day}})
			continue
		}
		run = append(run, w)
	}
	flush()
}

// sentenceStarts returns the byte offsets at which a capital says nothing.
func (s *scan) sentenceStarts() map[int]bool {
	out := map[int]bool{}
	mark := func(i int) {
		for i < len(s.text) {
			r, n := utf8.DecodeRuneInString(s.text[i:])
			if inWord(r) {
				out[i] = true
				return
			}
			if m := markerPrefix(s.text[i:]); m > 0 {
				n = m
			}
			i += n
		}
	}
	for _, sp := range s.l.Sentences(s.text) {
		at := sp.Start
		at += ListMarker(s.text[at:sp.End])
		mark(at)
	}
	for i, r := range s.text {
		if strings.ContainsRune(":“«„\"|•\n", r) {
			mark(i + utf8.RuneLen(r))
		}
	}
	return out
}

func weekday(lower string) (string, bool) {
	for _, c := range Codes() {
		if d, ok := For(c).day[lower]; ok {
			return form("w", float64(d)), true
		}
	}
	return "", false
}

func capital(w string) bool {
	r, n := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r) && len(w) > n
}

func acronym(w string) bool {
	n := 0
	for _, r := range w {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			n++
		}
	}
	return n >= 2
}
