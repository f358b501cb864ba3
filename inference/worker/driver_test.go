package worker

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/fake"
)

// driver is a client with the verbs that the stories use.
type driver struct {
	testing.TB
	*Host
	ctx   context.Context
	state string

	mu     sync.Mutex
	events []Event
	clock  time.Time
}

// newDriver starts nothing yet. change may alter the configuration.
func newDriver(t testing.TB, change func(*Config)) *driver {
	t.Helper()
	// A socket's path has a short limit, which t.TempDir may exceed.
	state, err := os.MkdirTemp("", "worker")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	d := &driver{TB: t, ctx: ctx, state: state, clock: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	cfg := Config{
		// The race detector would make every child wait a second at its end.
		Env:    []string{stateVariable + "=" + state, "GORACE=atexit_sleep_ms=0"},
		Notify: func(e Event) { d.mu.Lock(); d.events = append(d.events, e); d.mu.Unlock() },
		Now:    func() time.Time { d.mu.Lock(); defer d.mu.Unlock(); return d.clock },
	}
	if change != nil {
		change(&cfg)
	}
	d.Host = New(cfg)
	t.Cleanup(func() {
		if err := d.Host.Close(); err != nil {
			t.Error(err)
		}
		if pid := d.PID(); pid != 0 {
			t.Errorf("the worker %d lives on", pid)
		}
		cancel()
		_ = os.RemoveAll(state)
	})
	return d
}

// advance moves the clock of the ladder.
func (d *driver) advance(by time.Duration) {
	d.mu.Lock()
	d.clock = d.clock.Add(by)
	d.mu.Unlock()
}

func (d *driver) kinds() []EventKind {
	d.mu.Lock()
	defer d.mu.Unlock()
	var kinds []EventKind
	for _, e := range d.events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

func (d *driver) told() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []string
	for _, e := range d.events {
		all = append(all, e.Sentence)
	}
	return strings.Join(all, "\n")
}

// chatSpec is a fake chat model with some layers on a device.
func chatSpec() inference.LoadSpec {
	spec := fake.Spec(inference.RoleAnswer, inference.RoleCondense)
	spec.Path, spec.GPULayers = "/models/chat.gguf", -1
	spec.Profile.ID, spec.Profile.Name = "chat", "Chat"
	return spec
}

func embedSpec() inference.LoadSpec {
	spec := fake.Spec(inference.RoleEmbed)
	spec.Path = "/models/embed.gguf"
	spec.Profile.Name = "Embed"
	return spec
}

func (d *driver) load(specs ...inference.LoadSpec) {
	d.Helper()
	for _, spec := range specs {
		if _, err := d.Load(d.ctx, spec, nil); err != nil {
			d.Fatalf("load: %v", err)
		}
	}
}

// tell asks for the story with an order how to die on the way.
func (d *driver) tell(order string) (inference.GenerateResult, string, error) {
	d.Helper()
	g, err := d.Generator(inference.RoleAnswer)
	if err != nil {
		d.Fatal(err)
	}
	var streamed strings.Builder
	res, err := g.Generate(d.ctx, inference.GenerateRequest{Completion: order}, func(p inference.Piece) error {
		streamed.WriteString(p.Text)
		return nil
	})
	return res, streamed.String(), err
}

// expectStory asks for the whole story without a death.
func (d *driver) expectStory() {
	d.Helper()
	res, streamed, err := d.tell("do nothing after 0 times 0")
	if err != nil || res.Text != story || streamed != story || res.Continued {
		d.Fatalf("a later request gave %q, streamed %q, continued %v, %v", res.Text, streamed, res.Continued, err)
	}
}

func (d *driver) expectDied(err error, part string) {
	d.Helper()
	var e *inference.Error
	if !errors.Is(err, inference.ErrWorkerDied) || !errors.As(err, &e) || !strings.Contains(e.Message, part) {
		d.Errorf("got %v, want ErrWorkerDied with %q", err, part)
	}
}

// loads reads what the workers were asked to load, oldest first.
func (d *driver) loads() []loadNote {
	d.Helper()
	b, err := os.ReadFile(filepath.Join(d.state, "loads"))
	if err != nil {
		d.Fatal(err)
	}
	var notes []loadNote
	for line := range strings.Lines(string(b)) {
		var n loadNote
		if err := json.Unmarshal([]byte(line), &n); err != nil {
			d.Fatal(err)
		}
		notes = append(notes, n)
	}
	return notes
}

// gate lets the steps of every worker through one by one. allow is called
// before each with the first letter of its phase; false stops that worker for
// good, which is then as if in the middle of that step.
func (d *driver) gate(allow func(phase byte) bool) {
	d.Helper()
	l, err := net.Listen("unix", filepath.Join(d.state, "gate"))
	if err != nil {
		d.Fatal(err)
	}
	var work sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			work.Go(func() {
				b := make([]byte, 1)
				for {
					if _, err := c.Read(b); err != nil || !allow(b[0]) {
						return
					}
					if _, err := c.Write(b); err != nil {
						return
					}
				}
			})
		}
	})
	d.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		for _, c := range open {
			_ = c.Close()
		}
		mu.Unlock()
		work.Wait()
	})
}

func expectEvents(t testing.TB, d *driver, want ...EventKind) {
	t.Helper()
	if got := d.kinds(); !slices.Equal(got, want) {
		t.Errorf("events %v, want %v; they said:\n%s", got, want, d.told())
	}
}
