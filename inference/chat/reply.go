package chat

import (
	"strings"

	"referent/inference"
)

// Reply turns the bytes of a model's output into pieces: whole characters, think
// blocks apart, stop strings never shown. It belongs to one reply and one
// goroutine.
type Reply struct {
	each      func(inference.Piece) error
	tail      Tail
	splitter  *Splitter
	stops     *Stops
	text      strings.Builder
	reasoning strings.Builder
	orphan    int  // length of the text before a tag that closed nothing
	refused   bool // each returned an error
}

// NewReply returns a Reply that gives each piece to each, which may be nil.
// thinking says that the prompt has opened a think block. An error of each ends
// the call that gave the piece.
func NewReply(stops []string, thinking bool, each func(inference.Piece) error) *Reply {
	return &Reply{each: each, splitter: NewSplitter(thinking), stops: NewStops(stops)}
}

// Inside says whether the reply is in a think block.
func (r *Reply) Inside() bool { return r.splitter.Inside() }

// Add takes more bytes, such as those of one token. stopped means that a stop string ended the
// reply.
func (r *Reply) Add(b []byte) (stopped bool, err error) {
	return r.parts(r.splitter.Push(r.tail.Push(b)))
}

// End shows what was held back, when the reply ended without a stop string;
// stopped means that there was one in it. A character that was never finished is
// dropped.
func (r *Reply) End() (stopped bool, err error) {
	stopped, err = r.parts(r.splitter.Flush())
	if stopped || err != nil {
		return stopped, err
	}
	return false, r.show(r.stops.Flush(), false)
}

// Close keeps what was held back without showing it, after an error. Nothing is
// shown from then on.
func (r *Reply) Close() {
	r.each = nil
	_, _ = r.End() // nothing is shown, so nothing can fail
}

// Think shows text that is known to be reasoning.
func (r *Reply) Think(text string) error { return r.show(text, true) }

// Text is the reply so far, without think blocks.
func (r *Reply) Text() string { return r.text.String() }

// Reasoning is what stood in think blocks.
func (r *Reply) Reasoning() string { return r.reasoning.String() }

// OrphanBytes is the length of the text before a closing tag that closed nothing.
func (r *Reply) OrphanBytes() int { return r.orphan }

// Refused says whether the receiver returned an error.
func (r *Reply) Refused() bool { return r.refused }

func (r *Reply) parts(parts []Part) (stopped bool, err error) {
	for _, p := range parts {
		switch p.Kind {
		case PartOrphan:
			if err = r.show(r.stops.Flush(), false); err == nil {
				r.orphan = r.text.Len()
			}
		case PartReasoning:
			err = r.show(p.Text, true)
		default:
			var out string
			out, stopped = r.stops.Push(p.Text)
			err = r.show(out, false)
		}
		if stopped || err != nil {
			return stopped, err
		}
	}
	return false, nil
}

func (r *Reply) show(text string, reasoning bool) error {
	if text == "" {
		return nil
	}
	if reasoning {
		r.reasoning.WriteString(text)
	} else {
		r.text.WriteString(text)
	}
	if r.each == nil {
		return nil
	}
	if err := r.each(inference.Piece{Text: text, Reasoning: reasoning}); err != nil {
		r.refused = true
		return err
	}
	return nil
}
