package app

import (
	"context"
	"slices"
	"sync"
)

// line says who may ask. A turn of the person begins at once. A guest, which is
// another program, waits while any of those runs, and guests go one at a time
// in the order in which they came: an answer takes the whole model, so a second
// one would only stand between the person and theirs.
//
// The zero value is ready. It is safe for any goroutine.
type line struct {
	mu      sync.Mutex
	own     int // turns of the person that run
	guest   bool
	waiting []chan struct{}
}

// enter waits until the turn may begin. leave is called once, at its end. The
// error is the context's.
func (l *line) enter(ctx context.Context, guest bool) (leave func(), err error) {
	if !guest {
		l.mu.Lock()
		l.own++
		l.mu.Unlock()
		return func() { l.leave(func() { l.own-- }) }, nil
	}
	turn := make(chan struct{})
	l.mu.Lock()
	l.waiting = append(l.waiting, turn)
	l.admit()
	l.mu.Unlock()
	leave = func() { l.leave(func() { l.guest = false }) }
	select {
	case <-turn:
		return leave, nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	i := slices.Index(l.waiting, turn)
	if i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
	}
	l.mu.Unlock()
	if i < 0 { // the turn came at the same moment: give it on
		leave()
	}
	return nil, ctx.Err()
}

func (l *line) leave(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	l.admit()
}

// admit lets the next guest in, if it may. It needs the lock.
func (l *line) admit() {
	if l.own > 0 || l.guest || len(l.waiting) == 0 {
		return
	}
	l.guest = true
	close(l.waiting[0])
	l.waiting = l.waiting[1:]
}
