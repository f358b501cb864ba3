package engine

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// gbnf is a grammar that was read independently of any model: enough of the form
// of llama.cpp to write texts that follow it and to judge texts.
type gbnf map[string]rule

// rule gives all places in a text where it can end when it begins at one, and
// writes one text that follows it.
type rule struct {
	ends  func(text string, at int) []int
	write func(r *rand.Rand, b *strings.Builder)
}

func (g gbnf) follows(text string) bool {
	for _, end := range g["root"].ends(text, 0) {
		if end == len(text) {
			return true
		}
	}
	return false
}

func (g gbnf) sentence(r *rand.Rand) string {
	var b strings.Builder
	g["root"].write(r, &b)
	return b.String()
}

type gbnfReader struct {
	t *testing.T
	g gbnf
	s string
}

func readGBNF(t *testing.T, source string) gbnf {
	t.Helper()
	g := gbnf{}
	for line := range strings.Lines(source) {
		name, body, ok := strings.Cut(strings.TrimSpace(line), " ::= ")
		if !ok {
			continue
		}
		r := &gbnfReader{t, g, body}
		g[name] = r.choice()
		if r.s != "" {
			t.Fatalf("%s: %q is left of %q", name, r.s, body)
		}
	}
	return g
}

func (r *gbnfReader) choice() rule {
	list := []rule{r.sequence()}
	for strings.HasPrefix(r.s, "|") {
		r.s = r.s[1:]
		list = append(list, r.sequence())
	}
	return rule{func(text string, at int) (out []int) {
		for _, x := range list {
			out = append(out, x.ends(text, at)...)
		}
		return out
	}, func(rnd *rand.Rand, b *strings.Builder) { list[rnd.IntN(len(list))].write(rnd, b) }}
}

func (r *gbnfReader) sequence() rule {
	var list []rule
	for r.s = strings.TrimLeft(r.s, " "); r.s != "" && r.s[0] != '|' && r.s[0] != ')'; r.s = strings.TrimLeft(r.s, " ") {
		list = append(list, r.repeated(r.one()))
	}
	return rule{func(text string, at int) []int {
		places := map[int]bool{at: true}
		for _, x := range list {
			next := map[int]bool{}
			for p := range places {
				for _, end := range x.ends(text, p) {
					next[end] = true
				}
			}
			places = next
		}
		var out []int
		for p := range places {
			out = append(out, p)
		}
		return out
	}, func(rnd *rand.Rand, b *strings.Builder) {
		for _, x := range list {
			x.write(rnd, b)
		}
	}}
}

func (r *gbnfReader) repeated(x rule) rule {
	least, most := 1, 1
	switch {
	case strings.HasPrefix(r.s, "?"):
		least, r.s = 0, r.s[1:]
	case strings.HasPrefix(r.s, "*"):
		least, most, r.s = 0, 8, r.s[1:]
	case strings.HasPrefix(r.s, "{"):
		inner, rest, _ := strings.Cut(r.s[1:], "}")
		from, to, two := strings.Cut(inner, ",")
		least, _ = strconv.Atoi(from)
		if most, r.s = least, rest; two {
			most, _ = strconv.Atoi(to)
		}
	default:
		return x
	}
	return rule{func(text string, at int) []int {
		seen, places := map[int]bool{}, map[int]bool{at: true}
		for n := 0; n <= most && len(places) > 0; n++ {
			next := map[int]bool{}
			for p := range places {
				if n >= least {
					seen[p] = true
				}
				for _, end := range x.ends(text, p) {
					next[end] = true
				}
			}
			places = next
		}
		var out []int
		for p := range seen {
			out = append(out, p)
		}
		return out
	}, func(rnd *rand.Rand, b *strings.Builder) {
		for range least + rnd.IntN(most-least+1) {
			x.write(rnd, b)
		}
	}}
}

func (r *gbnfReader) one() rule {
	switch c := r.s[0]; c {
	case '(':
		r.s = r.s[1:]
		x := r.choice()
		if !strings.HasPrefix(r.s, ")") {
			r.t.Fatalf("no ) before %q", r.s)
		}
		r.s = r.s[1:]
		return x
	case '"':
		r.s = r.s[1:]
		var b strings.Builder
		for r.s[0] != '"' {
			b.WriteRune(r.char())
		}
		r.s = r.s[1:]
		literal := b.String()
		return rule{func(text string, at int) []int {
			if strings.HasPrefix(text[at:], literal) {
				return []int{at + len(literal)}
			}
			return nil
		}, func(_ *rand.Rand, b *strings.Builder) { b.WriteString(literal) }}
	case '[':
		return r.class()
	}
	n := strings.IndexAny(r.s+" ", " )?*{|")
	name := r.s[:n]
	r.s = r.s[n:]
	g := r.g
	if name == "" {
		r.t.Fatalf("no rule begins with %q", r.s)
	}
	return rule{func(text string, at int) []int { return g[name].ends(text, at) },
		func(rnd *rand.Rand, b *strings.Builder) { g[name].write(rnd, b) }}
}

// char takes one character of a literal or a class, escaped or not.
func (r *gbnfReader) char() rune {
	c, n := utf8.DecodeRuneInString(r.s)
	r.s = r.s[n:]
	if c != '\\' {
		return c
	}
	e := r.s[0]
	r.s = r.s[1:]
	digits := map[byte]int{'x': 2, 'u': 4}[e]
	if digits == 0 {
		return map[byte]rune{'n': '\n', 't': '\t', '"': '"', '\\': '\\', ']': ']', '[': '['}[e]
	}
	v, err := strconv.ParseUint(r.s[:digits], 16, 32)
	if err != nil {
		r.t.Fatal(err)
	}
	r.s = r.s[digits:]
	return rune(v)
}

func (r *gbnfReader) class() rule {
	r.s = r.s[1:]
	not := strings.HasPrefix(r.s, "^")
	r.s = strings.TrimPrefix(r.s, "^")
	var ranges [][2]rune
	for r.s[0] != ']' {
		low := r.char()
		high := low
		if r.s[0] == '-' && r.s[1] != ']' {
			r.s = r.s[1:]
			high = r.char()
		}
		ranges = append(ranges, [2]rune{low, high})
	}
	r.s = r.s[1:]
	in := func(c rune) bool {
		for _, x := range ranges {
			if c >= x[0] && c <= x[1] {
				return !not
			}
		}
		return not
	}
	return rule{func(text string, at int) []int {
		c, n := utf8.DecodeRuneInString(text[at:])
		if n == 0 || !in(c) {
			return nil
		}
		return []int{at + n}
	}, func(rnd *rand.Rand, b *strings.Builder) {
		for {
			// Often a sign of ASCII, where everything that means something lies.
			c := rune(rnd.IntN(128))
			switch rnd.IntN(8) {
			case 0:
				c = rune(rnd.IntN(0x3100))
			case 1:
				c = ranges[rnd.IntN(len(ranges))][0]
			}
			if in(c) && utf8.ValidRune(c) {
				b.WriteRune(c)
				return
			}
		}
	}}
}
