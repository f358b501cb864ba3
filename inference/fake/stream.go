package fake

import (
	"strings"
	"unicode/utf8"

	"referent/inference"
)

const (
	openThink  = "<think>"
	closeThink = "</think>"
)

// stream turns raw tokens into pieces: it holds back split characters, partial
// think tags and the beginning of a possible stop string.
type stream struct {
	stop     []string
	each     func(inference.Piece) error
	thinking bool
	trim     bool // line breaks behind a think block belong to it
	held     string

	text, reasoning strings.Builder
}

// write takes one raw token. It returns errStop at a stop string.
func (s *stream) write(token string) error {
	s.held += token
	return s.drain(false)
}

// flush ends the reply: what was held back is text after all. A character that
// was never completed is dropped.
func (s *stream) flush() error {
	s.held = strings.ToValidUTF8(s.held, "")
	return s.drain(true)
}

func (s *stream) drain(last bool) error {
	for s.held != "" {
		marks := s.marks()
		at, mark := first(s.held, marks)
		if at < 0 {
			keep := 0
			if !last {
				keep = max(splitTail(s.held), partial(s.held, marks))
			}
			rest := s.held[len(s.held)-keep:]
			out := s.held[:len(s.held)-keep]
			s.held = rest
			return s.emit(out)
		}
		out := s.held[:at]
		s.held = s.held[at+len(mark):]
		if err := s.emit(out); err != nil {
			return err
		}
		switch mark {
		case openThink:
			s.thinking = true
		case closeThink:
			s.thinking, s.trim = false, true
		default:
			s.held = ""
			return errStop
		}
	}
	return nil
}

// marks are the strings that mean something here: stop strings do not count
// inside a think block.
func (s *stream) marks() []string {
	if s.thinking {
		return []string{closeThink}
	}
	return append([]string{openThink, closeThink}, s.stop...)
}

func (s *stream) emit(text string) error {
	if s.trim && !s.thinking {
		text = strings.TrimLeft(text, "\n")
		s.trim = text == ""
	}
	if text == "" {
		return nil
	}
	if s.thinking {
		s.reasoning.WriteString(text)
	} else {
		s.text.WriteString(text)
	}
	if s.each == nil {
		return nil
	}
	return s.each(inference.Piece{Text: text, Reasoning: s.thinking})
}

// first finds the earliest of the marks.
func first(text string, marks []string) (at int, mark string) {
	at = -1
	for _, m := range marks {
		if i := strings.Index(text, m); m != "" && i >= 0 && (at < 0 || i < at) {
			at, mark = i, m
		}
	}
	return at, mark
}

// partial is the length of the longest end of text that begins a mark.
func partial(text string, marks []string) int {
	longest := 0
	for _, m := range marks {
		for n := min(len(m)-1, len(text)); n > longest; n-- {
			if strings.HasSuffix(text, m[:n]) {
				longest = n
			}
		}
	}
	return longest
}

// splitTail is the number of bytes of an unfinished character at the end.
func splitTail(text string) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		tail := text[len(text)-n:]
		if utf8.RuneStart(tail[0]) {
			if utf8.FullRuneInString(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
