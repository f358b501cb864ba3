package chat

import "strings"

// Stops ends a reply at the first of some strings. It holds back the longest
// suffix that could begin one of them, so no part of a stop string is shown.
type Stops struct {
	stops []string
	held  string
	hit   bool
}

// NewStops ignores empty strings.
func NewStops(stops []string) *Stops {
	s := &Stops{}
	for _, t := range stops {
		if t != "" {
			s.stops = append(s.stops, t)
		}
	}
	return s
}

// Push takes more text and returns what may be shown. hit means that a stop
// string was found; everything after it is gone.
func (s *Stops) Push(text string) (out string, hit bool) {
	if s.hit {
		return "", true
	}
	if len(s.stops) == 0 {
		return text, false
	}
	s.held += text
	first := -1
	for _, t := range s.stops {
		if i := strings.Index(s.held, t); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if first >= 0 {
		out, s.held, s.hit = s.held[:first], "", true
		return out, true
	}
	keep := 0
	for _, t := range s.stops {
		keep = max(keep, suffixPrefix(s.held, t))
	}
	out = s.held[:len(s.held)-keep]
	s.held = s.held[len(s.held)-keep:]
	return out, false
}

// Flush returns what was held back, when the reply ended by itself or turned
// out to be something else.
func (s *Stops) Flush() string {
	held := s.held
	s.held = ""
	return held
}
