//go:build models && linux

package app_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"syscall"
	"testing"

	"referent/app"
	"referent/inference/outbound/trace"
	"referent/rag"
)

// handful is a small part of the sample library.
func handful(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"contracts/insurance.md", "contracts/lift-maintenance.md"} {
		body, err := os.ReadFile(filepath.Join(testdata("library"), name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runWrapped runs a command line in a process of its own, behind another command,
// and returns its events.
func runWrapped(t *testing.T, wrap []string, args ...string) []rag.Event {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	line := append(append(append([]string{}, wrap...), exe, "--role="+programRole), args...)
	cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v\n%s", line, err, errs.String())
	}
	var events []rag.Event
	for l := range bytes.Lines(out) {
		e, err := rag.UnmarshalEvent(l)
		if err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		events = append(events, e)
	}
	return events
}

// noNetworkVariable marks the process that runs the tests of real models: it is
// in a network namespace of its own, in which even loopback is down. So all of
// them prove that the main job needs no network.
const noNetworkVariable = "REFERENT_TEST_NO_NETWORK"

var _ = addBefore(leaveTheNetwork)

func addBefore(f func()) bool {
	before = append(before, f)
	return true
}

// leaveTheNetwork runs the tests in a process without any network and exits
// with its code. Where that cannot be done they run here, and the test below
// says why it is not enough.
func leaveTheNetwork() {
	if os.Getenv(noNetworkVariable) != "" {
		return
	}
	var problems []string
	for _, wrap := range [][]string{{"unshare", "--net", "--"}, {"unshare", "--user", "--map-root-user", "--net", "--"}} {
		if out, err := exec.Command(wrap[0], append(wrap[1:], "true")...).CombinedOutput(); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %v %s", strings.Join(wrap, " "), err, out))
			continue
		}
		cmd := exec.Command(wrap[0], append(wrap[1:], os.Args...)...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		cmd.Env = append(os.Environ(), noNetworkVariable+"=yes")
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		goruntime.LockOSThread() // the signal comes with the end of the thread that started it
		err := cmd.Run()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(cmd.ProcessState.ExitCode())
	}
	whyNetwork = strings.Join(problems, "\n")
}

// whyNetwork says why the tests run with a network.
var whyNetwork string

func TestNetwork_TheMainJobRunsWithoutAny(t *testing.T) {
	if whyNetwork != "" {
		t.Fatalf("no namespace without a network can be made:\n%s", whyNetwork)
	}
	devices, err := os.ReadFile("/proc/net/dev")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(devices)) {
		if name, _, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) != "lo" {
			t.Errorf("there is a network:\n%s", devices)
		}
	}
	if c, err := net.Dial("tcp", "192.0.2.1:80"); err == nil { // an address for documentation
		_ = c.Close()
		t.Error("a connection could be made")
	}
	s := realStory(t) // that the answer model writes in here is shown by the sample conversation
	if _, err := s.AskWith(t.Context(), app.AskRequest{Question: "Who is the caretaker of Quay House?", Mode: string(rag.ModeQuote)}); err != nil {
		t.Fatal(err)
	}
	s.ExpectCited("quay-house.md", 0, "Jonas Weber")
}

func TestNetwork_ATraceOfAskShowsNoForeignAddress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace")
	strace := trace.Command(file)
	if out, err := exec.CommandContext(t.Context(), strace[0], append(strace[1:], "true")...).CombinedOutput(); err != nil {
		t.Fatalf("strace cannot trace here: %v\n%s", err, out)
	}
	s := &story{t: t, events: runWrapped(t, strace, "--data", filepath.Join(t.TempDir(), "data"), "--json", "--quiet", "ask", "--add", handful(t), "--set", "answer.max_tokens=32",
		"What is the yearly price of the lifts of Tower House?")}
	s.ExpectCited("lift-maintenance.md", 0, "9,720 euros")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, seen := range []string{"--role=model", "--role=parse", "owner.sock"} {
		if !strings.Contains(text, seen) {
			t.Errorf("the trace has not seen %q: it followed nobody", seen)
		}
	}
	for _, line := range trace.Foreign(text) {
		t.Error(line)
	}
}
