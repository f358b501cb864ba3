package chat

import "strings"

// PartKind says what a part of a reply is.
type PartKind int

const (
	// PartText belongs to the reply.
	PartText PartKind = iota
	// PartReasoning is the inside of a think block.
	PartReasoning
	// PartOrphan says that a think block was closed that was never opened: the
	// text before it was reasoning after all. It carries no text itself.
	PartOrphan
)

// Part is a run of text of one kind.
type Part struct {
	Text string
	Kind PartKind
}

// The tags that models in use write. They never nest in practice: inside a
// block an opener is reasoning, outside a closer is an orphan.
var (
	thinkOpeners = []string{"<think>", "<thinking>"}
	thinkClosers = []string{"</think>", "</thinking>"}
)

// Splitter separates think blocks from the reply while it streams. It holds
// back only what could be the beginning of a tag. The zero value starts
// outside a block. White space after a block belongs to neither side.
type Splitter struct {
	inside bool
	skip   bool // white space after a block is being skipped
	held   string
}

// NewSplitter starts inside a think block when the prompt has opened one.
func NewSplitter(inside bool) *Splitter { return &Splitter{inside: inside, skip: inside} }

// Inside says whether the text read so far ends in a think block.
func (s *Splitter) Inside() bool { return s.inside }

// Push takes more text and returns what is settled.
func (s *Splitter) Push(text string) []Part {
	s.held += text
	var out []Part
	for {
		at, tag, opener := s.firstTag()
		if at < 0 {
			keep := partialTag(s.held)
			out = s.emit(out, s.held[:len(s.held)-keep])
			s.held = s.held[len(s.held)-keep:]
			return out
		}
		out = s.emit(out, s.held[:at])
		s.held = s.held[at+len(tag):]
		switch {
		case opener && !s.inside:
			s.inside, s.skip = true, true
		case opener: // an opener inside a block is reasoning
			s.skip = false
			out = s.emit(out, tag)
		case s.inside:
			s.inside, s.skip = false, true
		default:
			out = append(out, Part{Kind: PartOrphan})
		}
	}
}

// Flush returns what was held back, at the end of the reply.
func (s *Splitter) Flush() []Part {
	held := s.held
	s.held = ""
	return s.emit(nil, held)
}

func (s *Splitter) emit(out []Part, text string) []Part {
	if s.skip {
		text = strings.TrimLeft(text, " \t\r\n")
		s.skip = text == ""
	}
	if text == "" {
		return out
	}
	kind := PartText
	if s.inside {
		kind = PartReasoning
	}
	return append(out, Part{Text: text, Kind: kind})
}

func (s *Splitter) firstTag() (at int, tag string, opener bool) {
	at = -1
	look := func(tags []string, isOpener bool) {
		for _, t := range tags {
			if i := strings.Index(s.held, t); i >= 0 && (at < 0 || i < at) {
				at, tag, opener = i, t, isOpener
			}
		}
	}
	look(thinkOpeners, true)
	look(thinkClosers, false)
	return at, tag, opener
}

// partialTag is the length of the longest suffix that could begin a tag.
func partialTag(s string) int {
	longest := 0
	for _, tags := range [][]string{thinkOpeners, thinkClosers} {
		for _, t := range tags {
			longest = max(longest, suffixPrefix(s, t))
		}
	}
	return longest
}

// suffixPrefix is the length of the longest suffix of s that is a proper
// prefix of t.
func suffixPrefix(s, t string) int {
	for n := min(len(s), len(t)-1); n > 0; n-- {
		if s[len(s)-n:] == t[:n] {
			return n
		}
	}
	return 0
}
