package app

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// line says who may ask. A turn of the person begins at once. A guest, which is
// another program, waits while any of those runs, and guests go one at a time
// in the order in which they came: an answer takes the whole model, so a second
// one would only stand between the person and theirs. A guest that is at the
// model when the person asks leaves it, and comes back afterwards (polite).
//
// The zero value is ready. It is safe for any goroutine.
type line struct {
	mu      sync.Mutex
	own     int // turns of the person that run
	guest   bool
	waiting []chan struct{}
	stays   map[*stay]struct{}
	calm    chan struct{} // closed when the person's last turn ends; nil: nobody waits for it
}

// errAside is why the stay of a guest at the model ends before its work.
var errAside = errors.New("the person asks")

// stay is the time of a guest at the model.
type stay struct{ end context.CancelCauseFunc }

// enter waits until the turn may begin. leave is called once, at its end. The
// error is the context's.
func (l *line) enter(ctx context.Context, guest bool) (leave func(), err error) {
	if !guest {
		return l.person(), nil
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

// person begins a turn of the person, for which guests make way. leave is called
// once, at its end.
func (l *line) person() (leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.own++
	for s := range l.stays {
		s.end(errAside)
	}
	return func() { l.leave(func() { l.own-- }) }
}

func (l *line) leave(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	if l.own == 0 && l.calm != nil {
		close(l.calm)
		l.calm = nil
	}
	l.admit()
}

// atModel waits until no turn of the person runs and returns a context for one
// use of a model, which ends with the cause errAside when the next one begins.
// leave is called once, after that use. The error is the context's.
func (l *line) atModel(ctx context.Context) (use context.Context, leave func(), err error) {
	l.mu.Lock()
	for l.own > 0 {
		if l.calm == nil {
			l.calm = make(chan struct{})
		}
		calm := l.calm
		l.mu.Unlock()
		select {
		case <-calm:
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
		l.mu.Lock()
	}
	defer l.mu.Unlock()
	use, end := context.WithCancelCause(ctx)
	s := &stay{end}
	if l.stays == nil {
		l.stays = map[*stay]struct{}{}
	}
	l.stays[s] = struct{}{}
	return use, func() {
		l.mu.Lock()
		delete(l.stays, s)
		l.mu.Unlock()
		end(nil)
	}, nil
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
