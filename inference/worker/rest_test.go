package worker

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"referent/inference"
)

// resting is a driver whose models rest after half an hour.
func resting(t *testing.T, scarce func() bool) *driver {
	return newDriver(t, func(c *Config) {
		c.Idle, c.Scarce = func() time.Duration { return 30 * time.Minute }, scarce
	})
}

// names lists what is in memory.
func (d *driver) names() []string {
	var out []string
	for _, i := range d.Loaded() {
		out = append(out, i.Name)
	}
	return out
}

func (d *driver) expectLoaded(want ...string) {
	d.Helper()
	if got := d.names(); !slices.Equal(got, want) {
		d.Errorf("in memory are %v, want %v", got, want)
	}
}

func (d *driver) embedOne() {
	d.Helper()
	e, err := d.Embedder()
	if err != nil {
		d.Fatal(err)
	}
	if v, err := e.Embed(d.ctx, inference.KindQuery, []string{"boiler"}, inference.PriorityInteractive); err != nil || len(v) != 1 {
		d.Fatalf("%d vectors, %v", len(v), err)
	}
}

func TestAModelThatNobodyUsesIsUnloadedAndComesBack(t *testing.T) {
	d := resting(t, nil)
	d.load(chatSpec(), embedSpec())
	d.advance(20 * time.Minute)
	d.embedOne()
	d.advance(9 * time.Minute)
	d.rest()
	d.expectLoaded("Chat", "Embed")
	d.advance(time.Minute)
	d.rest()
	d.expectLoaded("Embed")
	if !strings.Contains(d.told(), "Chat was unloaded because nobody has used it for a while.") {
		t.Errorf("said was %q", d.told())
	}
	pid := d.PID()
	d.expectStory()
	d.expectLoaded("Chat", "Embed")
	if d.PID() != pid {
		t.Error("another worker runs, though one model was in use")
	}
	expectEvents(t, d, EventRested, EventWoken)
	if n := len(d.loads()); n != 3 {
		t.Errorf("%d loads, want 3", n)
	}
}

func TestAWorkerWithoutWorkEnds(t *testing.T) {
	d := resting(t, nil)
	d.load(chatSpec(), embedSpec())
	d.advance(time.Hour)
	d.rest()
	d.expectLoaded()
	if pid := d.PID(); pid != 0 {
		t.Errorf("the worker %d lives on", pid)
	}
	d.rest() // there is nothing any more
	d.expectStory()
	d.embedOne()
	d.expectLoaded("Chat", "Embed")
	expectEvents(t, d, EventRested, EventRested, EventWoken, EventWoken) // and no word of a restart
}

func TestAModelAtWorkDoesNotRest(t *testing.T) {
	var held atomic.Bool
	reached, open := make(chan struct{}), make(chan struct{})
	d := resting(t, func() bool { return true })
	d.gate(func(phase byte) bool {
		if phase == 'd' && held.CompareAndSwap(false, true) {
			close(reached)
			<-open
		}
		return true
	})
	d.load(chatSpec())
	told := make(chan string)
	go func() {
		g, err := d.Generator(inference.RoleAnswer)
		if err != nil {
			told <- err.Error()
			return
		}
		res, err := g.Generate(d.ctx, inference.GenerateRequest{Completion: "do nothing after 0 times 0"}, nil)
		if err != nil {
			res.Text = err.Error()
		}
		told <- res.Text
	}()
	<-reached
	d.advance(2 * time.Hour)
	d.rest()
	d.expectLoaded("Chat")
	close(open)
	if text := <-told; text != story {
		t.Errorf("the reply is %q", text)
	}
	d.advance(29 * time.Second)
	d.rest() // it has only just worked
	d.expectLoaded("Chat")
}

func TestScarceMemoryTakesTheLongestUnusedFirst(t *testing.T) {
	scarce := true
	d := resting(t, func() bool { return scarce })
	d.load(chatSpec(), embedSpec())
	d.advance(20 * time.Second)
	d.expectStory()
	d.advance(20 * time.Second)
	d.rest()
	d.expectLoaded("Chat") // used 20 seconds ago, the other 40
	d.rest()
	d.expectLoaded("Chat")
	scarce = false
	d.advance(time.Minute)
	d.rest()
	d.expectLoaded("Chat")
	scarce = true
	d.rest()
	d.expectLoaded()
	d.embedOne()
	d.expectLoaded("Embed")
	expectEvents(t, d, EventScarce, EventScarce, EventWoken)
	if !strings.Contains(d.told(), "short of memory") {
		t.Errorf("said was %q", d.told())
	}
}

// A death takes no rested model back into memory.
func TestARestOutlivesADeath(t *testing.T) {
	d := resting(t, nil)
	d.load(chatSpec(), embedSpec())
	d.advance(29 * time.Minute)
	d.expectStory()
	d.advance(2 * time.Minute)
	d.rest()
	d.expectLoaded("Chat")
	if res, _, err := d.tell("do kill after 3 times 1"); err != nil || res.Text != story {
		t.Fatalf("%q, %v", res.Text, err)
	}
	d.expectLoaded("Chat")
	d.embedOne()
	d.expectLoaded("Chat", "Embed")
}
