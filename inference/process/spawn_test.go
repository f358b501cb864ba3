package process_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"referent/inference/process"
)

func roundTrip(t *testing.T, c *process.Child) {
	t.Helper()
	if err := c.Send('x', []byte("ciao")); err != nil {
		t.Fatal(err)
	}
	kind, payload, err := c.Receive()
	if err != nil || kind != 'x' || string(payload) != "ciao" {
		t.Fatalf("got %q %q %v, want x ciao", kind, payload, err)
	}
}

func TestClosingTheInputEndsAChild(t *testing.T) {
	child := spawn(t, process.Spec{Role: "echo"})
	roundTrip(t, child)
	if err := child.Close(time.Minute); err != nil {
		t.Errorf("ended with %v, want code 0", err)
	}
}

func TestWhatALibraryPrintsStaysOutOfThePipe(t *testing.T) {
	child := spawn(t, process.Spec{Role: "print"})
	roundTrip(t, child)
}

func TestGarbageInThePipeIsNoticed(t *testing.T) {
	child := spawn(t, process.Spec{Role: "garbage"})
	if _, _, err := child.Receive(); !errors.Is(err, process.ErrGarbage) {
		t.Errorf("got %v, want ErrGarbage", err)
	}
}

func killFromOutside(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}

func TestHowAChildEnded(t *testing.T) {
	for _, c := range []struct {
		name string
		spec process.Spec
		end  func(*process.Child, context.CancelFunc)
		want process.Death
	}{
		{"code 0", process.Spec{Role: "exit", Args: []string{"0"}}, nil, process.Death{Kind: process.DeathExit}},
		{"code 7", process.Spec{Role: "exit", Args: []string{"7"}}, nil, process.Death{Kind: process.DeathExit, Code: 7}},
		{"killed by us", process.Spec{Role: "stuck"}, func(c *process.Child, _ context.CancelFunc) { c.Kill() }, process.Death{Kind: process.DeathKilled, Code: -1}},
		{"killed as hung", process.Spec{Role: "stuck"}, func(c *process.Child, _ context.CancelFunc) { c.KillAs(process.DeathHang); c.Kill() }, process.Death{Kind: process.DeathHang, Code: -1}},
		{"context done", process.Spec{Role: "stuck"}, func(_ *process.Child, cancel context.CancelFunc) { cancel() }, process.Death{Kind: process.DeathKilled, Code: -1}},
		{"killed by another", process.Spec{Role: "stuck"}, func(c *process.Child, _ context.CancelFunc) { killFromOutside(c.PID()) }, process.Death{Kind: process.DeathSignal, Code: -1, Signal: "SIGKILL"}},
		{"panic", process.Spec{Role: "panic", Args: []string{"the tenant Maria Rossi owes"}}, nil, process.Death{Kind: process.DeathExit, Code: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			child, err := process.Spawn(ctx, c.spec)
			if err != nil {
				t.Fatal(err)
			}
			defer child.Close(time.Minute)
			if c.end != nil {
				c.end(child, cancel)
			}
			got := child.Death()
			if strings.Contains(got.Stderr, "Rossi") {
				t.Errorf("text of a document was kept: %q", got.Stderr)
			}
			if c.name == "panic" && !strings.Contains(got.Stderr, "panic: (text removed)\n") {
				t.Errorf("the panic is not told: %q", got.Stderr)
			}
			got.Stderr = ""
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if err := child.Wait(); (err == nil) != (c.want == process.Death{Kind: process.DeathExit}) {
				t.Errorf("Wait returned %v", err)
			}
		})
	}
}

func TestAnExecutableThatIsNotThere(t *testing.T) {
	if _, err := process.Spawn(context.Background(), process.Spec{Role: "echo", Exe: "/nowhere/referent"}); err == nil {
		t.Error("a missing executable must be an error")
	}
}

func BenchmarkSpawnToFirstFrame(b *testing.B) {
	for b.Loop() {
		child, err := process.Spawn(context.Background(), process.Spec{Role: "echo"})
		if err != nil {
			b.Fatal(err)
		}
		if err := child.Send('x', nil); err != nil {
			b.Fatal(err)
		}
		if _, _, err := child.Receive(); err != nil {
			b.Fatal(err)
		}
		if err := child.Close(time.Minute); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	child := spawn(b, process.Spec{Role: "echo"})
	payload := make([]byte, 64)
	for b.Loop() {
		if err := child.Send('x', payload); err != nil {
			b.Fatal(err)
		}
		if _, _, err := child.Receive(); err != nil {
			b.Fatal(err)
		}
	}
}
