package language

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Form is how a designation is built.
type Form int

// The closed list of forms.
const (
	HeadLast  Form = iota // Mill House
	HeadFirst             // Casa del Mulino, World War II
	Numbered              // flat 12, § 7, pump A
	Coded                 // B-204
	Compound              // Mühlenhaus; German only
)

// Designation is how a text tells a thing from its siblings: a head that all of
// the kind share ("House", "flat", "§"), and what is this one's own ("Mill",
// "12"). Two words of a longer name make one too.
type Designation struct {
	Form       Form
	Text       string
	Start, End int      // bytes
	Head, Own  string   // keys; folded numbers
	Name       []string // of HeadLast and HeadFirst: the keys of the whole name
}

// connectors join the parts of a name: "Bank of England", "Casa del Mulino".
var connectors = map[string]bool{"of": true, "the": true, "de": true, "del": true, "della": true, "delle": true, "dello": true, "dell": true, "dei": true, "degli": true,
	"di": true, "da": true, "d": true, "du": true, "des": true, "la": true, "las": true, "le": true, "les": true, "los": true, "l": true,
	"van": true, "von": true}

// connects tells whether a word joins the parts of a name. In German, where every
// noun has a capital, only the one of addresses does: "Haus am Kai".
func (l *Language) connects(lower string) bool {
	if l.Code == "de" {
		return lower == "am"
	}
	return connectors[lower]
}

const oneNumber = `(?:\d{1,5}(?:\.\d{1,3})*[a-zA-Z]?|[A-Z])\b`

var (
	numberedRE = regexp.MustCompile(`(?:(§{1,2})[ \x{a0}]*|(\pL{2,})\.?:?[ \x{a0}]+(?:(?:[Nn]o|[Nn]r|[Nn]um|[Nn])\.?[°º]?[ \x{a0}]+|[Nn][°º] ?|№ ?|#)?)(` +
		oneNumber + `(?:(?:, +| *[;/&–-] *| +(?:to|through|and|or|bis|und|oder|sowie|e|o|a|al|à|au|et|ou|y|hasta) +)` + oneNumber + `)*)`)
	separatorRE = regexp.MustCompile(`, +| *[;/&–-] *| +\pL{1,7} +`)
	rangeRE     = regexp.MustCompile(`^ *(?:–|-|to|through|bis|a|al|à|au|hasta) *$`)
	codeRE      = regexp.MustCompile(`\b([A-Z]{1,5})[-–/]?(\d{1,6})\b`)
)

// longestRange is how many numbers a range is taken to name.
const longestRange = 200

// Designations lists the designations of a text: those of names first. A list
// or a range of numbers ("flats 10 to 14") names each of them.
func (l *Language) Designations(text string) []Designation {
	return slices.Concat(l.named(text), l.numbered(text), coded(text), l.compounded(text))
}

// named reads each pair of neighbours in a name in both ways, and those with a
// connector between as the head first.
func (l *Language) named(text string) []Designation {
	var out []Designation
	for _, name := range l.Names(text) {
		keys := make([]string, len(name))
		for i, w := range name {
			keys[i] = l.Key(w.Lower)
		}
		for i := 0; i+1 < len(name); i++ {
			if l.Is("honorific", name[i].Lower) {
				continue
			}
			d := Designation{Form: HeadFirst, Text: text[name[i].Start:name[i+1].End], Start: name[i].Start, End: name[i+1].End, Head: keys[i], Own: keys[i+1], Name: keys}
			out = append(out, d)
			connected := strings.ContainsFunc(text[name[i].End:name[i+1].Start], unicode.IsLetter) // "Bank of England"
			if !connected && utf8.RuneCountInString(name[i+1].Text) > 1 {
				d.Form, d.Head, d.Own = HeadLast, keys[i+1], keys[i]
				out = append(out, d)
			}
		}
	}
	return out
}

// Names cuts a text into runs of capitalised words, with connectors left out. No
// stop word and no word with a digit is in one.
func (l *Language) Names(text string) [][]Word {
	var out [][]Word
	var run []Word
	flush := func() {
		if len(run) > 0 {
			out = append(out, run)
		}
		run = nil
	}
	last, joined := 0, 0 // where the last word ended; connectors since the run's last
	for _, w := range Words(text) {
		if len(run) > 0 && (w.Start < last || !l.adjoin(text[run[len(run)-1].Start:last], text[last:w.Start])) {
			flush()
		}
		switch {
		case l.proper(w, len(run) > 0):
			run, joined = append(run, w), 0
		case len(run) > 0 && l.connects(w.Lower) && w.Text == w.Lower && joined < 2:
			joined++
		default:
			flush()
		}
		last = w.End
	}
	flush()
	return out
}

// proper tells whether a word may be part of a name. A single capital is one
// inside a name only ("World War I").
func (l *Language) proper(w Word, inside bool) bool {
	first, n := utf8.DecodeRuneInString(w.Text)
	if !unicode.IsUpper(first) || strings.ContainsFunc(w.Text, unicode.IsDigit) {
		return false
	}
	if len(w.Text) == n {
		return inside
	}
	return !l.Is("stop", w.Lower)
}

// adjoin tells whether what stands between two words keeps them in one name; a
// point does after an abbreviation ("St. Mary", "J. Smith").
func (l *Language) adjoin(before, between string) bool {
	switch strings.Trim(between, " \u00a0") {
	case "":
		return true
	case "-", "'", "’":
		return l.Code != "de" // there it makes one noun: "Öl-Produzent"
	case ".":
		return utf8.RuneCountInString(before) == 1 || l.Is("abbreviation", strings.ToLower(before))
	}
	return false
}

// numbered lists what is named by a word, or a paragraph sign, with a number.
func (l *Language) numbered(text string) []Designation {
	var out []Designation
	for _, m := range numberedRE.FindAllStringSubmatchIndex(text, -1) {
		if before, _ := utf8.DecodeLastRuneInString(text[:m[0]]); unicode.IsLetter(before) || !ends(text[m[7]:]) || codeRE.MatchString(text[m[6]:m[7]]) {
			continue
		}
		d := Designation{Form: Numbered, Head: "§", Text: text[m[0]:m[7]], Start: m[0], End: m[7]}
		if m[4] >= 0 {
			label := text[m[4]:m[5]]
			if l.Is("stop", strings.ToLower(label)) {
				continue
			}
			d.Head = l.Key(strings.ToLower(label))
		}
		for _, own := range listed(text[m[6]:m[7]]) {
			d.Own = own
			out = append(out, d)
		}
	}
	return out
}

// ends tells whether a number is whole: no word, decimal or time goes on.
func ends(rest string) bool {
	r, n := utf8.DecodeRuneInString(rest)
	if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("%€’'", r) && n > 0 {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest[n:])
	return !strings.ContainsRune(".:,", r) || !unicode.IsDigit(next)
}

// listed reads "12, 14 and 16 to 18", or "A and B".
func listed(list string) []string {
	var out []string
	last, ranged := 0, false
	take := func(number string) {
		if ranged {
			from, _ := strconv.Atoi(out[len(out)-1])
			to, _ := strconv.Atoi(number)
			for n := from + 1; from > 0 && n < to && n <= from+longestRange; n++ {
				out = append(out, strconv.Itoa(n))
			}
		}
		out = append(out, Fold(number))
	}
	for _, m := range separatorRE.FindAllStringIndex(list, -1) {
		take(list[last:m[0]])
		last, ranged = m[1], rangeRE.MatchString(list[m[0]:m[1]])
	}
	take(list[last:])
	return out
}

// coded lists identifiers of capitals and digits, and those within a range.
func coded(text string) []Designation {
	var out []Designation
	for _, m := range codeRE.FindAllStringSubmatchIndex(text, -1) {
		d := Designation{Form: Coded, Text: text[m[0]:m[1]], Start: m[0], End: m[1], Head: Fold(text[m[2]:m[3]]), Own: text[m[4]:m[5]]}
		if n := len(out); n > 0 && out[n-1].Head == d.Head && rangeRE.MatchString(text[out[n-1].End:d.Start]) {
			within := d
			from, _ := strconv.Atoi(out[n-1].Own)
			to, _ := strconv.Atoi(d.Own)
			for i := from + 1; i < to && i <= from+longestRange; i++ {
				within.Own = fmt.Sprintf("%0*d", len(d.Own), i)
				out = append(out, within)
			}
		}
		out = append(out, d)
	}
	return out
}

// longNoun is the fewest letters of a German noun that may be a compound.
const longNoun = 7

// compounded lists the long nouns of German, which may share a head that is no
// word by itself there ("Mühlenhaus", "Kaihaus").
func (l *Language) compounded(text string) []Designation {
	if l.Code != "de" {
		return nil
	}
	var out []Designation
	for _, w := range Words(text) {
		if l.proper(w, false) && utf8.RuneCountInString(w.Text) >= longNoun {
			out = append(out, Designation{Form: Compound, Text: w.Text, Start: w.Start, End: w.End, Own: l.Key(w.Lower)})
		}
	}
	return out
}

// Same tells whether two designations name one thing.
func (d Designation) Same(other Designation) bool {
	return d.Form == other.Form && d.Head == other.Head && d.Own == other.Own
}

// Sibling tells whether two designations are of one kind and name different
// things. Codes also are where one letter differs before the same digits ("A1",
// "B1").
func (d Designation) Sibling(other Designation) bool {
	switch {
	case d.Form != other.Form || d.Same(other):
		return false
	case d.Form == Compound:
		return sharesHead(d.Own, other.Own)
	case d.Form == HeadLast || d.Form == HeadFirst:
		return d.Head == other.Head && !inflected(d.Own, other.Own)
	case d.Form == Coded && len(d.Head) == 1 && len(other.Head) == 1 && d.Own == other.Own:
		return true
	}
	return d.Head == other.Head && digits(d.Own) == digits(other.Own)
}

// inflected tells whether two keys may be forms of one word ("California",
// "Californian").
func inflected(a, b string) bool {
	return len(a) >= 5 && len(b) >= 5 && a[:5] == b[:5] && near(a, b)
}

func digits(s string) bool { return strings.ContainsAny(s, "0123456789") }

// endings are German endings that make nouns and are none.
var endings = []string{"schaft", "ungen", "ation", "ition", "ierung", "ismus", "keit", "heit", "ität", "ologi", "ographi", "lich", "isch"}

// sharesHead tells whether two keys end in one noun of four letters or more,
// each with three letters or more before it.
func sharesHead(a, b string) bool {
	i, j := len(a), len(b)
	for i > 0 && j > 0 && a[i-1] == b[j-1] {
		i, j = i-1, j-1
	}
	head := a[i:]
	return len(head) >= 4 && i >= 3 && j >= 3 && !slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(head, e) || strings.HasSuffix(e, head) })
}
