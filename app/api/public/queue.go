package public

import (
	"context"
	"slices"
	"sync"

	"referent/app/api/wire"
)

// Queue lets a number of calls run at once. Those who wait are let in caller by
// caller, so that one with many calls does not keep the others out.
//
// It is safe for any goroutine.
type Queue struct {
	slots int // that run at once
	room  int // that wait

	mu      sync.Mutex
	running int
	waiting int
	callers []string // who waits, the next first
	calls   map[string][]chan struct{}
}

// NewQueue makes a queue with so many slots and so much room to wait.
func NewQueue(slots, room int) *Queue {
	return &Queue{slots: slots, room: room, calls: map[string][]chan struct{}{}}
}

// busyWait is what a refused caller is told to wait, in seconds: about the time
// of one answer.
const busyWait = 5

// Enter waits for a slot; leave gives it back. The error is a *wire.Failure
// when there is no more room, else the context's.
func (q *Queue) Enter(ctx context.Context, caller string) (leave func(), err error) {
	q.mu.Lock()
	if q.running < q.slots && q.waiting == 0 {
		q.running++
		q.mu.Unlock()
		return q.leave, nil
	}
	if q.waiting >= q.room {
		q.mu.Unlock()
		return nil, &wire.Failure{Code: wire.CodeTooMany, Message: "Too many programs are asking at once.", Hint: "Ask again in a moment.", RetryAfter: busyWait}
	}
	turn := make(chan struct{})
	if len(q.calls[caller]) == 0 {
		q.callers = append(q.callers, caller)
	}
	q.calls[caller] = append(q.calls[caller], turn)
	q.waiting++
	q.mu.Unlock()
	select {
	case <-turn:
		return q.leave, nil
	case <-ctx.Done():
	}
	if !q.withdraw(caller, turn) { // the turn came at the same moment: give it on
		q.leave()
	}
	return nil, ctx.Err()
}

// withdraw takes a waiting call out of the queue; false when it was let in.
func (q *Queue) withdraw(caller string, turn chan struct{}) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.calls[caller], turn)
	if i < 0 {
		return false
	}
	q.calls[caller] = slices.Delete(q.calls[caller], i, i+1)
	q.waiting--
	if len(q.calls[caller]) == 0 {
		delete(q.calls, caller)
		q.callers = slices.DeleteFunc(q.callers, func(c string) bool { return c == caller })
	}
	return true
}

func (q *Queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	for q.running < q.slots && len(q.callers) > 0 {
		caller := q.callers[0]
		q.callers = q.callers[1:]
		close(q.calls[caller][0])
		q.calls[caller] = q.calls[caller][1:]
		if len(q.calls[caller]) > 0 {
			q.callers = append(q.callers, caller) // behind the others
		} else {
			delete(q.calls, caller)
		}
		q.waiting--
		q.running++
	}
}
