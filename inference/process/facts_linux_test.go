package process_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"referent/inference/process"
)

// safety is what a child says about its own protection.
type safety struct {
	CoreLimit uint64
	Dumpable  int
	Name      string
	Env       []string
}

func facts() int {
	var core unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_CORE, &core) != nil {
		return 3
	}
	dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil {
		return 3
	}
	name, err := os.ReadFile("/proc/self/comm")
	if err != nil {
		return 3
	}
	b, err := json.Marshal(safety{core.Cur, dumpable, strings.TrimSpace(string(name)), os.Environ()})
	if err != nil || process.NewPipe(process.Stdio()).Send('f', b) != nil {
		return 3
	}
	return 0
}

func TestAChildLeavesNoCoreDumpAndShowsItsRole(t *testing.T) {
	t.Setenv("GGML_BACKEND_PATH", "/somewhere")
	child := spawn(t, process.Spec{Role: "facts", Env: []string{"GGML_BACKEND_PATH", "GGML_NO_BACKTRACE=1"}})
	_, payload, err := child.Receive()
	if err != nil {
		t.Fatal(err)
	}
	var got safety
	if err := json.Unmarshal(payload, &got); err != nil {
		t.Fatal(err)
	}
	if got.CoreLimit != 0 || got.Dumpable != 0 || got.Name != "referent-facts" {
		t.Errorf("core limit %d, dumpable %d, name %q; want 0, 0, referent-facts", got.CoreLimit, got.Dumpable, got.Name)
	}
	joined := strings.Join(got.Env, "\n")
	if strings.Contains(joined, "GGML_BACKEND_PATH") || !strings.Contains(joined, "GGML_NO_BACKTRACE=1") {
		t.Error("the environment was not changed as asked")
	}
}

func TestAChildDiesWithItsParent(t *testing.T) {
	parent := spawn(t, process.Spec{Role: "nest"})
	_, payload, err := parent.Receive()
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(payload))
	if err != nil {
		t.Fatal(err)
	}
	grandchild, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(grandchild)

	parent.Kill()

	// The descriptor becomes readable when the process ends.
	ended := []unix.PollFd{{Fd: int32(grandchild), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(ended, 60_000)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n != 1 {
			t.Fatalf("the grandchild lives on (%d, %v)", n, err)
		}
		return
	}
}

func TestAChildWithTooMuchMemoryIsEnded(t *testing.T) {
	child := spawn(t, process.Spec{Role: "eat", MemoryLimit: 192 << 20})
	<-child.Exited()
	if d := child.Death(); d.Kind != process.DeathMemory {
		t.Errorf("ended as %q (%s), want %q", d.Kind, d.Error(), process.DeathMemory)
	}
}

func TestAStartedChildSurvivesTheThreadThatAskedForIt(t *testing.T) {
	// A locked goroutine that returns takes its thread with it; were the child
	// started there, the kernel would kill it.
	started := make(chan *process.Child)
	go func() {
		runtime.LockOSThread()
		child, err := process.Spawn(context.Background(), process.Spec{Role: "echo"})
		if err != nil {
			t.Error(err)
		}
		started <- child
	}()
	child := <-started
	if child == nil {
		return
	}
	t.Cleanup(func() { child.Kill(); <-child.Exited() })
	roundTrip(t, child)
}

func TestUsageOfTheRunningProcess(t *testing.T) {
	child := spawn(t, process.Spec{Role: "echo"})
	roundTrip(t, child)
	if bytes, ok := child.Resident(); !ok || bytes < 1<<20 {
		t.Errorf("resident memory %d, %v; want more than 1 MB", bytes, ok)
	}
	if used, ok := child.CPUTime(); !ok || used < 0 {
		t.Errorf("processor time %v, %v", used, ok)
	}
}

func TestAnUnknownRoleSaysWhichExist(t *testing.T) {
	out, err := exec.Command("/proc/self/exe", "--role=tea").CombinedOutput()
	if err == nil {
		t.Fatal("an unknown role must end with an error")
	}
	want := `referent: there is no role "tea"; the roles are eat, echo, exit,`
	if !strings.HasPrefix(string(out), want) {
		t.Errorf("said %q, want it to begin with %q", out, want)
	}
}
