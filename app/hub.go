package app

import (
	"context"
	"sync"
)

// hub delivers notices to any number of watchers. Each watcher has the newest
// notice of a kind waiting at most, so that a slow one holds nobody up.
type hub struct {
	mu       sync.Mutex
	watchers map[*watcher]bool
}

type watcher struct {
	mu      sync.Mutex
	library *Library
	status  *Status
	run     *EvalRun
	shows   []Notice
	wake    chan struct{} // holds one token
}

func newHub() *hub { return &hub{watchers: map[*watcher]bool{}} }

// send hands a notice to every watcher and never blocks.
func (h *hub) send(n Notice) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for w := range h.watchers {
		w.mu.Lock()
		switch {
		case n.Library != nil:
			w.library = n.Library
		case n.Status != nil:
			w.status = n.Status
		case n.Evaluation != nil:
			w.run = n.Evaluation
		default:
			w.shows = append(w.shows, n)
		}
		w.mu.Unlock()
		select {
		case w.wake <- struct{}{}:
		default: // it is awake already
		}
	}
}

// count tells how many watch; with none, no state needs to be gathered.
func (h *hub) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.watchers)
}

// watch delivers notices until ctx is done.
func (h *hub) watch(ctx context.Context, each func(Notice)) error {
	w := &watcher{wake: make(chan struct{}, 1)}
	h.mu.Lock()
	h.watchers[w] = true
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.watchers, w)
		h.mu.Unlock()
	}()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-w.wake:
		}
		w.mu.Lock()
		library, status, run, shows := w.library, w.status, w.run, w.shows
		w.library, w.status, w.run, w.shows = nil, nil, nil, nil
		w.mu.Unlock()
		for _, n := range shows {
			each(n)
		}
		if library != nil {
			each(Notice{Library: library})
		}
		if status != nil {
			each(Notice{Status: status})
		}
		if run != nil {
			each(Notice{Evaluation: run})
		}
	}
}
