package runtime

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/digest"
)

// useTable replaces the built-in table: the test writes small files whose
// hashes it then knows.
func useTable(t *testing.T, files map[string]string) {
	t.Helper()
	old := table
	t.Cleanup(func() { table = old })
	rows := map[string][]row{}
	for name, content := range files {
		path := filepath.Join(t.TempDir(), "f")
		write(t, path, content)
		hash, _, err := digest.File(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		rows[hash] = append(rows[hash], row{pack: "cpu", name: name})
	}
	table = func() map[string][]row { return rows }
}

var core = map[string]string{
	"libllama.v0.5.0.so": "llama", "libggml.v0.5.0.so": "ggml", "libggml-base.so": "base",
	"libggml-cpu-x64.so": "x64", "libggml-cpu-zen4.so": "zen4", "libggml-vulkan.so": "vulkan",
}

// folder makes a runtime folder of the core files, without those named.
func folder(t *testing.T, without ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range core {
		write(t, filepath.Join(dir, name), content)
	}
	for link, target := range map[string]string{"libllama.so": "libllama.v0.5.0.so", "libggml.so": "libggml.v0.5.0.so"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range without {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestVerify_AcceptsWhatItKnows(t *testing.T) {
	useTable(t, core)
	whole, err := Verify(folder(t))
	if err != nil || whole.Name != "vulkan" || whole.Version != Version {
		t.Fatalf("%+v, %v", whole, err)
	}
	cpu, err := Verify(folder(t, "libggml-vulkan.so"))
	if err != nil || cpu.Name != "cpu" {
		t.Fatalf("%+v, %v", cpu, err)
	}
	if _, err := Verify(folder(t, "libggml-vulkan.so", "libggml-cpu-zen4.so")); err != nil {
		t.Errorf("a processor family that was left out: %v", err)
	}
	again, err := Verify(folder(t))
	if err != nil || again.Hash != whole.Hash || cpu.Hash == whole.Hash {
		t.Errorf("the hash must name the content: %s, %s, %s", whole.Hash, again.Hash, cpu.Hash)
	}
}

func TestVerify_RefusesWithASentence(t *testing.T) {
	useTable(t, core)
	for _, test := range []struct {
		name   string
		change func(dir string)
		want   string
	}{
		{"an altered file", func(dir string) { write(t, filepath.Join(dir, "libggml-cpu-x64.so"), "x65") }, "is not the one"},
		{"a file of another program", func(dir string) { write(t, filepath.Join(dir, "libother.so"), "other") }, "is not the one"},
		{"a known file under another name", func(dir string) { write(t, filepath.Join(dir, "libggml-base.so"), "llama") }, "is not the one"},
		{"no base", func(dir string) { remove(t, dir, "libggml-base.so") }, "libggml-base is missing"},
		{"no processor file", func(dir string) { remove(t, dir, "libggml-cpu-x64.so"); remove(t, dir, "libggml-cpu-zen4.so") }, "libggml-cpu is missing"},
		{"no link", func(dir string) { remove(t, dir, "libllama.so") }, "lack the link libllama.so"},
		{"a copy instead of a link", func(dir string) {
			remove(t, dir, "libggml.so")
			write(t, filepath.Join(dir, "libggml.so"), "ggml")
		}, "mixes the model libraries"},
		{"a link that points nowhere", func(dir string) { remove(t, dir, "libggml.v0.5.0.so") }, "points nowhere"},
		{"no folder", func(dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}, "There are no model libraries"},
	} {
		dir := folder(t)
		test.change(dir)
		_, err := Verify(dir)
		if !errors.Is(err, inference.ErrNoRuntime) || !strings.Contains(err.Error(), test.want) || !strings.HasSuffix(err.Error(), ".") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestFind_PrefersTheFasterOne(t *testing.T) {
	useTable(t, core)
	cache := t.TempDir()
	if _, err := Find(cache); err == nil || !strings.Contains(err.Error(), "Install them first") {
		t.Errorf("an empty cache: %v", err)
	}
	for name, without := range map[string][]string{"cpu": {"libggml-vulkan.so"}, "vulkan": nil, "cuda": {"libggml-base.so"}} {
		if err := os.MkdirAll(filepath.Join(cache, "runtime"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(folder(t, without...), Folder(cache, name)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Find(cache)
	if len(found) != 2 || found[0].Name != "vulkan" || found[1].Name != "cpu" {
		t.Errorf("found %+v", found)
	}
	if err == nil || !strings.Contains(err.Error(), "libggml-base is missing") {
		t.Errorf("the broken one is not told: %v", err)
	}
}

func TestFind_TakesTheFirstUsablePlace(t *testing.T) {
	useTable(t, core)
	installed, cache := t.TempDir(), t.TempDir()
	for _, at := range []struct {
		place, name string
		without     []string
	}{{installed, "cpu", nil}, {cache, "cpu", nil}, {installed, "vulkan", []string{"libggml-base.so"}}, {cache, "vulkan", nil}} {
		if err := os.MkdirAll(filepath.Join(at.place, "runtime"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(folder(t, at.without...), Folder(at.place, at.name)); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Find(t.TempDir(), installed, cache)
	if len(found) != 2 || found[0].Dir != Folder(cache, "vulkan") || found[1].Dir != Folder(installed, "cpu") {
		t.Errorf("found %+v", found)
	}
	if err == nil || !strings.Contains(err.Error(), installed) {
		t.Errorf("the broken one is not told: %v", err)
	}
}

func TestTable(t *testing.T) {
	packs := map[string]int{}
	for hash, rows := range table() {
		if len(hash) != 64 || strings.ToLower(hash) != hash {
			t.Errorf("%q is no SHA-256", hash)
		}
		for _, r := range rows {
			packs[r.pack]++
			if partOf(r.name) == partOther {
				t.Errorf("%s/%s has no part", r.pack, r.name)
			}
		}
	}
	// 14 processor families, base, ggml, llama, common, and the plug-in.
	for pack, want := range map[string]int{"cpu": 18, "vulkan": 19, "cuda": 19} {
		if packs[pack] != want {
			t.Errorf("%s has %d rows, want %d", pack, packs[pack], want)
		}
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}
