package library

import (
	"context"
	"sync"
	"time"
)

// batteryAge is how long an answer of the system about its power holds.
const batteryAge = 30 * time.Second

// power asks the system whether it runs on battery, not too often.
type power struct {
	mu    sync.Mutex
	asked time.Time
	last  bool
}

func (p *power) battery(ask func() bool, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if age := now.Sub(p.asked); p.asked.IsZero() || age >= batteryAge || age < 0 {
		p.last, p.asked = ask(), now
	}
	return p.last
}

// spares tells whether work in the background goes slowly because the computer
// runs on battery. A person who waits for it is not kept waiting.
func (l *Library) spares() bool {
	if l.deps.Battery == nil {
		return false
	}
	l.mu.Lock()
	waited := l.waited > 0
	l.mu.Unlock()
	return !waited && l.power.battery(l.deps.Battery, l.clock.Now())
}

// spare rests before a batch while the computer runs on battery.
func (l *Library) spare(ctx context.Context) {
	if !l.spares() {
		return
	}
	woken := l.eased.wait()
	fires, stop := l.clock.After(easyWait)
	defer stop()
	select {
	case <-ctx.Done():
	case <-woken:
	case <-fires:
	}
}

// waitsFor notes that somebody waits for all files, until release is called.
func (l *Library) waitsFor() (release func()) {
	l.mu.Lock()
	l.waited++
	l.mu.Unlock()
	l.eased.raise()
	return sync.OnceFunc(func() {
		l.mu.Lock()
		l.waited--
		l.mu.Unlock()
	})
}
