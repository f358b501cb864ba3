package disk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func opened(t *testing.T) (*Folder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "index")
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f, dir
}

func TestFolder_GivesBackWhatWasWritten(t *testing.T) {
	f, dir := opened(t)
	size, sum, err := f.Write(Name(7, "bm25"), []byte("one "), nil, []byte("two"))
	if err != nil || size != 7 {
		t.Fatal(size, err)
	}
	m, err := f.Map("seg-7.bm25", size, sum)
	if err != nil || !bytes.Equal(m.Data, []byte("one two")) {
		t.Fatal(m, err)
	}
	info, err := os.Stat(filepath.Join(dir, "seg-7.bm25"))
	if err != nil || os.PathSeparator == '/' && info.Mode().Perm() != fileMode {
		t.Fatal(info, err)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "tmp")); len(left) != 0 {
		t.Errorf("unfinished files stay: %v", left)
	}
	if n, err := f.Size(); err != nil || n != 7 {
		t.Errorf("size %d, %v", n, err)
	}
}

func TestFolder_NamesWhatIsNotWhatWasWritten(t *testing.T) {
	body := bytes.Repeat([]byte("segment "), 2000)
	for name, harm := range map[string]func(path string) error{
		"truncated": func(p string) error { return os.Truncate(p, int64(len(body)-1)) },
		"empty":     func(p string) error { return os.Truncate(p, 0) },
		"longer":    func(p string) error { return os.WriteFile(p, append(body, 'x'), fileMode) },
		"foreign":   func(p string) error { return os.WriteFile(p, bytes.Repeat([]byte("stranger"), 2000), fileMode) },
		"flipped": func(p string) error {
			other := bytes.Clone(body)
			other[9999] ^= 4
			return os.WriteFile(p, other, fileMode)
		},
	} {
		f, dir := opened(t)
		size, sum, err := f.Write("seg-1.vec", body)
		if err != nil {
			t.Fatal(err)
		}
		if err := harm(filepath.Join(dir, "seg-1.vec")); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Map("seg-1.vec", size, sum); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
		if err := f.Check("seg-1.vec", size, sum); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s, checked: %v", name, err)
		}
	}
	f, _ := opened(t)
	if _, err := f.Map("seg-1.vec", 1, 1); !errors.Is(err, ErrMissing) {
		t.Errorf("missing: %v", err)
	}
	if err := f.Check("seg-1.vec", 1, 1); !errors.Is(err, ErrMissing) {
		t.Errorf("missing, checked: %v", err)
	}
	size, sum, err := f.Write("seg-2.vec", body)
	if err != nil || f.Check("seg-2.vec", size, sum) != nil {
		t.Errorf("a whole file, checked: %v, %v", err, f.Check("seg-2.vec", size, sum))
	}
}

func TestFolder_SweepsOnlySegments(t *testing.T) {
	f, dir := opened(t)
	for _, n := range []string{"seg-1.bm25", "seg-2.bm25", "seg-2.vec"} {
		if _, _, err := f.Write(n, []byte(n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, fileMode); err != nil {
		t.Fatal(err)
	}
	if err := f.Sweep(map[string]bool{"seg-1.bm25": true}); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range left {
		names = append(names, e.Name())
	}
	if len(names) != 3 || names[0] != "notes.txt" || names[1] != "seg-1.bm25" || names[2] != "tmp" {
		t.Errorf("left: %v", names)
	}
}

// A folder that is deleted while the program runs is made again.
func TestFolder_MayBeDeletedAtAnyTime(t *testing.T) {
	f, dir := opened(t)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	size, sum, err := f.Write("seg-3.bm25", []byte("again"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Map("seg-3.bm25", size, sum); err != nil {
		t.Fatal(err)
	}
}

func TestFolder_AFailedWriteLeavesNothing(t *testing.T) {
	f, dir := opened(t)
	if err := os.Mkdir(filepath.Join(dir, "seg-1.bm25"), folderMode); err != nil { // a name that cannot be replaced
		t.Fatal(err)
	}
	if _, _, err := f.Write("seg-1.bm25", []byte("x")); err == nil {
		t.Fatal("a folder was replaced by a file")
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "tmp")); len(left) != 0 {
		t.Errorf("unfinished files stay: %v", left)
	}
}
