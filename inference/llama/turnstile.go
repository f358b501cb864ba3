package llama

import (
	"context"
	"slices"
	"sync"

	"referent/inference"
)

// priorities is the number of classes of inference.Priority.
const priorities = int(inference.PriorityIndexing) + 1

// turnstile lets one user at a time pass. Among those who wait the most urgent
// class goes first, and within a class whoever came first. A user that will
// come back soon (an answer, between its tokens) enters: as long as it is
// present, less urgent users wait, so that indexing does not slip in between
// two tokens of an answer.
//
// The zero value is ready. It is safe for any goroutine.
type turnstile struct {
	mu      sync.Mutex
	busy    bool
	present [priorities]int
	waiting [priorities][]chan struct{}
}

func class(p inference.Priority) int {
	return min(max(int(p), 0), priorities-1)
}

// enter announces a user of the given urgency until leave is called.
func (t *turnstile) enter(p inference.Priority) (leave func()) {
	c := class(p)
	t.mu.Lock()
	t.present[c]++
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		t.present[c]--
		t.admit()
		t.mu.Unlock()
	}
}

// pass waits for the turn. The error is the context's.
func (t *turnstile) pass(ctx context.Context, p inference.Priority) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c := class(p)
	turn := make(chan struct{})
	t.mu.Lock()
	t.waiting[c] = append(t.waiting[c], turn)
	t.admit()
	t.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.waiting[c], turn); i >= 0 {
		t.waiting[c] = slices.Delete(t.waiting[c], i, i+1)
		return ctx.Err()
	}
	// The turn came at the same moment: give it on.
	t.busy = false
	t.admit()
	return ctx.Err()
}

// done ends the turn.
func (t *turnstile) done() {
	t.mu.Lock()
	t.busy = false
	t.admit()
	t.mu.Unlock()
}

// admit lets the next user pass, if there is one that may. It needs the lock.
func (t *turnstile) admit() {
	if t.busy {
		return
	}
	for c := range priorities {
		if len(t.waiting[c]) > 0 {
			t.busy = true
			close(t.waiting[c][0])
			t.waiting[c] = t.waiting[c][1:]
			return
		}
		if t.present[c] > 0 {
			return // a more urgent user is about to come back
		}
	}
}
