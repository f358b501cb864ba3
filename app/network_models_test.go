//go:build models && linux

package app_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"referent/rag"
)

// handful is a small part of the sample library: a PDF file and two sheets.
func handful(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"heating-manual.pdf", "houses/quay-house.md", "contracts/lift-maintenance.md"} {
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
	cmd.Env = append(os.Environ(), "REFERENT_MODEL_THREADS=1")
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

// noNetwork is a command that runs another without any network: a namespace of
// its own, in which even loopback is down.
func noNetwork(t *testing.T) []string {
	t.Helper()
	var problems []error
	for _, wrap := range [][]string{{"unshare", "--net", "--"}, {"unshare", "--user", "--map-root-user", "--net", "--"}} {
		out, err := exec.CommandContext(t.Context(), wrap[0], append(wrap[1:], "cat", "/proc/net/dev")...).CombinedOutput()
		if err != nil {
			problems = append(problems, errors.New(strings.Join(wrap, " ")+": "+err.Error()+": "+string(out)))
			continue
		}
		for line := range strings.Lines(string(out)) {
			if name, _, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) != "lo" {
				t.Fatalf("the namespace has a network:\n%s", out)
			}
		}
		return wrap
	}
	t.Fatalf("no namespace without a network can be made: %v", errors.Join(problems...))
	return nil
}

func TestNetwork_TheMainJobPassesWithoutAny(t *testing.T) {
	wrap := noNetwork(t)
	data := filepath.Join(t.TempDir(), "data")
	s := &story{t: t}
	s.events = runWrapped(t, wrap, "--data", data, "--json", "--quiet", "ask", "--add", handful(t), "Which boiler heats Quay House, and when does its heating season begin?")
	s.checkOrder()
	s.ExpectSearchedYourWords(rag.StatusNoHistory)
	s.ExpectCited("quay-house.md", 0, "15 September")
	s.events = runWrapped(t, wrap, "--data", data, "--json", "--quiet", "ask", "--conversation", "1", "--engine", "condense_context", "What pressure must it have when it is cold?")
	s.checkOrder()
	s.ExpectSearchedFor("K-60")
	s.ExpectCited("heating-manual.pdf", 7, "1.8 bar")
}

// addressed finds the address in a line of strace.
var addressed = regexp.MustCompile(`sa_family=(AF_\w+)([^}]*)`)

// abroad tells whether a line of strace names an address that is not of this
// computer.
func abroad(line string) bool {
	for _, m := range addressed.FindAllStringSubmatch(line, -1) {
		switch {
		case m[1] == "AF_UNIX":
		case m[1] == "AF_INET" && strings.Contains(m[2], `inet_addr("127.`):
		case m[1] == "AF_INET6" && strings.Contains(m[2], `"::1"`):
		default:
			return true
		}
	}
	return false
}

func TestNetwork_ATraceOfAskShowsNoForeignAddress(t *testing.T) {
	for line, want := range map[string]bool{
		`17 connect(5, {sa_family=AF_UNIX, sun_path="/tmp/d/owner.sock"}, 22) = 0`:                                          false,
		`17 connect(5, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}, 16) = 0`:                   false,
		`17 connect(5, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.2")}, 16) = 0`:                    true,
		`17 connect(5, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 0`: true,
	} {
		if abroad(line) != want {
			t.Fatalf("the test itself misreads %s", line)
		}
	}
	trace := filepath.Join(t.TempDir(), "trace")
	strace := []string{"strace", "-f", "-qq", "-o", trace, "-e", "trace=connect,sendto,sendmsg,sendmmsg,execve", "-e", "signal=none"}
	if out, err := exec.CommandContext(t.Context(), strace[0], append(strace[1:], "true")...).CombinedOutput(); err != nil {
		t.Fatalf("strace cannot trace here: %v\n%s", err, out)
	}
	s := &story{t: t, events: runWrapped(t, strace, "--data", filepath.Join(t.TempDir(), "data"), "--json", "--quiet", "ask", "--add", handful(t), "Who is the caretaker of Quay House?")}
	s.ExpectCited("quay-house.md", 0, "Jonas Weber")
	raw, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, seen := range []string{"--role=model", "--role=parse", "owner.sock"} {
		if !strings.Contains(text, seen) {
			t.Errorf("the trace has not seen %q: it followed nobody", seen)
		}
	}
	for line := range strings.Lines(text) {
		if abroad(line) {
			t.Errorf("%s", line)
		}
	}
}
