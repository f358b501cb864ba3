package pack

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/runtime"
)

// bench is a place with a core, and a small pack of three files in two archives.
type bench struct {
	*testing.T
	dir  string
	pack Pack
	installer
	request Request
}

func newBench(t *testing.T) *bench {
	b := &bench{T: t, dir: t.TempDir()}
	core := filepath.Join(b.dir, "core")
	b.write(filepath.Join(core, "libllama.v1.so"), "llama")
	if err := os.Symlink("libllama.v1.so", filepath.Join(core, "libllama.so")); err != nil {
		t.Fatal(err)
	}
	content := map[string]string{"libggml-toy.so": "plug-in", "libmath.so.1": strings.Repeat("numbers", 300_000), "libmore.so.1": "more"}
	file := func(name string) File {
		sum := sha256.Sum256([]byte(content[name]))
		return File{name, hex.EncodeToString(sum[:]), int64(len(content[name]))}
	}
	b.pack = Pack{Name: "toy", Archives: []Archive{{"fetch plug-in", Source{}, []File{file("libggml-toy.so")}}, {"fetch numbers", Source{}, []File{file("libmath.so.1"), file("libmore.so.1")}}}}
	b.request = Request{Place: filepath.Join(b.dir, "place"), Core: core, Archives: []string{
		b.tgz("plug-in.tgz", map[string]string{"package/bins/libggml-toy.so": content["libggml-toy.so"], "package/readme": "no library"}),
		b.zip("numbers.whl", map[string]string{"maker/lib/libmath.so.1": content["libmath.so.1"], "maker/lib/libmore.so.1": content["libmore.so.1"]}),
	}}
	b.installer = installer{
		verify: func(dir string) (runtime.Info, error) {
			_, err := os.Stat(filepath.Join(dir, "libllama.so"))
			return runtime.Info{Dir: dir, Name: "toy"}, err
		},
		try: func(context.Context, string) error { return nil },
	}
	return b
}

func (b *bench) write(path, text string) {
	b.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) zip(name string, files map[string]string) string {
	b.Helper()
	path := filepath.Join(b.dir, name)
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	z := zip.NewWriter(f)
	for entry, text := range files {
		w, err := z.Create(entry)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

func (b *bench) tgz(name string, files map[string]string) string {
	b.Helper()
	path := filepath.Join(b.dir, name)
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	g := gzip.NewWriter(f)
	w := tar.NewWriter(g)
	for entry, text := range files {
		err := w.WriteHeader(&tar.Header{Name: entry, Typeflag: tar.TypeReg, Size: int64(len(text)), Mode: 0o644})
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), g.Close(), f.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

// names lists what lies in the place's folder of runtimes.
func (b *bench) names() []string {
	entries, err := os.ReadDir(filepath.Join(b.request.Place, "runtime"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestInstall_PutsEverythingInPlace(t *testing.T) {
	b := newBench(t)
	b.write(filepath.Join(b.request.Place, "runtime", ".toy-left", "half"), "of a kill")
	var done []int64
	var stages []Stage
	b.request.Progress = func(stage Stage, n int64) {
		if stage == StageUnpack {
			done = append(done, n)
		}
		if len(stages) == 0 || stages[len(stages)-1] != stage {
			stages = append(stages, stage)
		}
	}
	tried := ""
	b.try = func(_ context.Context, dir string) error { tried = dir; return nil }
	for range 2 { // the second time over the first
		info, err := b.install(t.Context(), b.pack, b.request)
		dir := filepath.Join(b.request.Place, "runtime", "toy")
		if err != nil || info.Dir != dir {
			t.Fatalf("%+v, %v", info, err)
		}
		if got := b.names(); !slices.Equal(got, []string{"toy"}) {
			t.Errorf("in the place are %v", got)
		}
		if tried == dir || !strings.Contains(tried, ".toy-") {
			t.Errorf("tried was %s, before it had its name", tried)
		}
		if err := b.pack.Check(t.Context(), dir); err != nil {
			t.Error(err)
		}
		if target, err := os.Readlink(filepath.Join(dir, "libllama.so")); err != nil || target != "libllama.v1.so" {
			t.Errorf("the core's link is %q, %v", target, err)
		}
	}
	if len(done) == 0 || !slices.IsSorted(done[:len(done)/2]) || done[len(done)-1] != 7+2_100_000+4 {
		t.Errorf("told %v", done)
	}
	if want := []Stage{StageUnpack, StageVerify, StageTest}; !slices.Equal(stages, append(want, want...)) {
		t.Errorf("stages %v", stages)
	}
	b.write(filepath.Join(b.request.Place, "runtime", "toy", "libmore.so.1"), "altered")
	if err := b.pack.Check(t.Context(), filepath.Join(b.request.Place, "runtime", "toy")); err == nil || !strings.Contains(err.Error(), "libmore.so.1") {
		t.Errorf("an altered file: %v", err)
	}
	for _, want := range []bool{true, false} {
		if there, err := b.pack.Remove(b.request.Place); err != nil || there != want || len(b.names()) != 0 {
			t.Errorf("removed %v, %v; left %v", there, err, b.names())
		}
	}
}

// Whatever goes wrong, the sentence says what, and nothing is left or changed.
func TestInstall_LeavesNothingBehind(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(b *bench)
		says string
	}{
		{"one archive is missing", func(b *bench) { b.request.Archives = b.request.Archives[:1] }, "libmath.so.1 is in none of the archives. `fetch numbers`"},
		{"another version", func(b *bench) {
			b.request.Archives[0] = b.tgz("old.tgz", map[string]string{"package/bins/libggml-toy.so": "older"})
		}, "libggml-toy.so is not the one"},
		{"a damaged archive", func(b *bench) {
			text, _ := os.ReadFile(b.request.Archives[0])
			b.write(b.request.Archives[0], string(text[:len(text)/2]))
		}, "is damaged"},
		{"a damaged wheel", func(b *bench) {
			text, _ := os.ReadFile(b.request.Archives[1])
			b.write(b.request.Archives[1], string(text[:len(text)/2]))
		}, "is damaged"},
		{"no archive", func(b *bench) { b.write(b.request.Archives[0], "just text") }, "neither a wheel nor an npm package"},
		{"an empty file", func(b *bench) { b.write(b.request.Archives[0], "") }, "is no archive"},
		{"a file that is not there", func(b *bench) { b.request.Archives[0] += "x" }, "cannot be read"},
		{"it does not work here", func(b *bench) {
			b.try = func(context.Context, string) error { return refuse(nil, "The pack does not work.") }
		}, "does not work"},
		{"the disk is nearly full", func(b *bench) {
			b.request.Free = func(string) (int64, error) { return 1<<30 + b.pack.Bytes(), nil }
		}, "There is not enough space on the disk: the pack needs 1.0 GiB with some room and 1.0 GiB is free."},
		{"the core is not in order", func(b *bench) { b.request.Core += "x" }, "no such file"},
	} {
		for _, before := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				b := newBench(t)
				old := filepath.Join(b.request.Place, "runtime", "toy", "old")
				if before {
					b.write(old, "what serves")
				}
				c.do(b)
				_, err := b.install(t.Context(), b.pack, b.request)
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %v, want %q", err, c.says)
				}
				if text, _ := os.ReadFile(old); before != (string(text) == "what serves") {
					t.Errorf("the old one is %q", text)
				}
				if n := len(b.names()); n > 1 || n == 1 && !before {
					t.Errorf("left behind: %v", b.names())
				}
			})
		}
	}
}

// A pack that nothing here can run is not tried; one that can be is.
func TestInstall_DoesNotTryWhatCannotRun(t *testing.T) {
	for _, untried := range []bool{true, false} {
		b := newBench(t)
		tried := false
		b.try = func(context.Context, string) error { tried = true; return nil }
		b.request.Untried = untried
		b.request.Free = func(string) (int64, error) { return 1<<30 + b.pack.Bytes() + b.pack.Bytes()/20, nil } // just enough
		if _, err := b.install(t.Context(), b.pack, b.request); err != nil || tried == untried {
			t.Errorf("untried %v: tried %v, %v", untried, tried, err)
		}
	}
}

// What the driver speaks decides whether the pack would run.
func TestLacks(t *testing.T) {
	for _, c := range []struct {
		version int
		err     error
		says    string
	}{
		{0, nil, "No driver of NVIDIA was found"},
		{0, errors.New("it crashed"), "No driver of NVIDIA was found"},
		{12_040, nil, "speaks CUDA 12.4, and the pack needs 13.0"},
		{13_000, nil, ""},
		{13_010, nil, ""},
	} {
		err := CUDA().judge(c.version, c.err)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%d: %v, want %q", c.version, err, c.says)
		}
	}
	if err := (Pack{}).Lacks(t.Context()); err != nil {
		t.Errorf("a pack without a driver: %v", err)
	}
}

func TestInstall_EndsWithTheContext(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	b.request.Progress = func(Stage, int64) { cancel() }
	if _, err := b.install(ctx, b.pack, b.request); !errors.Is(err, context.Canceled) || len(b.names()) != 0 {
		t.Errorf("%v, left %v", err, b.names())
	}
}

// A kill while the folders change places costs the old pack neither at once nor by
// a next try that fails.
func TestInstall_AKillBetweenTheFoldersBringsTheOldOneBack(t *testing.T) {
	b := newBench(t)
	at := filepath.Join(b.request.Place, "runtime")
	b.write(filepath.Join(at, ".toy-old", "old"), "what serves")
	b.write(filepath.Join(at, ".toy-123", "half"), "of a kill")
	b.request.Archives = b.request.Archives[:1]
	if _, err := b.install(t.Context(), b.pack, b.request); err == nil {
		t.Error("half a pack was installed")
	}
	if text, _ := os.ReadFile(filepath.Join(at, "toy", "old")); string(text) != "what serves" {
		t.Errorf("the old one is %q; there are %v", text, b.names())
	}
	// Behind the exchange, and in a removal, what is left is half and goes.
	b.write(filepath.Join(at, ".toy-old", "half"), "of a kill")
	sweep(at, "toy")
	if got := b.names(); !slices.Equal(got, []string{"toy"}) {
		t.Errorf("there are %v", got)
	}
	if there, err := b.pack.Remove(b.request.Place); err != nil || !there {
		t.Errorf("removed %v, %v", there, err)
	}
	b.write(filepath.Join(at, ".toy-gone", "half"), "of a kill")
	if there, err := b.pack.Remove(b.request.Place); err != nil || there || len(b.names()) != 0 {
		t.Errorf("removed %v, %v; left %v", there, err, b.names())
	}
}

// An entry with a wanted name that unpacks to much more than the library is not
// written beyond the library's size.
func TestInstall_WritesNoMoreThanTheLibraryHas(t *testing.T) {
	for _, form := range []string{"wheel", "npm"} {
		b := newBench(t)
		bomb := map[string]string{"bins/libggml-toy.so": strings.Repeat("0", 8<<20)}
		if form == "wheel" {
			b.request.Archives[0] = b.zip("bomb.whl", bomb)
		} else {
			b.request.Archives[0] = b.tgz("bomb.tgz", bomb)
		}
		var most int64
		b.request.Progress = func(_ Stage, n int64) { most = max(most, n) }
		_, err := b.install(t.Context(), b.pack, b.request)
		if err == nil || !strings.Contains(err.Error(), "libggml-toy.so is not the one") {
			t.Errorf("%s: %v", form, err)
		}
		if most != int64(len("plug-in"))+1 {
			t.Errorf("%s: %d bytes were written", form, most)
		}
	}
}

// The context ends an entry that is only passed over.
func TestUnpack_EndsWhilePassingOver(t *testing.T) {
	b := newBench(t)
	f, err := os.Open(b.tgz("bomb.tgz", map[string]string{"huge": strings.Repeat("0", 8<<20)}))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, cancel := context.WithCancel(t.Context())
	err = untar(ctx, f, func(string, io.Reader) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if at, _ := f.Seek(0, io.SeekCurrent); at > 6<<10 {
		t.Errorf("%d bytes were read all the same", at)
	}
}

// The real pack is the one of the set-up, and its plug-in is in the table of
// libraries; the real steps refuse what is no runtime.
func TestCUDA_IsThePackOfTheSetUp(t *testing.T) {
	table, err := os.ReadFile(filepath.Join("..", "..", "..", "build", "setup", "cuda.sha256"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(table)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] != "#" {
			want[strings.TrimPrefix(f[1], "cuda/")] = f[0]
		}
	}
	p, ok := ByName("cuda")
	if !ok || len(want) != 4 || len(p.Commands()) != 3 {
		t.Fatalf("%v, %d rows, commands %v", ok, len(want), p.Commands())
	}
	for name, hash := range want {
		if f, ok := p.wanted(name); !ok || f.SHA256 != hash || f.Bytes <= 0 {
			t.Errorf("%s: %+v, the set-up has %s", name, f, hash)
		}
	}
	if _, ok := ByName("vulkan"); ok {
		t.Error("vulkan is no pack")
	}
	_, err = p.Install(t.Context(), Request{Place: t.TempDir(), Core: t.TempDir()})
	if !errors.Is(err, inference.ErrNoRuntime) {
		t.Errorf("got %v, want ErrNoRuntime", err)
	}
}
