package library

import (
	"context"
	"slices"
	"sync"
	"time"

	"referent/storage/index"
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

// ReadFirst has documents read before all others: a question needs them. Those
// that do not wait are passed over.
func (l *Library) ReadFirst(documents ...int64) {
	l.mu.Lock()
	l.wanted = append(l.wanted, documents...)
	l.mu.Unlock()
	l.eased.raise()
}

// next takes the next file of the queue. When none of the wanted ones waits,
// they are forgotten.
func (l *Library) next(ctx context.Context) (index.Document, bool, error) {
	l.mu.Lock()
	wanted := slices.Clone(l.wanted)
	l.mu.Unlock()
	d, ok, err := l.store.NextWaiting(ctx, wanted...)
	if err != nil || len(wanted) == 0 {
		return d, ok, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if ok && slices.Contains(wanted, d.ID) {
		l.wanted = slices.DeleteFunc(l.wanted, func(id int64) bool { return id == d.ID })
	} else {
		l.wanted = slices.DeleteFunc(l.wanted, func(id int64) bool { return slices.Contains(wanted, id) })
	}
	return d, ok, nil
}

// giveWay rests while somebody waits for something else, or to spare the
// battery, and no wanted file waits; no longer than easyWait.
func (l *Library) giveWay(ctx context.Context) {
	var fires <-chan time.Time
	for ctx.Err() == nil {
		released := l.eased.wait()
		spares := l.spares()
		l.mu.Lock()
		easy := (l.easy > 0 || spares) && len(l.wanted) == 0
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
