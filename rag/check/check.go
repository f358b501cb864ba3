package check

import (
	"slices"
	"strings"
	"unicode/utf8"

	"referent/rag"
	"referent/rag/language"
)

// supportShare is the share of a sentence's content words that must stand in a
// cited passage. On ClapNQ it keeps 99.8 % of true sentences and rejects every
// wrong passage (measured).
const supportShare = 0.5

// historyOnly is the kind of an issue about a planted value.
const historyOnly = "history_only"

// Input is what is judged.
type Input struct {
	Answer   string
	Question string
	Language string        // of the question, ISO 639-1
	Passages []rag.Hit     // of this turn; only packed ones count
	Labels   string        // what else the model saw of the passages: titles and places
	History  []rag.Message // earlier messages, to tell planted values
	// Similar returns the cosine of a sentence and a passage in another
	// language, and the model's floor; nil, or a floor of 0: not judged.
	Similar func(sentence, passage string) (cosine, floor float64)
}

// Result is the answer as it may be shown, with the verdict.
type Result struct {
	Answer    string
	Check     rag.AnswerCheck
	Citations []rag.Citation
	Sources   []rag.Source
	Withheld  int // sentences
}

// Checker judges the sentences of one turn. It is not for concurrent use.
type Checker struct {
	in      Input
	l       *language.Language
	known   *language.Known // question and evidence
	past    *language.Known // history; built when a value is first missing
	packed  map[int]rag.Hit
	numbers []int
	spoken  map[int]*language.Language
	keys    map[int]map[string]bool
	// What the passages name, and what each states with the question, is read when
	// it is first asked for.
	subjects map[int]*subject
	states   map[int]*language.Known
	read     struct { // what names last read
		sentence   string
		all, known []language.Designation
	}
}

// New prepares the check of a turn's answer; Input.Answer is not needed yet.
func New(in Input) *Checker {
	c := &Checker{in: in, l: language.For(in.Language), packed: map[int]rag.Hit{}, spoken: map[int]*language.Language{}, keys: map[int]map[string]bool{},
		subjects: map[int]*subject{}, states: map[int]*language.Known{}}
	c.known = language.NewKnown(c.l)
	c.known.Add(in.Question)
	c.known.Add(in.Labels)
	for _, h := range in.Passages {
		if h.Packing != rag.Packed {
			continue
		}
		c.packed[h.N] = h
		c.numbers = append(c.numbers, h.N)
		c.known.Add(h.Rendered)
		c.spoken[h.N] = spoken(h, c.l)
		c.keys[h.N] = c.spoken[h.N].Keys(h.Rendered)
	}
	slices.Sort(c.numbers)
	return c
}

// remembered is what the history states.
func (c *Checker) remembered() *language.Known {
	if c.past == nil {
		c.past = language.NewKnown(c.l)
		for _, m := range c.in.History {
			c.past.Add(m.Text)
		}
	}
	return c.past
}

func spoken(h rag.Hit, fallback *language.Language) *language.Language {
	if h.Language != "" {
		return language.For(h.Language)
	}
	if code, sure := language.Detect(h.Rendered); sure {
		return language.For(code)
	}
	return fallback
}

// Answer judges a whole answer.
func Answer(in Input) Result { return New(in).Answer(in.Answer) }

// Planted tells whether a text states a value that only the history knows.
func (c *Checker) Planted(text string) bool {
	return slices.ContainsFunc(c.l.Values(text), func(v language.Value) bool { return !c.known.Holds(v) && c.remembered().Holds(v) })
}

// Invents tells whether a text states a value that neither the question nor the
// evidence knows.
func (c *Checker) Invents(text string) bool {
	return slices.ContainsFunc(c.l.Values(text), func(v language.Value) bool { return !c.known.Holds(v) })
}

// Withhold removes the sentences that state planted values and says how many.
func (c *Checker) Withhold(text string) (string, int) {
	if len(c.in.History) == 0 {
		return text, 0
	}
	var b strings.Builder
	withheld, last := 0, 0
	for _, s := range c.l.Sentences(text) {
		if c.Planted(text[s.Start:s.End]) || c.plantedStart(text[s.Start:s.End]) {
			withheld++
			b.WriteString(strings.TrimRight(text[last:s.Start], " "))
		} else {
			b.WriteString(text[last:s.End])
		}
		last = s.End
	}
	b.WriteString(text[last:])
	return strings.TrimSpace(b.String()), withheld
}

// plantedStart looks at a name that begins a sentence. It says nothing about
// support, but a capitalised beginning that only the history knows, and that is
// no word of the language's lists, is a planted name.
func (c *Checker) plantedStart(sentence string) bool {
	words := c.l.ContentWords(sentence)
	if c.l.Code == "de" {
		return c.plantedNouns(words)
	}
	if len(words) == 0 || words[0].Text == words[0].Lower || c.known.Word(words[0]) || !c.remembered().Word(words[0]) {
		return false
	}
	for _, m := range c.in.History { // in the history it is a name only inside a sentence
		for _, v := range c.l.Values(m.Text) {
			if v.Kind == language.KindName && strings.Contains(strings.ToLower(v.Text), words[0].Lower) {
				return true
			}
		}
	}
	return false
}

// plantedNouns looks at German, where a capital makes no name: two nouns that
// only the history knows ("Henriette von Quitzow") are taken for one.
func (c *Checker) plantedNouns(words []language.Word) bool {
	n := 0
	for _, w := range words {
		if w.Text != w.Lower && !c.known.Word(w) && c.remembered().Word(w) {
			n++
		}
	}
	return n >= 2
}

// Answer judges a whole answer and completes it: markers that name no passage
// are removed, planted sentences withheld, an answer without any citation gets
// the markers of the passages that hold its sentences, and a marker that points
// beside the passage that holds its sentence is moved there.
func (c *Checker) Answer(text string) Result {
	text = strings.TrimSpace(text)
	text, withheld := c.Withhold(text)
	text, issues := existing(text, func(n int) bool { _, ok := c.packed[n]; return ok })
	was := text
	if len(marks(text)) == 0 {
		text = c.attribute(text)
	} else {
		text = c.redirect(text)
	}
	c.move(issues, was, text)
	r := Result{Answer: text, Withheld: withheld, Citations: []rag.Citation{}, Sources: []rag.Source{}}
	if withheld > 0 {
		issues = append(issues, rag.Issue{Kind: historyOnly, Text: "A sentence was withheld: it stated something that only the earlier conversation says."})
	}
	r.Check.Issues = append(issues, c.values(text, &r.Check.Values)...)
	r.Check.Issues = append(r.Check.Issues, c.support(text, &r)...)
	r.Check.Citations = len(r.Citations)
	c.sources(&r)
	switch {
	case withheld > 0:
		r.Check.Status = rag.CheckWithheld
	case len(r.Check.Issues) > 0:
		r.Check.Status = rag.CheckFlagged
	default:
		r.Check.Status = rag.CheckSupported
	}
	if r.Check.Issues == nil {
		r.Check.Issues = []rag.Issue{}
	}
	return r
}

// move brings places in an answer in step with markers that were added: each
// keeps its distance from the beginning of its sentence.
func (c *Checker) move(issues []rag.Issue, was, now string) {
	before, after := c.starts(was), c.starts(now)
	if len(before) != len(after) {
		return
	}
	for i := range issues {
		if k := sentenceAt(before, issues[i].Start); k >= 0 {
			issues[i].Start += after[k] - before[k]
			issues[i].End += after[k] - before[k]
		}
	}
}

// starts lists where the sentences of a text begin, in code points.
func (c *Checker) starts(text string) []int {
	var out []int
	for _, s := range c.l.Sentences(text) {
		out = append(out, utf8.RuneCountInString(text[:s.Start]))
	}
	return out
}

// sentenceAt is the sentence that a place belongs to: the last that begins at or
// before it; −1 where none does.
func sentenceAt(starts []int, at int) int {
	k := -1
	for i, start := range starts {
		if start <= at {
			k = i
		}
	}
	return k
}

// values flags what neither the evidence nor the question states.
func (c *Checker) values(text string, held *int) []rag.Issue {
	var issues []rag.Issue
	for _, v := range c.l.Values(text) {
		if c.known.Holds(v) {
			*held++
			continue
		}
		issues = append(issues, issue(string(v.Kind), text, v.Start, v.End))
	}
	return issues
}

// issue points at bytes of the answer in code points.
func issue(kind, text string, start, end int) rag.Issue {
	return rag.Issue{Kind: kind, Text: text[start:end], Start: utf8.RuneCountInString(text[:start]), End: utf8.RuneCountInString(text[:end])}
}

// support looks at every sentence: each citation becomes a span of its passage,
// and a sentence that its passages do not hold is flagged.
func (c *Checker) support(text string, r *Result) []rag.Issue {
	var issues []rag.Issue
	for _, s := range c.l.Sentences(text) {
		sentence := text[s.Start:s.End]
		plain := markerRE.ReplaceAllString(sentence, "")
		words := c.l.ContentWords(plain)
		cited := marks(sentence)
		var numbers []int
		for _, m := range cited {
			for _, n := range m.numbers {
				numbers = append(numbers, n)
				h := c.packed[n]
				start, end := span(c.spoken[n], h.Text, plain)
				r.Citations = append(r.Citations, rag.Citation{N: n, Chunk: h.Chunk, Start: start, End: end,
					AnswerStart: utf8.RuneCountInString(text[:s.Start+m.start]), AnswerEnd: utf8.RuneCountInString(text[:s.Start+m.end])})
			}
		}
		if len(words) < 2 && len(numbers) > 0 || len(words) == 0 {
			continue // "Yes [1]."
		}
		if len(numbers) == 0 {
			numbers = c.numbers // nothing cited: any passage may hold it
		}
		if !c.held(plain, words, numbers) {
			issues = append(issues, issue("support", text, s.Start, s.End))
		} else if named, found, ok := c.sibling(plain, numbers); ok {
			i := issue(otherThing, text, s.Start, s.End)
			i.Text, i.Found = named.Text, found.Text
			issues = append(issues, i)
		}
	}
	return issues
}

// held tells whether the passages together hold half of the words, or, where
// their language differs, one of them is near in meaning.
func (c *Checker) held(plain string, words []language.Word, numbers []int) bool {
	foreign := 0
	found := map[int]bool{}
	for _, n := range numbers {
		l, keys := c.spoken[n], c.keys[n]
		if l == nil {
			continue
		}
		if l.Code != c.l.Code {
			foreign++
		}
		for i, w := range words {
			if l.Holds(keys, w) || c.l.Holds(keys, w) {
				found[i] = true
			}
		}
	}
	if float64(len(found)) >= supportShare*float64(len(words)) {
		return true
	}
	if foreign == 0 || c.in.Similar == nil {
		return foreign == len(numbers) // another language and no way to judge: not flagged
	}
	for _, n := range numbers {
		cosine, floor := c.in.Similar(plain, c.packed[n].Rendered)
		if floor <= 0 || cosine >= floor {
			return true
		}
	}
	return false
}

// sources lists each cited passage once, by number.
func (c *Checker) sources(r *Result) {
	cited := map[int]bool{}
	for _, ci := range r.Citations {
		cited[ci.N] = true
	}
	for _, n := range c.numbers {
		if !cited[n] {
			continue
		}
		h := c.packed[n]
		r.Sources = append(r.Sources, rag.Source{N: n, Chunk: h.Chunk, Document: h.Document, Path: h.Path, Title: h.Title, Heading: h.Heading, Locator: h.Locator})
	}
}
