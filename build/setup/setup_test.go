package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/inference/catalogue"
)

// The window's tool chain reads wails.json from the root; a wrong folder there
// shows only when bindings are generated.
func TestWailsFileIsValid(t *testing.T) {
	text, err := os.ReadFile("../../wails.json")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Name, OutputFilename string
		Frontend             string `json:"frontend:dir"`
		Bindings             string `json:"wailsjsdir"`
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	if c.Name != "referent" || c.OutputFilename != "referent" {
		t.Errorf("named %q and %q", c.Name, c.OutputFilename)
	}
	if got := filepath.ToSlash(filepath.Join(c.Bindings, "wailsjs")); got != bindingsFolder {
		t.Errorf("bindings go to %s, the program expects %s", got, bindingsFolder)
	}
	if _, err := os.Stat(filepath.Join("../..", c.Frontend, "package.json")); err != nil {
		t.Error(err)
	}
}

// Addresses of a registry would tie the clone to one place.
func TestLockFilesNameVersionsAndHashesOnly(t *testing.T) {
	for _, name := range []string{"llama/package-lock.json", "cuda/package-lock.json"} {
		text, err := packageFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "://") {
			t.Errorf("%s holds an address", name)
		}
		if !strings.Contains(string(text), `"integrity": "sha512-`) || !strings.Contains(string(text), `"version": "3.22.1"`) {
			t.Errorf("%s lacks a hash or the version", name)
		}
	}
}

func TestWheelTables(t *testing.T) {
	rows, err := wheelRows(wheelTable)
	if err != nil {
		t.Fatal(err)
	}
	cuda, err := wheelRows(cudaWheels)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 25 || len(cuda) != 2 {
		t.Errorf("%d and %d rows", len(rows), len(cuda))
	}
	for _, w := range append(rows, cuda...) {
		name, version, ok := strings.Cut(w.requirement, "==")
		if !ok || !strings.HasPrefix(w.file, strings.ReplaceAll(name, "-", "_")+"-"+version+"-") || len(w.hash) != 64 || w.bytes < 1<<20 {
			t.Errorf("%+v", w)
		}
	}
	for _, r := range slices.Concat(starterModels, extraModels) {
		if e, ok := catalogue.ByID(r.id); !ok || e.SHA256 == "" {
			t.Errorf("%s has no hash in the catalogue", r.id)
		}
		if !slices.ContainsFunc(rows, func(w wheel) bool { return strings.HasPrefix(w.file, r.wheels) }) {
			t.Errorf("%s has no wheel", r.id)
		}
	}
	for _, bad := range []string{"1 a b", "x a b c"} {
		if _, err := wheelRows(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// The program refuses a runtime folder whose files its own table does not know.
func TestRuntimeTableAgreesWithTheProgram(t *testing.T) {
	text, err := os.ReadFile("../../inference/runtime/hashes.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range libraries(string(text)) {
		known[f.hash] = true
	}
	ours := libraries(runtimeHashes)
	if len(ours) != 37 { // 18 of the core, 19 with the plug-in
		t.Errorf("%d files", len(ours))
	}
	for _, f := range ours {
		if !known[f.hash] {
			t.Errorf("the program does not know %s/%s", f.folder, f.name)
		}
	}
}

func TestSubtractLeavesWhatIsMissing(t *testing.T) {
	listing := "gcc installed\nxvfb config-files\nlibffi8 installed\nlibffi8 installed\n"
	if got := subtract([]string{"gcc", "xvfb", "libffi8", "strace"}, listing); !slices.Equal(got, []string{"xvfb", "strace"}) {
		t.Errorf("missing %q", got)
	}
}

func TestProgressTellsRateAndRest(t *testing.T) {
	p := (&screen{}).progress("models", "e5", 100e6, 20e6)
	p.at = 60e6
	// 40 MB in 4 s are 10 MB/s; 40 MB are left.
	if got, want := p.text(p.started.Add(4*time.Second)), "e5: 60.0 MB of 100.0 MB, 10.0 MB/s, 4s left"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressIsQuietWithoutATerminal(t *testing.T) {
	var out strings.Builder
	s := &screen{w: &out}
	p := s.progress("x", "y", 10, 0)
	for i := range 100 { // ten seconds
		p.update(int64(i/10), p.started.Add(time.Duration(i)*100*time.Millisecond))
	}
	if n := strings.Count(out.String(), "\n"); n != 1 {
		t.Errorf("%d lines in ten seconds:\n%s", n, out.String())
	}
}

func TestPlaceKeepsTheOldFileUntilTheHashFits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	wrong := func(hash string) error { return expect("f", "00", hash) }
	if err := place(ctx, path, strings.NewReader("new"), wrong); err == nil || !strings.Contains(err.Error(), "altered") {
		t.Errorf("%v", err)
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if err := place(stopped, path, strings.NewReader("new"), func(string) error { return nil }); err == nil {
		t.Error("a stopped copy reported success")
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("the old file became %q", b)
	}
	if err := place(ctx, path, strings.NewReader("new"), func(string) error { return nil }); err != nil {
		t.Error(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "new" {
		t.Errorf("got %q", b)
	}
	if left, _ := filepath.Glob(path + ".part*"); len(left) > 0 {
		t.Error("part files stayed:", left)
	}
}

func TestHashesNoticeAChange(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	note := filepath.Join(dir, "verified.json")
	// printf x | sha256sum
	const x = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
	ctx := context.Background()
	for _, step := range []struct {
		content string
		want    bool
	}{{"x", true}, {"yy", false}, {"x", true}} {
		if err := os.WriteFile(path, []byte(step.content), 0o600); err != nil {
			t.Fatal(err)
		}
		// A new value each time: the note is read from disk, too.
		if ok, err := openHashes(note).is(ctx, path, x); err != nil || ok != step.want {
			t.Errorf("%q: %v, %v", step.content, ok, err)
		}
	}
	if ok, err := openHashes(note).is(ctx, filepath.Join(dir, "none"), x); ok || err != nil {
		t.Errorf("a missing file: %v, %v", ok, err)
	}
}

func TestDigestFollowsContentAndName(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sum := func() string {
		d, err := digest(root, everything, "src", "missing")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	write("src/a", "1")
	first := sum()
	write("src/node_modules/x", "1")
	if sum() != first {
		t.Error("fetched packages count")
	}
	write("src/a", "2")
	if sum() == first {
		t.Error("a change does not count")
	}
	write("src/a", "1")
	write("src/b", "")
	if sum() == first {
		t.Error("a new file does not count")
	}
}

func TestUnknownStepsAreNamed(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("REFERENT_CACHE", t.TempDir())
	err := run(context.Background(), []string{"modells"})
	if err == nil || !strings.Contains(err.Error(), `"modells"`) || !strings.Contains(err.Error(), "models,") {
		t.Errorf("%v", err)
	}
}

func TestExcerptKeepsBothEnds(t *testing.T) {
	if got := excerpt("1\n2\n3\n4\n5\n", 2); got != "1\n2\n… 1 lines …\n4\n5" {
		t.Errorf("got %q", got)
	}
	if got := excerpt("1\n2\n", 2); got != "1\n2" {
		t.Errorf("got %q", got)
	}
}
