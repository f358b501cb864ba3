package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// fuzz runs every fuzz test with one worker each: for 20 seconds, from the
// inputs of the repository alone, or for as long as REFERENT_FUZZ_TIME says, from
// all that earlier runs have found as well.
func fuzz(ctx context.Context, r *result) {
	list, err := functions(".", "Fuzz", func(c string) bool { return c == "" })
	if err != nil {
		r.fail("fuzz", err.Error())
		return
	}
	folder, err := os.MkdirTemp("", "referent-fuzz")
	if err != nil {
		r.fail("fuzz", err.Error())
		return
	}
	defer os.RemoveAll(folder)
	// More than the cores there are, because a fuzz test is given time, not work,
	// and one that starts leaves its core to others.
	f := fuzzer{time: "20s", kept: filepath.Join(folder, "found"), programs: folder, built: map[string]func() error{}}
	atOnce := 3 * runtime.NumCPU()
	if long := os.Getenv("REFERENT_FUZZ_TIME"); long != "" {
		kept, err := prepare(ctx, nil, "go", "env", "GOCACHE").Output()
		if err != nil {
			r.fail("fuzz", err.Error())
			return
		}
		f.time, f.kept = long, filepath.Join(strings.TrimSpace(string(kept)), "fuzz", "referent")
		atOnce = runtime.NumCPU()
	}
	for _, test := range list {
		f.built[test.pkg] = sync.OnceValue(func() error { return f.build(ctx, test.pkg) })
	}
	each := make([]result, len(list))
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(atOnce, len(list)) {
		wait.Go(func() {
			for i := range next {
				f.run(ctx, &each[i], list[i])
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	wait.Wait()
	for i := range each {
		r.passed += each[i].passed
		r.failed += each[i].failed
		r.failures = append(r.failures, each[i].failures...)
	}
}

// fuzzer runs fuzz tests.
type fuzzer struct {
	time     string // of each
	kept     string // folder of the inputs that were found
	programs string // folder of the test programs, one for each package
	built    map[string]func() error
}

// build makes the test program of a package.
func (f fuzzer) build(ctx context.Context, pkg string) error {
	out, err := prepare(ctx, nil, "go", "test", "-tags", tagsPlain, "-vet=off", "-fuzz", "Fuzz", "-c", "-o", f.program(pkg), pkg).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s%w", out, err)
	}
	return nil
}

func (f fuzzer) program(pkg string) string {
	return filepath.Join(f.programs, strings.ReplaceAll(filepath.ToSlash(filepath.Clean(pkg)), "/", "-")+".test")
}

// run runs one fuzz test in the folder of its package, as go test does.
func (f fuzzer) run(ctx context.Context, r *result, test named) {
	if err := f.built[test.pkg](); err != nil {
		r.fail(test.pkg+" "+test.name, err.Error())
		return
	}
	// Without a bound on minimizing, a run of this length does little else.
	cmd := prepare(ctx, nil, f.program(test.pkg), "-test.run", "^$", "-test.fuzz", "^"+test.name+"$", "-test.fuzztime", f.time,
		"-test.fuzzminimizetime", "10x", "-test.parallel", "1", "-test.fuzzcachedir", filepath.Join(f.kept, test.pkg))
	cmd.Dir = test.pkg
	out, err := cmd.CombinedOutput()
	if err == nil || endedByItsTime(string(out)) {
		r.pass(1)
		return
	}
	r.fail(fmt.Sprintf("%s %s for %s", test.pkg, test.name, f.time), string(out)+err.Error())
}

var outOfTime = regexp.MustCompile(`(?m)^--- FAIL: Fuzz\w+ \([\d.]+s\)\n    context deadline exceeded\nFAIL\n`)

// endedByItsTime reports whether a fuzz test found nothing and ended at its
// time, which Go before 1.27 sometimes calls a failure: golang/go#75804. A
// finding names the input that it wrote or what the test said about it.
func endedByItsTime(out string) bool {
	return outOfTime.MatchString(out) && strings.Count(out, "--- FAIL") == 1 && !strings.Contains(out, "Failing input")
}
