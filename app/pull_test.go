package app

import (
	"context"
	"sync"
	"testing"
)

// Connections to one host share one question: the answer reaches all of them,
// and one that is gone takes it from nobody.
func TestPull_OneAnswerForAllThatAskAboutAHost(t *testing.T) {
	for _, allow := range []bool{true, false} {
		asked := make(chan struct{}, 8) // more than the one report that there is
		p := &pull{tell: func(now Transfer) {
			if now.Asks != "" {
				asked <- struct{}{}
			}
		}, allowed: map[string]bool{}, waiting: map[string]chan struct{}{}}
		given, gone := context.WithCancel(t.Context())
		var waiters sync.WaitGroup
		got := make([]bool, 3)
		for i := range got {
			waiters.Go(func() { got[i] = p.ask(t.Context(), "models.invalid:443") })
		}
		left := make(chan bool)
		go func() { left <- p.ask(given, "models.invalid:443") }()
		<-asked
		gone()
		if <-left {
			t.Error("a connection that was given up is allowed")
		}
		if !p.answer("models.invalid:443", allow) {
			t.Fatal("nothing asked")
		}
		waiters.Wait()
		for i, g := range got {
			if g != allow {
				t.Errorf("waiter %d got %v, the answer was %v", i, g, allow)
			}
		}
		told := len(asked)
		if p.ask(t.Context(), "models.invalid:443") != allow || len(asked) != told {
			t.Error("asked again after the answer")
		}
	}
}
