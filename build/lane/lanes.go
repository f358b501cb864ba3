package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Tags of the builds that there are. Every command carries sqlite_fts5: without
// it SQLite is compiled once more and full-text search is missing.
const (
	tagsPlain   = "sqlite_fts5"
	tagsTests   = "sqlite_fts5,models,browser,window,gpu,shareddata,clients,package,devserver"
	tagsShipped = "desktop,production,webkit2_41,sqlite_fts5"
)

// lanes in the order of make test, then those of other targets. The budgets are
// for two cores with warm caches.
var lanes = []lane{
	{name: "format", about: "gofmt and generated files", budget: 15 * time.Second, run: format},
	{name: "vet", about: "go vet for each build", budget: 4 * time.Minute, run: vet},
	{name: "staticcheck", about: "staticcheck for each build", budget: 4 * time.Minute, run: staticcheck},
	{name: "package", about: "the packages on a clean Debian, and lintian", budget: 7 * time.Minute, run: packaged},
	{name: "go", about: "hermetic Go tests with the race detector", budget: 11 * time.Minute, run: hermetic},
	{name: "models", about: "tests on real models", budget: 28 * time.Minute, run: tagged("models", ".", nil), beside: true},
	{name: "frontend", about: "types, lint and unit tests", budget: 2 * time.Minute, run: frontend},
	{name: "browser", about: "journeys in a browser, and pictures of every view", budget: 8 * time.Minute, run: tagged("browser", "app", nil)},
	{name: "window", about: "the shipped window on a virtual screen", budget: 3 * time.Minute, run: tagged("window", "app", virtualScreen)},
	{name: "devserver", about: "the window on Wails' dev server, judged by axe", budget: 3 * time.Minute, run: tagged("devserver", "app", virtualScreen)},
	{name: "clients", about: "official clients of others", budget: 2 * time.Minute, run: tagged("clients", "app", nil)},
	{name: "systems", about: "what can be built and tried here for other systems", budget: 8 * time.Minute, run: systems},
	{name: "fuzz", about: "each fuzz test for a while", budget: 8 * time.Minute, run: fuzz},
	{name: "go-quick", about: "hermetic Go tests", budget: 2 * time.Minute, run: hermeticQuick},
	{name: "units", about: "frontend unit tests", budget: time.Minute, run: units},
	{name: "bench", about: "benchmarks", budget: 20 * time.Minute, run: bench},
	{name: "gpu", about: "tests on a real graphics card", budget: 12 * time.Minute, run: gpu},
	{name: "snapshots", about: "snapshots written anew", budget: 10 * time.Minute, run: snapshots},
	{name: "shareddata", about: "tests on the shared evaluation data", budget: 10 * time.Minute, run: tagged("shareddata", ".", nil)},
}

var groups = map[string][]string{
	"all":   {"format", "vet", "staticcheck", "package", "go", "models", "frontend", "browser", "window", "devserver", "clients", "systems", "fuzz"},
	"quick": {"go-quick", "units"},
}

func format(ctx context.Context, r *result) {
	out, err := prepare(ctx, nil, "gofmt", "-l", "app", "build", "inference", "rag", "storage", "main.go", "tree_test.go").CombinedOutput()
	switch {
	case err != nil:
		r.fail("gofmt", string(out)+err.Error())
	case len(out) > 0:
		r.fail("gofmt", "these files are not formatted:\n"+string(out))
	default:
		r.pass(1)
	}
	if _, err := os.Stat(".git"); err != nil {
		return // an unpacked archive has nothing to compare with
	}
	out, err = prepare(ctx, nil, "git", "diff", "--stat", "--", "frontend/src/wailsjs").CombinedOutput()
	switch {
	case err != nil:
		r.fail("generated files", string(out)+err.Error())
	case len(out) > 0:
		r.fail("generated files", "the generated bindings differ from the recorded ones; record them too:\n"+string(out))
	default:
		r.pass(1)
	}
}

func vet(ctx context.Context, r *result) {
	for _, tags := range []string{tagsTests, tagsShipped} {
		check(ctx, r, "go vet -tags "+tags, "", nil, "go", "vet", "-tags", tags, "./...")
	}
}

func staticcheck(ctx context.Context, r *result) {
	program, err := filepath.Abs("build/bin/staticcheck")
	if err != nil {
		r.fail("staticcheck", err.Error())
		return
	}
	build := prepare(ctx, nil, "go", "build", "-o", program, "honnef.co/go/tools/cmd/staticcheck")
	build.Dir = "build/tools"
	if out, err := build.CombinedOutput(); err != nil {
		r.fail("building staticcheck", string(out)+err.Error())
		return
	}
	// The tests of the shipped build lack the tags that use their drivers, so
	// that they are looked at in the first pass only.
	check(ctx, r, "staticcheck of the tests", "", nil, program, "-tags", tagsTests, "./...")
	check(ctx, r, "staticcheck of the window", "", nil, program, "-tags", tagsShipped, "-tests=false", "./...")
}

func hermetic(ctx context.Context, r *result) {
	// By default a program with the race detector waits a second at its end.
	goTest(ctx, r, nil, []string{"GORACE=atexit_sleep_ms=20"}, "-tags", tagsPlain, "-race", "-shuffle=on", "-timeout", "10m", "./...")
}

func hermeticQuick(ctx context.Context, r *result) {
	goTest(ctx, r, nil, nil, "-tags", tagsPlain, "-timeout", "5m", "./...")
}

// virtualScreen wraps a command in a screen and a session bus of its own.
var virtualScreen = []string{"dbus-run-session", "--", "xvfb-run", "-a", "-s", "-screen 0 1440x900x24"}

// tagged runs the tests under root that only the tag compiles in, one package
// at a time: they use what a machine has once, such as its screen or its cores.
func tagged(tag, root string, wrap []string) func(context.Context, *result) {
	return func(ctx context.Context, r *result) {
		list, err := functions(root, "Test", wants(tag))
		if err != nil || len(list) == 0 {
			if err != nil {
				r.fail(tag, err.Error())
			}
			return
		}
		run, packages := arguments(list)
		args := append([]string{"-tags", tagsPlain + "," + tag, "-count=1", "-p", "1", "-timeout", "40m", "-run", run}, packages...)
		// WebKit takes the locale C for a language name, so it gets a real one.
		goTest(ctx, r, wrap, []string{"LANG=en_US.UTF-8"}, args...)
	}
}

// gpu checks a machine with a graphics card: whether there is one, what the
// tests say, and a table of speeds.
func gpu(ctx context.Context, r *result) {
	goTest(ctx, r, nil, nil, "-tags", tagsPlain+",gpu", "-count=1", "-run", "^TestGPU_IsThere$", "./inference/runtime")
	if r.failed > 0 {
		return
	}
	tagged("gpu", ".", nil)(ctx, r)
	t := newTally(r)
	t.bench = true
	t.run(ctx, nil, nil, "-tags", tagsPlain+",gpu", "-run", "^$", "-bench", "^BenchmarkGPU", "-benchtime", "3x", "-timeout", "20m", "./inference/worker")
}

func bench(ctx context.Context, r *result) {
	list, err := functions(".", "Benchmark", func(c string) bool { return c == "" || strings.Contains(c, "models") })
	if err != nil || len(list) == 0 {
		return
	}
	_, packages := arguments(list)
	for _, part := range []struct {
		wrap, env, args []string
	}{
		{args: append([]string{"-tags", tagsPlain + ",models", "-run", "^$", "-bench", ".", "-benchmem", "-p", "1", "-timeout", "60m"}, packages...)},
		{virtualScreen, []string{"LANG=en_US.UTF-8"}, []string{"-tags", tagsPlain + ",window", "-run", "^$", "-bench", "^BenchmarkWindow", "-benchtime", "3x", "./app/desktop"}},
	} {
		t := newTally(r)
		t.bench = true
		t.run(ctx, part.wrap, part.env, part.args...)
	}
	r.pass(len(r.notes))
}

// snapshots lets every package that has the flag write its snapshots. A change
// there is a decision: read the difference.
func snapshots(ctx context.Context, r *result) {
	packages, err := packagesWith(`flag.Bool("update"`)
	if err != nil {
		r.fail("snapshots", err.Error())
	}
	for _, p := range packages {
		check(ctx, r, p, "", nil, "go", "test", "-tags", tagsPlain, "-count=1", p, "-update")
	}
}
