package worker

import (
	"sync"
	"time"

	"referent/inference"
)

// frameTime is the longest that a piece waits for others: one frame of a
// screen at 60 a second.
const frameTime = 16 * time.Millisecond

// batcher joins the pieces of one reply into frames. The first piece goes out
// at once; later ones no later than frameTime after they came.
type batcher struct {
	send  func(pieces)
	now   func() time.Time
	after func(time.Duration, func()) // calls once, from another goroutine

	mu      sync.Mutex
	pending pieces
	last    time.Time // of the last frame
	armed   bool
	closed  bool
}

func newBatcher(send func(pieces)) *batcher {
	return &batcher{send: send, now: time.Now, after: func(d time.Duration, f func()) { time.AfterFunc(d, f) }}
}

// add takes one piece.
func (b *batcher) add(p inference.Piece) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending.Tokens++
	if n := len(b.pending.Pieces); n > 0 && b.pending.Pieces[n-1].Reasoning == p.Reasoning {
		b.pending.Pieces[n-1].Text += p.Text
	} else {
		b.pending.Pieces = append(b.pending.Pieces, p)
	}
	if b.armed {
		return
	}
	if wait := frameTime - b.now().Sub(b.last); wait > 0 {
		b.armed = true
		b.after(wait, b.due)
		return
	}
	b.flush()
}

func (b *batcher) due() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.armed = false
	if !b.closed {
		b.flush()
	}
}

// close sends what is left; nothing is sent after it.
func (b *batcher) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.flush()
}

func (b *batcher) flush() {
	if len(b.pending.Pieces) == 0 {
		return
	}
	b.last = b.now()
	b.send(b.pending)
	b.pending = pieces{}
}
