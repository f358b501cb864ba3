package app

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// put writes files below a folder by their names with slashes.
func put(t *testing.T, dir string, files ...string) {
	t.Helper()
	for _, name := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// labOf lists what lies in the lab of a folder, sorted; "none" without a lab.
func labOf(t *testing.T, dir string) string {
	t.Helper()
	if !exists(filepath.Join(dir, labFolder)) {
		return "none"
	}
	var names []string
	if err := eachFile(filepath.Join(dir, labFolder), func(_, name string) error { names = append(names, name); return nil }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestRestore_TheLabOfABackupTakesThePlaceOfTheOld(t *testing.T) {
	for name, c := range map[string]struct {
		old, fresh []string
		after      string // in the data folder
		kept       string // of the old
	}{
		"both":        {[]string{"a.jsonl", "own/b.jsonl"}, []string{"c.jsonl", "tests/queries.jsonl"}, "c.jsonl tests/queries.jsonl", "a.jsonl own/b.jsonl"},
		"no new one":  {[]string{"a.jsonl"}, nil, "a.jsonl", "none"},
		"no old one":  {nil, []string{"c.jsonl"}, "c.jsonl", "none"},
		"no lab here": {nil, nil, "none", "none"},
	} {
		before := "none"
		if len(c.old) > 0 {
			before = strings.Join(c.old, " ")
		}
		// 0: a kill right after the begin; 1: the new lab is half in; 2: an error, and all comes back; 3: the same, the undo cut short
		for step := range 4 {
			dir := filepath.Join(t.TempDir(), "data")
			written(t, dir, "old")
			written(t, filepath.Join(dir, "restore-17"), "new")
			put(t, filepath.Join(dir, labFolder), c.old...)
			put(t, filepath.Join(dir, "restore-17", labFolder), c.fresh...)
			if err := (&swap{dir: filepath.Join(dir, "restore-17")}).fold(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := &swap{dir: dir, Fresh: "restore-17", Before: "before-restore-1"}
			if err := s.begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			switch step {
			case 1:
				if len(c.fresh) > 0 {
					if err := os.RemoveAll(filepath.Join(dir, labFolder)); err != nil {
						t.Fatal(err)
					}
				}
			case 2, 3:
				if err := s.replaceLab(); err != nil {
					t.Fatal(err)
				}
				s.Undo = true
				if err := s.write(); err != nil {
					t.Fatal(err)
				}
				if step == 3 {
					if err := s.bringLabBack(); err != nil {
						t.Fatal(err)
					}
				}
			}
			for range 2 { // a second start finds nothing to do
				if err := settle(t.Context(), dir); err != nil {
					t.Fatalf("%s, step %d: %v", name, step, err)
				}
			}
			nothingLeft(t, dir)
			want := c.after
			if step >= 2 {
				want = before
			} else if got := labOf(t, s.before()); got != c.kept {
				t.Errorf("%s, step %d: kept %q", name, step, got)
			}
			if got := labOf(t, dir); got != want {
				t.Errorf("%s, step %d: the lab is %q, not %q", name, step, got, want)
			}
		}
	}
}

func TestUnpack_TheLabStaysInItsFolder(t *testing.T) {
	for _, c := range []struct {
		name string
		ok   bool
	}{{"lab/2026-01-01T000000.000.jsonl", true}, {"lab/own/x.jsonl", true}, {"lab/../chats.db", false}, {"lab/../../x", false}, {"lab//x", false},
		{`lab/a\..\b`, false}, {"lab/C:x", false}, {"lab/./x", false}} {
		path := filepath.Join(t.TempDir(), "a.zip")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for _, name := range append(slices.Clone(databases), c.name) {
			w, err := z.Create(name)
			if err == nil {
				_, err = w.Write([]byte("12345"))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "fresh")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		err = unpack(path, dir, func(string) (int64, error) { return 15, nil })
		if c.ok != (err == nil) || !c.ok && !strings.Contains(err.Error(), "not a whole backup") {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.ok && labOf(t, dir) != strings.TrimPrefix(c.name, "lab/") {
			t.Errorf("%s: %s", c.name, labOf(t, dir))
		}
		if _, err := os.Lstat(filepath.Join(dir, "..", "x")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was written outside", c.name)
		}
		if err := unpack(path, t.TempDir(), func(string) (int64, error) { return 14, nil }); err == nil {
			t.Errorf("%s: the lab does not count", c.name)
		}
	}
}
