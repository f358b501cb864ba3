package api

import (
	"context"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"referent/app"
	"referent/inference"
	"referent/inference/fake"
	"referent/rag"
)

// soakTime is how long the crowd asks: REFERENT_SOAK, such as 1m, or until each
// caller has asked each of its questions once.
func soakTime(t *testing.T) time.Duration {
	text := os.Getenv("REFERENT_SOAK")
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("REFERENT_SOAK: %v", err)
	}
	return d
}

// soakQuestions are what a caller asks in turn, and what a whole reply holds.
var soakQuestions = []struct {
	method, path string
	body         any
	whole        string
}{
	{"POST", "/api/v1/ask/stream", map[string]any{"question": howLong, "mode": "generate"}, "event: done"},
	{"POST", "/api/v1/ask", map[string]any{"question": howLong, "mode": "generate", "store": true}, "320 metres"},
	{"POST", "/api/v1/search", map[string]any{"question": howLong}, "320 metres"},
	{"POST", "/v1/chat/completions", map[string]any{"model": "referent", "stream": true, "referent": map[string]any{"mode": "generate"},
		"messages": []any{map[string]any{"role": "user", "content": howLong}}}, "data: [DONE]"},
	{"POST", "/api/v1/prepare", map[string]any{"question": "When was it opened?", "engine": "condense_context",
		"history": history("user", howLong, "assistant", "The Harlow Bridge is 320 metres long.")}, `"status":"rewritten"`},
	{"GET", "/api/v1/documents", nil, "bridge.md"},
}

// noting counts what is noted of calls.
type noting struct {
	app.UseCases
	notes atomic.Int64
}

func (n *noting) NoteCall(ctx context.Context, c app.Call) error {
	n.notes.Add(1)
	return n.UseCases.NoteCall(ctx, c)
}

// crowd counts what became of the calls.
type crowd struct {
	sent, whole, busy, often atomic.Int64
	stored                   atomic.Int64 // answers that were to be stored
	wrong                    atomic.Int64
	person                   chan struct{} // tells the person to ask once more; nil: nobody asks
}

// callsForATurn is how many calls of others pass for one turn of the person.
const callsForATurn = 20

// personKey marks the contexts of the person's own turns.
type personKey struct{}

// Many programs at once, with the limits as they are shipped: each call is
// answered whole or is a 429 that says when to come back, the person's turns
// never share the model with theirs, and nothing is left in memory.
func TestSoak_TwoHundredCallersLoseNothing(t *testing.T) {
	const callers = 200
	long := soakTime(t)
	program := newProgram(t)
	use := &noting{UseCases: program.app}
	program.serve(Config{Use: use, Dir: program.dir, Version: "1.2.3", Log: program.note})
	var personAsks atomic.Bool
	var beside atomic.Int64 // tokens for others while the person's turn ran
	program.set(func(d *desk) {
		d.step = func(ctx context.Context, s fake.Step) error {
			asks, live := personAsks.Load(), ctx.Err() == nil
			if asks && live && s.Phase == fake.PhaseDecode && s.Role != inference.RoleEmbed && ctx.Value(personKey{}) == nil {
				beside.Add(1)
			}
			return ctx.Err()
		}
	})
	transport := browserless.Transport.(*http.Transport)
	settle := func() (heap uint64, goroutines int) {
		transport.CloseIdleConnections()
		program.host.Forget()
		var m runtime.MemStats
		for range 2 { // the second frees what finalizers of the first let go
			runtime.GC()
			runtime.ReadMemStats(&m)
		}
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	round := func(c *crowd, until func() bool) {
		var wait sync.WaitGroup
		for i := range callers {
			wait.Go(func() {
				for n := 0; n < len(soakQuestions) || !until(); n++ {
					program.askInCrowd(c, i, (i+n)%len(soakQuestions))
				}
			})
		}
		wait.Wait()
	}
	var warm crowd
	round(&warm, func() bool { return true }) // fills what is kept anyway
	heapBefore, goroutinesBefore := settle()

	c := crowd{person: make(chan struct{}, 1)}
	use.notes.Store(0)
	conversations := program.conversations()
	over := time.Now().Add(long)
	ended := make(chan struct{})
	var peak uint64
	turns := 0
	var person sync.WaitGroup
	person.Go(func() {
		for done := false; !done; turns++ {
			select {
			case <-ended:
				done = true
			case <-c.person:
			}
			program.askAsPerson(&personAsks)
			program.host.Forget()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
	})
	round(&c, func() bool { return time.Now().After(over) })
	close(ended)
	person.Wait()
	heapAfter, goroutinesAfter := settle()
	for wait := time.NewTimer(20 * time.Second); goroutinesAfter > goroutinesBefore; { // connections end in their own time
		select {
		case <-wait.C:
			t.Fatalf("%d goroutines before, %d after", goroutinesBefore, goroutinesAfter)
		default:
			runtime.Gosched()
			heapAfter, goroutinesAfter = settle()
		}
	}
	const mib = 1 << 20
	t.Logf("%d calls of %d callers: %d answered, %d told to wait for a place, %d told that they ask too often; %d turns of the person",
		c.sent.Load(), callers, c.whole.Load(), c.busy.Load(), c.often.Load(), turns)
	t.Logf("heap: %.1f MiB before, %.1f at most, %.1f after; goroutines: %d before, %d after",
		float64(heapBefore)/mib, float64(peak)/mib, float64(heapAfter)/mib, goroutinesBefore, goroutinesAfter)
	if got := c.whole.Load() + c.busy.Load() + c.often.Load(); got != c.sent.Load() || c.wrong.Load() > 0 {
		t.Errorf("%d calls were sent, %d were answered or refused, %d were neither", c.sent.Load(), got, c.wrong.Load())
	}
	if want := c.sent.Load() - c.often.Load(); use.notes.Load() != want { // the guard refuses without a note
		t.Errorf("%d calls were noted, want %d", use.notes.Load(), want)
	}
	if got := int64(program.conversations() - conversations); got != c.stored.Load() {
		t.Errorf("%d conversations were stored, want %d", got, c.stored.Load())
	}
	if c.whole.Load() == 0 || turns == 0 { // how many the rate admits is up to the clock
		t.Errorf("%d calls were answered, and the person asked %d times", c.whole.Load(), turns)
	}
	if beside.Load() > 0 {
		t.Errorf("%d tokens were written for others while the person's turns ran", beside.Load())
	}
	if heapAfter > heapBefore+16*mib || peak > heapBefore+512*mib {
		t.Errorf("the heap grew from %.1f MiB to %.1f, and to %.1f in between", float64(heapBefore)/mib, float64(heapAfter)/mib, float64(peak)/mib)
	}
}

// askInCrowd makes one call and counts what became of it.
func (d *desk) askInCrowd(c *crowd, caller, question int) {
	q := soakQuestions[question]
	if c.sent.Add(1)%callsForATurn == 0 && c.person != nil {
		select {
		case c.person <- struct{}{}:
		default: // asks already
		}
	}
	r := d.call(q.method, q.path, q.body, ClientHeader, "caller "+strconv.Itoa(caller))
	seconds, err := strconv.Atoi(r.header.Get("Retry-After"))
	switch {
	case r.status == 200 && strings.Contains(r.text(), q.whole):
		c.whole.Add(1)
		if strings.HasSuffix(q.path, "/ask") {
			c.stored.Add(1)
		}
	case r.status == 429 && err == nil && seconds > 0 && r.code() == "too_many_requests" && strings.Contains(r.text(), "This program"):
		c.often.Add(1)
	case r.status == 429 && err == nil && seconds > 0 && r.code() == "too_many_requests":
		c.busy.Add(1)
	default:
		c.wrong.Add(1)
		d.t.Errorf("%s: %d, Retry-After %q: %.300s", q.path, r.status, r.header.Get("Retry-After"), r.body)
	}
}

// askAsPerson runs a turn of the window; asks holds from its first event to its
// last one.
func (d *desk) askAsPerson(asks *atomic.Bool) {
	ctx := context.WithValue(d.t.Context(), personKey{}, true)
	answer := ""
	err := d.app.Ask(ctx, app.AskRequest{Question: howLong, NoStore: true, Mode: "generate"}, func(e rag.Event) {
		switch e := e.(type) {
		case rag.Prepared:
			asks.Store(true)
		case rag.Done:
			asks.Store(false)
			answer = e.Answer
		}
	})
	asks.Store(false)
	if err != nil || !strings.Contains(answer, "320 metres") {
		d.t.Errorf("the person: %v %q", err, answer)
	}
}

func (d *desk) conversations() int {
	d.t.Helper()
	all, err := d.app.Conversations(d.t.Context(), 1_000_000)
	if err != nil {
		d.t.Fatal(err)
	}
	return len(all)
}
