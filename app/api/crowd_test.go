package api

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"referent/app"
	"referent/app/api/public"
	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

func TestCrowd_OfTwoHundredCallersEachIsAnsweredOrToldWhenToComeBack(t *testing.T) {
	d := newDesk(t, func(c *Config) { c.Limits = public.Limits{AsksWait: 20} })
	var answered, refused atomic.Int64
	var running, most atomic.Int64
	d.set(func(d *desk) {
		d.step = func(ctx context.Context, s fake.Step) error {
			if s.Phase == fake.PhaseDecode && s.Role == inference.RoleAnswer && s.N == 0 {
				most.Store(max(most.Load(), running.Add(1)))
				running.Add(-1)
			}
			return ctx.Err()
		}
	})
	const callers = 200
	var wait sync.WaitGroup
	begin := make(chan struct{})
	for i := range callers {
		wait.Go(func() {
			<-begin
			r := d.call("POST", "/api/v1/ask", map[string]any{"question": howLong}, ClientHeader, "caller "+strconv.Itoa(i))
			switch {
			case r.status == 200 && strings.Contains(r.text(), "320 metres"):
				answered.Add(1)
			case r.status == 429 && r.header.Get("Retry-After") != "" && r.code() == "too_many_requests":
				refused.Add(1)
			default:
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
	close(begin)
	wait.Wait()
	if answered.Load()+refused.Load() != callers || answered.Load() < 21 {
		t.Errorf("%d answered, %d refused of %d", answered.Load(), refused.Load(), callers)
	}
	if most.Load() > 1 {
		t.Errorf("%d answers were written at once", most.Load())
	}
	d.expect(200, "POST", "/api/v1/ask", map[string]any{"question": howLong}) // and the line is empty again
}

func TestCrowd_ThePersonsQuestionGoesFirst(t *testing.T) {
	d := newDesk(t, nil)
	var mu sync.Mutex
	var order []string
	holding, hold := make(chan struct{}), make(chan struct{})
	first := true
	d.set(func(d *desk) {
		d.step = func(ctx context.Context, s fake.Step) error {
			if s.Phase == fake.PhaseDecode && s.Role == inference.RoleAnswer && s.N == 0 {
				mu.Lock()
				mine := first
				first = false
				mu.Unlock()
				if mine {
					close(holding)
					<-hold
				}
			}
			return ctx.Err()
		}
	})
	done := func(who string) {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, who)
	}
	var wait sync.WaitGroup
	// The person's own turn runs and holds the model.
	wait.Go(func() {
		var written sync.Once // its words come while it still holds the model
		err := d.app.Ask(t.Context(), app.AskRequest{Question: howLong, NoStore: true, Mode: "generate"}, func(e rag.Event) {
			if _, ok := e.(rag.Token); ok {
				written.Do(func() { done("person") })
			}
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-holding
	for i := range 3 {
		wait.Go(func() {
			if r := d.call("POST", "/api/v1/ask", map[string]any{"question": howLong}, ClientHeader, fmt.Sprint(i)); r.status != 200 {
				t.Errorf("%d %s", r.status, r.body)
			}
			done("guest")
		})
	}
	close(hold)
	wait.Wait()
	if order[0] != "person" || len(order) != 4 {
		t.Errorf("%v", order)
	}
}
