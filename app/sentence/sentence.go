package sentence

import (
	"cmp"
	_ "embed" // the catalogue
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed italian.json
var italian []byte

// catalogue is what a language has. Joined are texts that the program puts
// together from several templates, and words that it puts into one.
type catalogue struct {
	Sentences map[string]string `json:"sentences"`
	Joined    map[string]string `json:"joined"`
}

// Speaker says sentences in one language. Nil says them in English. It is safe
// for concurrent use.
type Speaker struct {
	whole    map[string]string // templates without values
	patterns []pattern         // the others, that with the most letters first
}

// pattern is a template with values.
type pattern struct {
	form  *regexp.Regexp
	holds string // its longest literal: what does not hold it does not match
	verbs []byte // of the values, in order
	to    string
}

var speakItalian = sync.OnceValue(func() *Speaker {
	var c catalogue
	if err := json.Unmarshal(italian, &c); err != nil {
		panic(err) // a fault of the build, which a test finds
	}
	return newSpeaker(c)
})

// For returns the speaker of a language tag such as "it". A language without a
// catalogue is spoken as English.
func For(language string) *Speaker {
	if language == "it" {
		return speakItalian()
	}
	return nil
}

// value is what fmt fills in, %% a sign of the text. In joined texts %v stands
// for one word.
var value = regexp.MustCompile(`%(?:\[(\d)\])?[+#-]?[0-9]*(?:\.[0-9]+)?([sdqvgf])|%%`)

func newSpeaker(c catalogue) *Speaker {
	s := &Speaker{whole: map[string]string{}}
	for _, part := range []map[string]string{c.Sentences, c.Joined} {
		for from, to := range part {
			if p, ok := compile(from, to); ok {
				s.patterns = append(s.patterns, p)
			} else {
				s.whole[strings.ReplaceAll(from, "%%", "%")] = strings.ReplaceAll(to, "%%", "%")
			}
		}
	}
	slices.SortFunc(s.patterns, func(a, b pattern) int {
		return cmp.Or(cmp.Compare(len(b.form.String()), len(a.form.String())), cmp.Compare(a.form.String(), b.form.String()))
	})
	return s
}

// compile makes a pattern of a template, unless it has no values.
func compile(from, to string) (p pattern, ok bool) {
	form, at := "", 0
	literal := func(text string) {
		form += regexp.QuoteMeta(text)
		if len(text) > len(p.holds) {
			p.holds = text
		}
	}
	for _, m := range value.FindAllStringSubmatchIndex(from, -1) {
		literal(from[at:m[0]])
		at = m[1]
		if m[4] < 0 {
			literal("%")
			continue
		}
		verb := from[m[4]]
		p.verbs = append(p.verbs, verb)
		switch verb {
		case 'd':
			form += `(-?[0-9,]+)`
		case 'f', 'g':
			form += `([-+]?[0-9.]+)`
		case 'v':
			form += `(\S+)`
		case 'q':
			form += `("(?:[^"\\]|\\.)*")`
		default:
			form += `(.+?)`
		}
	}
	literal(from[at:])
	if p.verbs == nil {
		return p, false
	}
	p.form, p.to = regexp.MustCompile("(?s)^"+form+"$"), to
	return p, true
}

// Say returns a text in the language. Of several sentences, those that are not
// known stay.
func (s *Speaker) Say(text string) string {
	if s == nil || text == "" {
		return text
	}
	ends := boundaries(text)
	piece := func(end int) string { return strings.TrimRight(text[:end], " \n;") }
	// A template may hold several sentences, some of which are templates too: the
	// longest that fits as it stands. What is filled in holds none, if it can be.
	for _, end := range slices.Backward(append(ends, len(text))) {
		if said, ok := s.whole[piece(end)]; ok {
			return said + text[len(piece(end)):end] + s.Say(text[end:])
		}
	}
	for _, end := range ends {
		if said, ok := s.one(piece(end)); ok {
			return said + text[len(piece(end)):end] + s.Say(text[end:])
		}
	}
	if said, ok := s.one(text); ok {
		return said
	}
	if len(ends) > 0 { // its first sentence is not known
		return text[:ends[0]] + s.Say(text[ends[0]:])
	}
	return text
}

// boundaries are the places in a text after the end of a sentence or of a part of
// a list, but not its end.
func boundaries(text string) (out []int) {
	for i := 1; i < len(text)-1; i++ {
		if text[i] == ' ' && strings.IndexByte(".?;", text[i-1]) >= 0 || text[i] == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// one says a text that one template has made.
func (s *Speaker) one(text string) (string, bool) {
	if said, ok := s.whole[text]; ok {
		return said, true
	}
	for _, p := range s.patterns {
		if !strings.Contains(text, p.holds) {
			continue
		}
		if values := p.form.FindStringSubmatch(text); values != nil {
			return p.fill(s, values[1:]), true
		}
	}
	return "", false
}

// fill writes the values into the template of the language. A value that can be
// a part of a sentence is said too; a name in quotation marks is not.
func (p pattern) fill(s *Speaker, values []string) string {
	var out strings.Builder
	at, next := 0, 0
	for _, m := range value.FindAllStringSubmatchIndex(p.to, -1) {
		out.WriteString(p.to[at:m[0]])
		at = m[1]
		if m[4] < 0 {
			out.WriteByte('%')
			continue
		}
		n := next
		if m[2] >= 0 {
			n = int(p.to[m[2]] - '1')
		}
		next++
		switch text := values[n]; {
		case p.verbs[n] == 'd' || p.verbs[n] == 'f' || p.verbs[n] == 'g':
			out.WriteString(number.Replace(text))
		case p.verbs[n] == 's' && !isName(text) && !strings.HasSuffix(p.to[:m[0]], "«"):
			out.WriteString(s.Say(text))
		default:
			out.WriteString(text)
		}
	}
	return out.String() + p.to[at:]
}

// isName tells that a value is no part of a sentence: a path or an address is
// never looked up.
func isName(value string) bool { return strings.ContainsAny(value, `/\`) }

// number writes digits as Italian does, the only language that there is yet.
var number = strings.NewReplacer(",", ".", ".", ",")
