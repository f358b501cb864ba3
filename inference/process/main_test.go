package process_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"testing"
	"time"

	"referent/inference/process"
)

// TestMain gives this test binary the roles that its tests spawn.
func TestMain(m *testing.M) {
	roles := map[string]func() int{
		"echo":    echo,
		"stuck":   stuck,
		"exit":    func() int { code, _ := strconv.Atoi(process.Args()[0]); return code },
		"stderr":  func() int { fmt.Fprint(os.Stderr, process.Args()[0]); return 1 },
		"panic":   func() int { panic(process.Args()[0]) },
		"print":   func() int { fmt.Fprintln(os.NewFile(1, "C"), "printed by a library"); return echo() },
		"garbage": func() int { _, out := process.Stdio(); fmt.Fprintln(out, "hello"); return 0 },
		"eat":     eat,
		"nest":    nest,
		"facts":   facts,
	}
	process.TestMain(m, roles)
}

// echo sends every frame back until its input closes.
func echo() int {
	pipe := process.NewPipe(process.Stdio())
	for {
		kind, payload, err := pipe.Receive()
		if err == io.EOF {
			return 0
		}
		if err != nil || pipe.Send(kind, payload) != nil {
			return 3
		}
	}
}

// stuck ignores its input. Waiting for a signal keeps the runtime from calling
// it a deadlock.
func stuck() int {
	never := make(chan os.Signal, 1)
	signal.Notify(never, os.Interrupt)
	<-never
	return 0
}

// eat takes memory, 16 MB at a time, up to 2 GB, and keeps it.
func eat() int {
	var kept [][]byte
	for range 128 {
		block := make([]byte, 16<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		kept = append(kept, block)
	}
	defer runtime.KeepAlive(kept)
	return stuck()
}

// nest starts a child that ignores its input, tells its id and waits.
func nest() int {
	child, err := process.Spawn(context.Background(), process.Spec{Role: "stuck"})
	if err != nil {
		return 3
	}
	if process.NewPipe(process.Stdio()).Send('p', []byte(strconv.Itoa(child.PID()))) != nil {
		return 3
	}
	return stuck()
}

// spawn starts a child that ends with the test.
func spawn(t testing.TB, spec process.Spec) *process.Child {
	t.Helper()
	child, err := process.Spawn(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Kill(); _ = child.Close(time.Minute) })
	return child
}
