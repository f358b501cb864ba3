package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is one line of go test -json.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build output
	Test        string
	Output      string
	FailedBuild string
	Elapsed     float64 // seconds; of the end of a test or a package
}

// tally turns events into counts. A test with subtests counts through them.
type tally struct {
	r        *result
	output   map[string]*strings.Builder // of a test or a package
	outcome  map[string]string           // pass, fail or skip of a test
	parent   map[string]bool             // tests with subtests
	order    []string
	bench    bool
	failedIn map[string]bool // packages with a failed test
	took     []timed         // whole tests, not their parts
	strays   strings.Builder // lines that are no event
}

// timed is a test and how long it took.
type timed struct {
	key     string
	seconds float64
}

// slowest is how many of a lane's tests are named with their time, when they
// took slow seconds or more: a budget is kept by looking at them.
const (
	slowest = 10
	slow    = 5.0
)

func newTally(r *result) *tally {
	return &tally{r: r, output: map[string]*strings.Builder{}, outcome: map[string]string{}, parent: map[string]bool{}, failedIn: map[string]bool{}}
}

// goTest runs go test with -json and adds what happened to r.
func goTest(ctx context.Context, r *result, wrap []string, env []string, args ...string) {
	t := newTally(r)
	t.run(ctx, wrap, env, args...)
}

func (t *tally) run(ctx context.Context, wrap, env []string, args ...string) {
	command := append(append([]string{}, wrap...), append([]string{"go", "test", "-json"}, args...)...)
	cmd := prepare(ctx, env, command...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.r.fail("go test", err.Error())
		return
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.r.fail("go test", err.Error())
		return
	}
	t.read(out)
	err = cmd.Wait()
	t.finish()
	if err != nil && t.r.failed == 0 {
		t.r.fail(strings.Join(command, " "), err.Error()+"\n"+stderr.String()+t.strays.String())
	}
}

// read takes in the events. Lines that are no event are output of a wrapper, or
// say why go test failed.
func (t *tally) read(r io.Reader) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			t.strays.WriteString(lines.Text() + "\n")
			continue
		}
		t.take(e)
	}
	// A line of more than 16 MB ends the scan: read on, or the child blocks.
	_, _ = io.Copy(io.Discard, r)
}

func (t *tally) take(e event) {
	key := e.Package
	if e.Package == "" {
		key = e.ImportPath
	}
	if e.Test != "" {
		key += " " + e.Test
		if at := strings.LastIndexByte(e.Test, '/'); at >= 0 {
			t.parent[e.Package+" "+e.Test[:at]] = true
		}
	}
	switch e.Action {
	case "output", "build-output":
		if t.output[key] == nil {
			t.output[key] = &strings.Builder{}
		}
		t.output[key].WriteString(e.Output)
		if t.bench && strings.Contains(e.Output, "ns/op") {
			t.r.notes = append(t.r.notes, figures(e))
		}
	case "pass", "fail", "skip":
		if e.Test != "" {
			t.outcome[key] = e.Action
			t.order = append(t.order, key)
			if !strings.Contains(e.Test, "/") {
				t.took = append(t.took, timed{key, e.Elapsed})
			}
			if e.Action == "fail" {
				t.failedIn[e.Package] = true
			}
			return
		}
		if e.Action == "fail" && !t.failedIn[e.Package] {
			text := t.text(e.Package)
			if e.FailedBuild != "" {
				text = t.text(e.FailedBuild) + text
			}
			t.r.fail(e.Package, text)
		}
	}
}

// figures is the line of a benchmark. Its name and its figures come as two
// events when the package is fast to write and slow to run.
func figures(e event) string {
	line := strings.TrimRight(e.Output, "\n")
	if strings.HasPrefix(line, "Benchmark") {
		return line
	}
	return e.Test + line
}

func (t *tally) text(key string) string {
	if b := t.output[key]; b != nil {
		return b.String()
	}
	return ""
}

// finish counts the tests and names the slowest. A parent fails by itself only if no child did.
func (t *tally) finish() {
	childFailed := map[string]bool{}
	for _, key := range t.order {
		if t.outcome[key] != "fail" {
			continue
		}
		for at := strings.LastIndexByte(key, '/'); at > strings.LastIndexByte(key, ' '); at = strings.LastIndexByte(key[:at], '/') {
			childFailed[key[:at]] = true
		}
	}
	for _, key := range t.order {
		switch t.outcome[key] {
		case "pass":
			if !t.parent[key] {
				t.r.pass(1)
			}
		case "skip":
			t.r.skipped++
			t.r.notes = append(t.r.notes, fmt.Sprintf("   skipped %s", key))
		case "fail":
			if !childFailed[key] {
				t.r.fail(key, t.text(key))
			}
		}
	}
	slices.SortFunc(t.took, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, test := range t.took[:min(slowest, len(t.took))] {
		if test.seconds >= slow {
			t.r.notes = append(t.r.notes, fmt.Sprintf("   %6.1fs %s", test.seconds, test.key))
		}
	}
}
