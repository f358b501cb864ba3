package app

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// until waits until so many guests wait.
func (l *line) until(n int) {
	for {
		l.mu.Lock()
		have := len(l.waiting)
		l.mu.Unlock()
		if have == n {
			return
		}
		runtime.Gosched()
	}
}

func TestLine_GuestsWaitForThePersonAndForEachOther(t *testing.T) {
	var l line
	var mu sync.Mutex
	var order []int
	var wait sync.WaitGroup
	first, err := l.enter(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	second, err := l.enter(t.Context(), false) // the person's turns never wait
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		wait.Go(func() {
			leave, err := l.enter(t.Context(), true)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
			leave()
		})
		l.until(i + 1)
	}
	first()
	mu.Lock()
	if len(order) != 0 {
		t.Error("a guest went before the person's second turn")
	}
	mu.Unlock()
	second()
	wait.Wait()
	if !slices.Equal(order, []int{0, 1, 2}) {
		t.Errorf("%v", order)
	}
}

func TestLine_AGuestThatGoesLeavesItsPlace(t *testing.T) {
	var l line
	own, err := l.enter(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() { _, err := l.enter(ctx, true); gone <- err }()
	l.until(1)
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	own()
	leave, err := l.enter(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	leave()
	if l.guest || l.own != 0 || len(l.waiting) != 0 {
		t.Errorf("left over: %+v", &l)
	}
}
