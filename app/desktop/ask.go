package desktop

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"referent/app"
	"referent/rag"
)

// Question is a question as the page asks it. ID is the page's name for the
// running turn, for Stop and for its events.
type Question struct {
	ID           string     `json:"id"`
	Conversation *int64     `json:"conversation"`
	Question     string     `json:"question"`
	Engine       string     `json:"engine"`
	Mode         string     `json:"mode"`
	Retriever    string     `json:"retriever"`
	Scope        *rag.Scope `json:"scope"`
	EditedQuery  string     `json:"edited_query"`
	OwnWords     bool       `json:"own_words"`
	Again        *int64     `json:"again"` // a stored turn that is asked once more
	SameEvidence bool       `json:"same_evidence"`
}

// TurnEvents is the event "turn": what happened in one turn since the last one.
type TurnEvents struct {
	ID     string            `json:"id"`
	Events []json.RawMessage `json:"events"`
}

// frame is how long events are collected before they go to the page.
const frame = 24 * time.Millisecond

// Ask runs a turn and returns when it has ended; its events arrive as "turn".
// A failed turn is told by its last event and not by an error, so that the page
// has one place to look.
func (w *Window) Ask(q Question) error {
	return guardDo(w, func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		w.mu.Lock()
		w.turns[q.ID] = cancel
		w.mu.Unlock()
		defer func() {
			w.mu.Lock()
			delete(w.turns, q.ID)
			w.mu.Unlock()
		}()
		req := app.AskRequest{Conversation: q.Conversation, Question: q.Question, Engine: q.Engine, Mode: q.Mode, Retriever: q.Retriever,
			EditedQuery: q.EditedQuery, OwnWords: q.OwnWords, Again: q.Again, SameEvidence: q.SameEvidence}
		if q.Scope != nil {
			req.Scope = *q.Scope
		}
		batch := newBatch(func(events []json.RawMessage) { w.platform.Emit("turn", TurnEvents{ID: q.ID, Events: events}) })
		defer batch.close()
		ended := false
		err := w.use.Ask(ctx, req, func(e rag.Event) {
			switch e.(type) {
			case rag.Done, rag.Failed:
				ended = true
			}
			batch.add(w.sayEvent(e))
		})
		if err != nil && !ended {
			batch.add(w.sayEvent(rag.Failed{Err: asRagError(err)}))
		}
		return nil
	})
}

// Stop ends a running turn within one token; an unknown id does nothing.
func (w *Window) Stop(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cancel, ok := w.turns[id]; ok {
		cancel()
	}
}

func asRagError(err error) *rag.Error {
	p := FormatError(err).(PageError)
	return &rag.Error{Code: rag.Code(p.Code), Message: p.Message, Hint: p.Hint, Cause: err}
}

// batch collects events and sends them at most once a frame. Everything but
// tokens goes out at once, with what waits before it: order is kept.
type batch struct {
	mu     sync.Mutex
	send   func([]json.RawMessage)
	events []json.RawMessage
	timer  *time.Timer
}

func newBatch(send func([]json.RawMessage)) *batch { return &batch{send: send} }

func (b *batch) add(e rag.Event) {
	line, err := rag.MarshalEvent(e)
	if err != nil {
		return // the closed set of events always marshals
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events = append(b.events, line)
	switch e.(type) {
	case rag.Token, rag.Reasoning, rag.Stats:
		if b.timer == nil {
			b.timer = time.AfterFunc(frame, b.flush)
		}
	default:
		b.flushLocked()
	}
}

func (b *batch) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flushLocked()
}

func (b *batch) flushLocked() {
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
	if len(b.events) > 0 {
		b.send(b.events)
		b.events = nil
	}
}

func (b *batch) close() { b.flush() }
