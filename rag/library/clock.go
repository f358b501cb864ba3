package library

import (
	"sync"
	"time"
)

// Clock is the time that the library lives by.
type Clock interface {
	Now() time.Time
	// After sends once on the channel when d has passed. stop frees what is
	// behind it and may be called at any time.
	After(d time.Duration) (fires <-chan time.Time, stop func())
}

// SystemClock is the system's time.
type SystemClock struct{}

// Now returns the time.
func (SystemClock) Now() time.Time { return time.Now() }

// After makes a timer.
func (SystemClock) After(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

// signal wakes everyone who waits on it. Raising it while nobody waits is kept
// for those who took the channel before.
type signal struct {
	mu sync.Mutex
	c  chan struct{}
}

func newSignal() *signal { return &signal{c: make(chan struct{})} }

// wait returns a channel that is closed at the next raise. Take it before
// looking at the state that it stands for.
func (s *signal) wait() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.c
}

func (s *signal) raise() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.c)
	s.c = make(chan struct{})
}
