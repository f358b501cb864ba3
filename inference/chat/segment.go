package chat

import "strings"

// Segment is a run of prompt text. Special marks structure: it is tokenised
// with control tokens recognised. Everything else is data, in which control
// tokens are plain characters.
type Segment struct {
	Text    string
	Special bool
}

// Prompt is a rendered conversation, ready to be tokenised segment by segment.
type Prompt struct {
	Segments []Segment
	// Cut is the number of leading segments that make the constant part
	// (Options.StableBytes); 0 when there is none.
	Cut int
	// Turns are the numbers of segments before the texts of the messages after
	// the first: up to there a longer conversation may be the same.
	Turns []int
	// Thinking says that the prompt ends inside a think block, so the reply
	// begins with reasoning.
	Thinking bool
}

// Text joins the segments. It is for logs and tests; a model must be given the
// segments, or data could turn into structure.
func (p Prompt) Text() string {
	var b strings.Builder
	for _, s := range p.Segments {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Continuation is the prompt for a plain text to be continued, without any
// template. All of it is data. stable is the length in bytes of its constant
// beginning, prefill the beginning of the reply.
func Continuation(text string, stable int, prefill string) Prompt {
	var p Prompt
	stable = boundary(text, stable)
	p.add(text[:stable], false)
	p.Cut = len(p.Segments)
	p.add(text[stable:], false)
	p.add(prefill, false)
	return p
}

// add appends a segment and leaves empty ones out. Two neighbours of the same
// kind are joined, unless the constant part ends between them.
func (p *Prompt) add(text string, special bool) {
	if text == "" {
		return
	}
	last := len(p.Segments) - 1
	if last >= 0 && p.Segments[last].Special == special && p.Cut != len(p.Segments) {
		p.Segments[last].Text += text
		return
	}
	p.Segments = append(p.Segments, Segment{Text: text, Special: special})
}

// boundary moves n back to the start of a character inside text.
func boundary(text string, n int) int {
	n = max(0, min(n, len(text)))
	for n > 0 && n < len(text) && text[n]&0xC0 == 0x80 {
		n--
	}
	return n
}
