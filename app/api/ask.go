package api

import (
	"context"
	"encoding/json"
	"net/http"

	"referent/app/api/public"
	"referent/app/api/wire"
	"referent/rag"
)

// answer is the whole turn at once: the events of the stream as one object.
type answer struct {
	Prepared  rag.Prepared
	Retrieval rag.Retrieval
	Steps     []rag.Step
	Done      rag.Done
	Notes     []string
}

// MarshalJSON writes the parts in the form of the events.
func (a answer) MarshalJSON() ([]byte, error) {
	var out struct {
		Prepared  json.RawMessage   `json:"prepared"`
		Retrieval json.RawMessage   `json:"retrieval"`
		Steps     []json.RawMessage `json:"steps"`
		Done      json.RawMessage   `json:"done"`
		Notes     []string          `json:"notes"`
	}
	out.Notes, out.Steps = append([]string{}, a.Notes...), []json.RawMessage{}
	parts := []rag.Event{a.Prepared, a.Retrieval, a.Done}
	for _, s := range a.Steps {
		parts = append(parts, s)
	}
	for i, e := range parts {
		raw, err := rag.MarshalEvent(e)
		if err != nil {
			return nil, err
		}
		switch i {
		case 0:
			out.Prepared = raw
		case 1:
			out.Retrieval = raw
		case 2:
			out.Done = raw
		default:
			out.Steps = append(out.Steps, raw)
		}
	}
	return json.Marshal(out)
}

func (s *Server) ask(ctx context.Context, visit *public.Visit, a public.Ask) (answer, error) {
	out := answer{Notes: a.Notes()}
	err := s.view.Ask(ctx, visit, a, func(e rag.Event) error {
		switch e := e.(type) {
		case rag.Prepared:
			out.Prepared = e
		case rag.Retrieval:
			out.Retrieval = e
		case rag.Step:
			out.Steps = append(out.Steps, e)
		case rag.Done:
			out.Done = e
		}
		return nil
	})
	return out, err
}

// note is an event of this front: a sentence about the request.
type note struct {
	Text string `json:"text"`
}

func (note) EventName() string { return "note" }

// askStream answers as events. What fails before the first event has a status;
// after that it is the event "error".
func (s *Server) askStream(w http.ResponseWriter, r *http.Request) {
	visit := public.NewVisit(client(r), "api", r.Method+" "+r.Pattern)
	var a public.Ask
	if f := wire.Read(wire.Described, wire.Described.Operation(r.Method, r.Pattern), w, r, &a); f != nil {
		s.finish(w, r, visit, nil, f)
		return
	}
	stream := wire.Stream{W: w}
	defer stream.Close()
	send := func(e rag.Event) error {
		raw, err := rag.MarshalEvent(e)
		if err != nil {
			return err
		}
		return stream.Send(e.EventName(), raw)
	}
	err := s.view.Ask(r.Context(), visit, a, func(e rag.Event) error {
		if p, ok := e.(rag.Prepared); ok && p.Status == rag.StatusFailedStopped {
			return nil // nothing else comes but the failure, which then has a status
		}
		if !stream.Open() {
			for _, text := range a.Notes() {
				if err := send(note{text}); err != nil {
					return err
				}
			}
		}
		return send(e)
	})
	if err == nil {
		s.view.Note(r.Context(), visit, nil)
		return
	}
	if !stream.Open() {
		s.finish(w, r, visit, nil, err)
		return
	}
	f := wire.FailureOf(err)
	_ = send(f.Event()) // a caller that is gone needs no answer
	s.view.Note(r.Context(), visit, f)
}
