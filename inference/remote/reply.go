package remote

import (
	"strings"

	"referent/inference"
	"referent/inference/chat"
)

// reply turns the text of events into pieces: think blocks apart, stop strings
// never shown.
type reply struct {
	each      func(inference.Piece) error
	splitter  *chat.Splitter
	stops     *chat.Stops
	text      strings.Builder
	reasoning strings.Builder
	orphan    int // length of the text before a tag that closed nothing
}

func newReply(stops []string, each func(inference.Piece) error) *reply {
	return &reply{each: each, splitter: chat.NewSplitter(false), stops: chat.NewStops(stops)}
}

// add takes more text. stopped means that a stop string ended the reply.
func (r *reply) add(text string) (stopped bool, err error) {
	return r.parts(r.splitter.Push(strings.ToValidUTF8(text, "\uFFFD")))
}

// end shows what was held back.
func (r *reply) end() (stopped bool, err error) {
	if stopped, err = r.parts(r.splitter.Flush()); stopped || err != nil {
		return stopped, err
	}
	return false, r.show(r.stops.Flush(), false)
}

// close drops the receiver and what was held back: nothing is delivered any more.
func (r *reply) close() { r.each = nil }

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
	return r.each(inference.Piece{Text: text, Reasoning: reasoning})
}
