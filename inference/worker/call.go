package worker

import (
	"context"
	"errors"
	"sync"
	"time"

	"referent/inference/process"
)

// cancelGrace is how long a cancelled call waits for its last frame, which
// holds what was written so far. A worker that is busy for longer is left to
// finish alone.
const cancelGrace = 2 * time.Second

// call is one request on its way. Frames queue up here, so that a slow caller
// never holds up the reader.
type call struct {
	id    uint64
	model *model // at work for it; nil for an unload
	index bool   // its texts are for an index

	mu    sync.Mutex
	queue []frame
	wake  chan struct{} // capacity 1
}

func (c *call) push(f frame) {
	c.mu.Lock()
	c.queue = append(c.queue, f)
	c.mu.Unlock()
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *call) take() []frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.queue
	c.queue = nil
	return q
}

// waiter follows one call to its end.
type waiter struct {
	session *session
	call    *call
	each    func(frame) error
	why     error // why it was cancelled
	grace   *time.Timer
}

// do sends a request and gives its frames to each until the last one, which is
// returned. When ctx is done or each fails, the request is cancelled and its
// last frame awaited for a short time; the error is then ctx's or each's. A
// death of the worker is a *diedError.
func (s *session) do(ctx context.Context, kind byte, body any, m *model, each func(frame) error) (done, error) {
	if err := ctx.Err(); err != nil {
		return done{}, err
	}
	c, err := s.start(kind, body, m)
	if err != nil {
		return done{}, err
	}
	w := &waiter{session: s, call: c, each: each, grace: time.NewTimer(time.Hour)}
	w.grace.Stop()
	defer w.grace.Stop()
	over := ctx.Done()
	for {
		if last, ended, err := w.drain(); ended {
			return last, err
		}
		select {
		case <-c.wake:
		case <-over:
			over = nil
			w.cancel(ctx.Err())
		case <-w.grace.C:
			return done{}, w.why // the session forgets the call with its last frame
		case <-s.dead:
			// What came before the death still counts.
			last, ended, err := w.drain()
			if !ended {
				err = w.why
			}
			if !ended && err == nil {
				err = &diedError{s}
			}
			return last, err
		}
	}
}

// cancel stops the request; the first reason stays.
func (w *waiter) cancel(why error) {
	if w.why != nil {
		return
	}
	w.why = why
	_ = w.session.child.Send(frameCancel, withID(w.call.id, nil)) // a dead worker needs none
	w.grace.Reset(cancelGrace)
}

// drain takes the frames that have come; ended is set with the last one.
func (w *waiter) drain() (last done, ended bool, err error) {
	for _, f := range w.call.take() {
		if f.kind != frameDone {
			if w.why == nil {
				err = w.each(f)
			}
		} else if err = decode(f.body, &last); err == nil {
			if w.why != nil {
				return last, true, w.why
			}
			return last, true, last.Error.err()
		}
		if errors.Is(err, process.ErrGarbage) {
			w.session.child.KillAs(process.DeathGarbage)
			<-w.session.dead
			return done{}, true, &diedError{w.session}
		}
		if err != nil {
			w.cancel(err)
		}
	}
	return done{}, false, nil
}

// ignore takes frames of requests that have only a last one.
func ignore(frame) error { return nil }
