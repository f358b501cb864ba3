package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func taken(t *testing.T, events string) *result {
	t.Helper()
	r := &result{}
	tally := newTally(r)
	tally.read(strings.NewReader(events))
	tally.finish()
	return r
}

func TestSubtestsCountAndTheirParentDoesNot(t *testing.T) {
	r := taken(t, `
{"Action":"pass","Package":"p","Test":"TestA/x"}
{"Action":"output","Package":"p","Test":"TestA/y","Output":"want 1\n"}
{"Action":"fail","Package":"p","Test":"TestA/y"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"skip","Package":"p","Test":"TestC"}
{"Action":"fail","Package":"p"}
no event at all
`)
	if r.passed != 2 || r.failed != 1 || r.skipped != 1 {
		t.Errorf("%d passed, %d failed, %d skipped", r.passed, r.failed, r.skipped)
	}
	if len(r.failures) != 1 || r.failures[0].name != "p TestA/y" || !strings.Contains(r.failures[0].output, "want 1") {
		t.Errorf("%+v", r.failures)
	}
}

func TestAParentThatFailsByItselfCounts(t *testing.T) {
	r := taken(t, `
{"Action":"pass","Package":"p","Test":"TestA/x"}
{"Action":"fail","Package":"p","Test":"TestA"}
`)
	if r.passed != 1 || r.failed != 1 {
		t.Errorf("%d passed, %d failed", r.passed, r.failed)
	}
}

func TestABuildThatFailsShowsTheCompiler(t *testing.T) {
	r := taken(t, `
{"ImportPath":"p [p.test]","Action":"build-output","Output":"p.go:3: undefined: x\n"}
{"ImportPath":"p [p.test]","Action":"build-fail"}
{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}
`)
	if r.failed != 1 || !strings.Contains(r.failures[0].output, "undefined: x") {
		t.Errorf("%+v", r)
	}
}

func TestABenchmarkIsNamedBesideItsFigures(t *testing.T) {
	r := &result{}
	tally := newTally(r)
	tally.bench = true
	tally.read(strings.NewReader(`
{"Action":"output","Package":"p","Test":"BenchmarkA","Output":"BenchmarkA-2   \t"}
{"Action":"output","Package":"p","Test":"BenchmarkA","Output":"      10\t    158029 ns/op\n"}
{"Action":"output","Package":"p","Test":"BenchmarkB/x","Output":"BenchmarkB/x-2   \t      20\t    7 ns/op\n"}
`))
	want := []string{"BenchmarkA      10\t    158029 ns/op", "BenchmarkB/x-2   \t      20\t    7 ns/op"}
	if !slices.Equal(r.notes, want) {
		t.Errorf("%q", r.notes)
	}
}

func TestALaneInWhichNothingRanHasFailed(t *testing.T) {
	r := lane{name: "empty", budget: time.Minute, run: func(context.Context, *result) {}}.runIn(context.Background())
	if r.failed != 1 {
		t.Errorf("%+v", r)
	}
}

func TestALaneOverBudgetSaysSo(t *testing.T) {
	r := &result{took: 2 * time.Second}
	if r.late(time.Second) == "" || r.late(3*time.Second) != "" {
		t.Error("late is wrong")
	}
}

func TestGroupsNameLanes(t *testing.T) {
	for name := range groups {
		if list, err := choose([]string{name}); err != nil || len(list) < 2 {
			t.Errorf("%s: %d lanes, %v", name, len(list), err)
		}
	}
	if _, err := choose([]string{"fromat"}); err == nil {
		t.Error("a misspelt lane was accepted")
	}
	if _, err := choose(nil); err == nil {
		t.Error("no lane was accepted")
	}
}

func TestFunctionsAreFoundByTheirTag(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go":                "package a\nfunc TestPlain(t *testing.T) {}\nfunc FuzzPlain(f *testing.F) {}\n",
		"b_models_test.go":         "//go:build models\n\npackage a\nfunc TestModel(t *testing.T) {}\nfunc TestMain(m *testing.M) {}\n",
		"c_test.go":                "//go:build !models\n\npackage a\nfunc TestWithout(t *testing.T) {}\n",
		"d_test.go":                "//go:build linux && window\n\npackage a\nfunc TestWindow(t *testing.T) {}\n",
		"node_modules/x_test.go":   "//go:build models\n\npackage x\nfunc TestForeign(t *testing.T) {}\n",
		"testdata/inner/y_test.go": "//go:build models\n\npackage y\nfunc TestData(t *testing.T) {}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for tag, want := range map[string]string{"models": "^(TestModel)$", "window": "^(TestWindow)$"} {
		list, err := functions(".", "Test", wants(tag))
		if err != nil {
			t.Fatal(err)
		}
		if run, packages := arguments(list); run != want || !slices.Equal(packages, []string{"./."}) {
			t.Errorf("%s: %s in %q", tag, run, packages)
		}
	}
	fuzzers, err := functions(".", "Fuzz", func(c string) bool { return c == "" })
	if err != nil || len(fuzzers) != 1 || fuzzers[0].name != "FuzzPlain" {
		t.Errorf("%v, %v", fuzzers, err)
	}
}

func TestVitestReportIsCounted(t *testing.T) {
	r := &result{}
	err := countUnits(r, []byte(`{"numPassedTests":7,"numFailedTests":2,"numPendingTests":1}`), "expected 1")
	if err != nil || r.passed != 7 || r.failed != 2 || r.skipped != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if countUnits(&result{}, []byte("no report"), "") == nil {
		t.Error("a broken report was accepted")
	}
}

func TestTheSummaryNamesEachFailureWithItsLastLines(t *testing.T) {
	r := &result{}
	r.fail("type check", strings.Repeat("early\n", 40)+"99 errors\n")
	got := r.summary("frontend")
	if !strings.HasPrefix(got, "-- FAILED in frontend: type check\n") || !strings.HasSuffix(got, "   99 errors\n") || strings.Count(got, "early") != summaryLines-1 {
		t.Error(got)
	}
	if (&result{}).summary("go") != "" {
		t.Error("a lane without failures has a summary")
	}
}

func TestALaneBesideRunsWithTheOthersAndTheOthersInTurn(t *testing.T) {
	started := make(chan string, 3)
	release := make(chan struct{})
	named := func(name string, beside bool, wait bool) lane {
		return lane{name: name, budget: time.Minute, beside: beside, run: func(_ context.Context, r *result) {
			started <- name
			if wait {
				<-release
			}
			r.pass(1)
		}}
	}
	var order []string
	for o := range outcomes(t.Context(), []lane{named("first", false, false), named("models", true, true), named("second", false, false)}) {
		order = append(order, o.name)
		if len(order) == 2 {
			close(release)
		}
	}
	if !slices.Equal(order, []string{"first", "second", "models"}) {
		t.Errorf("ended as %v", order)
	}
}

func TestNothingBeginsAfterACancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var ran []string
	one := func(name string) lane {
		return lane{name: name, budget: time.Minute, run: func(context.Context, *result) { ran = append(ran, name); cancel() }}
	}
	for range outcomes(ctx, []lane{one("first"), one("second")}) {
	}
	if !slices.Equal(ran, []string{"first"}) {
		t.Errorf("ran %v", ran)
	}
}

// Thirty fuzz tests of five minutes take more than three times a lane's budget:
// a soak must not be ended as if it hung.
func TestLimit_ASoakIsNotEnded(t *testing.T) {
	l := lane{budget: time.Minute}
	for _, name := range []string{"REFERENT_FUZZ_TIME", "REFERENT_KILLS", "REFERENT_SOAK"} {
		t.Setenv(name, "")
	}
	if got := l.limit(); got != 3*time.Minute {
		t.Errorf("a run is ended after %s, want three times its budget", got)
	}
	t.Setenv("REFERENT_FUZZ_TIME", "10m")
	if got := l.limit(); got != 0 {
		t.Errorf("a soak is ended after %s", got)
	}
}

// Go before 1.27 may call the end of a fuzz test's time a failure; whatever the
// test itself found stays one.
func TestFuzz_EndOfTimeIsNoFinding(t *testing.T) {
	const end = "--- FAIL: FuzzDOCX (20.15s)\n    context deadline exceeded\nFAIL\nexit status 1\nFAIL\treferent/rag/extract\t20.253s\n"
	for _, c := range []struct {
		name, out string
		want      bool
	}{
		{"time", "fuzz: elapsed: 20s, execs: 2188 (152/sec)\n" + end, true},
		{"a finding", "--- FAIL: FuzzDOCX (3.10s)\n    --- FAIL: FuzzDOCX (0.00s)\n        docx_test.go:9: context deadline exceeded\n    \n    Failing input written to testdata/fuzz/FuzzDOCX/1\nFAIL\n", false},
		{"a recorded input", "--- FAIL: FuzzDOCX (0.03s)\n    --- FAIL: FuzzDOCX/1 (0.00s)\n        docx_test.go:9: context deadline exceeded\nFAIL\n", false},
		{"a hang", "--- FAIL: FuzzDOCX (20.15s)\n    fuzzing process hung or terminated unexpectedly: exit status 2\nFAIL\n", false},
		{"no build", "FAIL\treferent/rag/extract [build failed]\n", false},
	} {
		if got := endedByItsTime(c.out); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

func TestTheSlowestTestsAreNamedWithTheirTime(t *testing.T) {
	r := taken(t, `
{"Action":"pass","Package":"p","Test":"TestQuick","Elapsed":0.2}
{"Action":"pass","Package":"p","Test":"TestLong/part","Elapsed":61}
{"Action":"pass","Package":"p","Test":"TestLong","Elapsed":61.04}
{"Action":"pass","Package":"q","Test":"TestLonger","Elapsed":100}
`)
	want := []string{"    100.0s q TestLonger", "     61.0s p TestLong"}
	if !slices.Equal(r.notes, want) {
		t.Errorf("%q", r.notes)
	}
}
