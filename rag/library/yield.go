package library

import (
	"context"
	"sync"
	"time"
)

// easyWait is how long reading rests before each file while it gives way.
const easyWait = 2 * time.Second

// Ease makes reading give way to something a person waits for: it rests before
// each file until release is called. Calls may overlap; each release counts
// once. Embedding needs no rest: its calls come after all others.
func (l *Library) Ease() (release func()) {
	l.mu.Lock()
	l.easy++
	l.mu.Unlock()
	return sync.OnceFunc(func() {
		l.mu.Lock()
		l.easy--
		l.mu.Unlock()
		l.eased.raise()
	})
}

// giveWay rests while somebody waits, no longer than easyWait.
func (l *Library) giveWay(ctx context.Context) {
	var fires <-chan time.Time
	for ctx.Err() == nil {
		released := l.eased.wait()
		l.mu.Lock()
		easy := l.easy > 0
		l.mu.Unlock()
		if !easy {
			return
		}
		if fires == nil {
			var stop func()
			fires, stop = l.clock.After(easyWait)
			defer stop()
		}
		select {
		case <-ctx.Done():
		case <-released:
		case <-fires:
			return
		}
	}
}
