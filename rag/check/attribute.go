package check

import (
	"slices"
	"strconv"
	"strings"

	"referent/rag/language"
)

// attribute adds the marker of the best passage to each sentence of an answer
// that cites nothing, where that passage holds half of its words and all of its
// values. The model read the numbers and left them out.
func (c *Checker) attribute(text string) string {
	return c.eachSentence(text, func(sentence string) string {
		n := c.holder(sentence)
		if n == 0 {
			return sentence
		}
		body := strings.TrimRight(sentence, ".!?…。")
		return body + " [" + strconv.Itoa(n) + "]" + sentence[len(body):]
	})
}

// clearer is how many more content words another passage must hold before a
// marker is moved to it from one that holds all values too.
const clearer = 2

// redirect moves the one marker of a sentence to the passage that holds the
// sentence, where the model pointed at one that lacks its values, tells of a sibling, or
// clearly holds less of it. Small models read the right passage and write the number of
// its neighbour. Several markers are a judgement, and are left alone.
func (c *Checker) redirect(text string) string {
	return c.eachSentence(text, func(sentence string) string {
		cited := marks(sentence)
		if len(cited) != 1 || len(cited[0].numbers) != 1 {
			return sentence
		}
		n, plain := cited[0].numbers[0], markerRE.ReplaceAllString(sentence, "")
		best := c.holder(plain)
		if best == 0 || best == n {
			return sentence
		}
		named, _, sibling := c.sibling(plain, []int{n})
		right := sibling && c.subject(best).tells(named) // the other one names the thing
		if have := c.holds(n, plain); have > 0 && !right && c.holds(best, plain) < have+clearer {
			return sentence
		}
		return sentence[:cited[0].start] + "[" + strconv.Itoa(best) + "]" + sentence[cited[0].end:]
	})
}

// eachSentence rewrites a text sentence by sentence and keeps what is between.
func (c *Checker) eachSentence(text string, rewrite func(string) string) string {
	var b strings.Builder
	last := 0
	for _, s := range c.l.Sentences(text) {
		b.WriteString(text[last:s.Start])
		last = s.End
		b.WriteString(rewrite(text[s.Start:s.End]))
	}
	b.WriteString(text[last:])
	return b.String()
}

// holder is the passage that supports a sentence best; 0 if none does. One that
// is about a sibling of what the sentence names is taken where no other holds it,
// so that the sentence is flagged with what it rests on.
func (c *Checker) holder(sentence string) int {
	best, at, other := 0, 0, true
	for _, n := range c.numbers {
		got := c.holds(n, sentence)
		if got == 0 {
			continue
		}
		_, _, sibling := c.sibling(sentence, []int{n})
		if at == 0 || other && !sibling || other == sibling && got > best {
			best, at, other = got, n, sibling
		}
	}
	if float64(best) < supportShare*float64(len(c.l.ContentWords(sentence))) {
		return 0
	}
	return at
}

// holds counts the content words of a sentence that a passage holds; 0 where
// the passage and the question lack one of its values.
func (c *Checker) holds(n int, sentence string) int {
	if c.states[n] == nil {
		c.states[n] = language.NewKnown(c.l)
		c.states[n].Add(c.packed[n].Rendered)
		c.states[n].Add(c.in.Question)
	}
	own := c.states[n]
	if slices.ContainsFunc(c.l.Values(sentence), func(v language.Value) bool { return !own.Holds(v) }) {
		return 0
	}
	got := 0
	for _, w := range c.l.ContentWords(sentence) {
		if c.spoken[n].Holds(c.keys[n], w) || c.l.Holds(c.keys[n], w) {
			got++
		}
	}
	return got
}
