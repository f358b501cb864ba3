package public

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"referent/app/api/wire"
)

// line fills a queue with one slot: the first call of "a" runs, the others wait
// in the order given. let lets them run one by one and returns their order.
func line(t *testing.T, q *Queue, callers ...string) (let func() []string) {
	t.Helper()
	leave, err := q.Enter(t.Context(), "first")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var order []string
	var wait sync.WaitGroup
	for i, caller := range callers {
		wait.Go(func() {
			leave, err := q.Enter(t.Context(), caller)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			order = append(order, caller)
			mu.Unlock()
			leave()
		})
		until(q, i+1)
	}
	return func() []string {
		leave()
		wait.Wait()
		return order
	}
}

// until waits until so many calls wait.
func until(q *Queue, n int) {
	for {
		q.mu.Lock()
		waiting := q.waiting
		q.mu.Unlock()
		if waiting == n {
			return
		}
		runtime.Gosched()
	}
}

func TestQueue_EachCallerInTurn(t *testing.T) {
	q := NewQueue(1, 100)
	got := line(t, q, "greedy", "greedy", "greedy", "modest", "greedy", "other")()
	if want := []string{"greedy", "modest", "other", "greedy", "greedy", "greedy"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if q.running != 0 || q.waiting != 0 || len(q.calls) != 0 || len(q.callers) != 0 {
		t.Errorf("left over: %+v", q)
	}
}

func TestQueue_WithoutRoomTheCallerIsToldWhenToComeBack(t *testing.T) {
	q := NewQueue(1, 2)
	let := line(t, q, "a", "b")
	_, err := q.Enter(t.Context(), "c")
	var f *wire.Failure
	if !errors.As(err, &f) || f.Status() != 429 || f.RetryAfter < 1 {
		t.Errorf("%v", err)
	}
	let()
	leave, err := q.Enter(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	leave()
}

func TestQueue_ACallerThatGoesLeavesItsPlace(t *testing.T) {
	q := NewQueue(1, 10)
	leave, err := q.Enter(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() { _, err := q.Enter(ctx, "b"); gone <- err }()
	until(q, 1)
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	leave()
	if q.running != 0 || q.waiting != 0 || len(q.callers) != 0 {
		t.Errorf("left over: %+v", q)
	}
}

func TestQueue_ManyCallersLoseNothing(t *testing.T) {
	q := NewQueue(3, 1000)
	var mu sync.Mutex
	running, most, done := 0, 0, 0
	var wait sync.WaitGroup
	for i := range 300 {
		wait.Go(func() {
			leave, err := q.Enter(t.Context(), string(rune('a'+i%7)))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			running++
			most, done = max(most, running), done+1
			mu.Unlock()
			mu.Lock()
			running--
			mu.Unlock()
			leave()
		})
	}
	wait.Wait()
	if done != 300 || most > 3 {
		t.Errorf("%d done, %d at once", done, most)
	}
}
