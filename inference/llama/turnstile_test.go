package llama

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"referent/inference"
)

// queue lets users of the given priorities wait while the turn is taken, and
// returns a function that waits for all and gives the order they passed in.
func queue(t *testing.T, gate *turnstile, users ...inference.Priority) (order func() []int) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	var passed []int
	for i, p := range users {
		wg.Go(func() {
			if err := gate.pass(context.Background(), p); err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			passed = append(passed, i)
			mu.Unlock()
			gate.done()
		})
		synctest.Wait() // so that they wait in this order
	}
	return func() []int {
		wg.Wait()
		return passed
	}
}

func TestTurnstile_UrgentFirstThenInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gate turnstile
		if err := gate.pass(context.Background(), inference.PriorityIndexing); err != nil {
			t.Fatal(err)
		}
		order := queue(t, &gate,
			inference.PriorityIndexing, inference.PriorityRerank, inference.PriorityInteractive,
			inference.PriorityCondense, inference.PriorityInteractive, inference.PriorityIndexing)
		gate.done()
		if got, want := order(), []int{2, 4, 3, 1, 0, 5}; !slices.Equal(got, want) {
			t.Errorf("order %v, want %v", got, want)
		}
	})
}

func TestTurnstile_LessUrgentWaitWhileAnAnswerIsPresent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gate turnstile
		leave := gate.enter(inference.PriorityInteractive)
		passed := make(chan struct{})
		go func() {
			if gate.pass(context.Background(), inference.PriorityIndexing) == nil {
				close(passed)
				gate.done()
			}
		}()
		for range 3 { // the tokens of the answer
			if err := gate.pass(context.Background(), inference.PriorityInteractive); err != nil {
				t.Fatal(err)
			}
			gate.done()
			synctest.Wait()
			select {
			case <-passed:
				t.Fatal("indexing slipped in between two tokens")
			default:
			}
		}
		leave()
		<-passed
	})
}

func TestTurnstile_WaitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gate turnstile
		if err := gate.pass(context.Background(), inference.PriorityInteractive); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		result := make(chan error, 1)
		go func() { result <- gate.pass(ctx, inference.PriorityInteractive) }()
		synctest.Wait()
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		gate.done()
		if err := gate.pass(context.Background(), inference.PriorityIndexing); err != nil {
			t.Errorf("the turn was lost: %v", err)
		}
	})
}
