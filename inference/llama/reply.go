package llama

import (
	"strings"

	"referent/inference"
	"referent/inference/chat"
)

// reply turns the bytes of tokens into pieces: whole characters, think blocks
// apart, stop strings never shown.
type reply struct {
	each      func(inference.Piece) error
	tail      chat.Tail
	splitter  *chat.Splitter
	stops     *chat.Stops
	text      strings.Builder
	reasoning strings.Builder
	orphan    int  // length of the text before a tag that closed nothing
	refused   bool // each returned an error
}

func newReply(stops []string, thinking bool, each func(inference.Piece) error) *reply {
	return &reply{each: each, splitter: chat.NewSplitter(thinking), stops: chat.NewStops(stops)}
}

// inside says whether the reply is in a think block.
func (r *reply) inside() bool { return r.splitter.Inside() }

// add takes the bytes of one token. stopped means that a stop string ended the
// reply.
func (r *reply) add(b []byte) (stopped bool, err error) {
	return r.parts(r.splitter.Push(r.tail.Push(b)))
}

// end shows what was held back, when the reply ended without a stop string. A
// character that was never finished is dropped.
func (r *reply) end() error {
	stopped, err := r.parts(r.splitter.Flush())
	if stopped || err != nil {
		return err
	}
	return r.show(r.stops.Flush(), false)
}

// close keeps what was held back without showing it, after an error.
func (r *reply) close() {
	each := r.each
	r.each = nil
	_ = r.end() // nothing is shown, so nothing can fail
	r.each = each
}

func (r *reply) parts(parts []chat.Part) (stopped bool, err error) {
	for _, p := range parts {
		switch p.Kind {
		case chat.PartOrphan:
			if err = r.show(r.stops.Flush(), false); err == nil {
				r.orphan = r.text.Len()
			}
		case chat.PartReasoning:
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

func (r *reply) show(text string, reasoning bool) error {
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
