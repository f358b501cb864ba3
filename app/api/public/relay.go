package public

import (
	"sync"

	"referent/rag"
)

// relay takes events from the goroutine of a turn without ever making it wait
// and hands them to the caller's goroutine: a slow reader holds up neither the
// model nor the connection to the owner. An answer bounds what it holds.
type relay struct {
	mu     sync.Mutex
	events []rag.Event
	ended  bool
	err    error         // of the turn; read it after each has returned
	wake   chan struct{} // holds one token
}

func newRelay() *relay { return &relay{wake: make(chan struct{}, 1)} }

func (r *relay) add(e rag.Event) {
	r.mu.Lock()
	r.events = append(r.events, e)
	r.mu.Unlock()
	r.ring()
}

func (r *relay) end(err error) {
	r.mu.Lock()
	r.ended, r.err = true, err
	r.mu.Unlock()
	r.ring()
}

func (r *relay) ring() {
	select {
	case r.wake <- struct{}{}:
	default: // it is awake already
	}
}

// each hands over the events until the turn has ended. After an error of give
// it calls stop, once, and waits for the end without giving more.
func (r *relay) each(give func(rag.Event) error, stop func()) error {
	var failed error
	for {
		<-r.wake
		r.mu.Lock()
		events, ended := r.events, r.ended
		r.events = nil
		r.mu.Unlock()
		for _, e := range events {
			if failed != nil {
				break
			}
			if failed = give(e); failed != nil {
				stop()
			}
		}
		if ended {
			return failed
		}
	}
}
