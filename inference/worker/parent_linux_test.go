package worker

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"referent/inference/process"
)

// nest is a parent of its own: it loads a model, tells the worker's process id
// and waits to be killed.
func nest() int {
	cfg, spec := Config{}, chatSpec()
	if os.Getenv(startVariable) == "real" {
		cfg, spec = realChat()
	}
	h := New(cfg)
	if _, err := h.Load(context.Background(), spec, nil); err != nil {
		return 1
	}
	pipe := process.NewPipe(process.Stdio())
	if pipe.Send('p', []byte(strconv.Itoa(h.PID()))) != nil {
		return 1
	}
	_, _, _ = pipe.Receive() // until the test ends it
	return 0
}

func TestAWorkerEndsWithItsParent(t *testing.T) {
	endParent(t, stateVariable+"="+t.TempDir())
}

// endParent starts a parent with a worker, kills the parent and waits for the
// worker's end.
func endParent(t *testing.T, env ...string) {
	t.Helper()
	parent, err := process.Spawn(t.Context(), process.Spec{Role: "nest", Env: env})
	if err != nil {
		t.Fatal(err)
	}
	defer parent.Close(time.Minute)
	_, payload, err := parent.Receive()
	if err != nil {
		t.Fatalf("%v; it said %q", err, parent.Stderr())
	}
	pid, err := strconv.Atoi(string(payload))
	if err != nil {
		t.Fatal(err)
	}
	worker, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(worker)
	p, err := os.FindProcess(parent.PID())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
	ended := []unix.PollFd{{Fd: int32(worker), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(ended, 60_000)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n != 1 {
			t.Fatalf("the worker lives on (%d, %v)", n, err)
		}
		return
	}
}
