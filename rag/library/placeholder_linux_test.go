package library

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
	"time"

	"referent/rag"
)

// A large file without a block on the disk is what a cloud drive leaves of a
// file: opening it would fetch it.
func TestCloudPlaceholderIsNotOpened(t *testing.T) {
	const size = 100 << 10
	s := newShelf(t)
	text := make([]byte, size)
	copy(text, "The boiler is warm.\n")
	for i := 20; i < size; i++ {
		text[i] = '\n'
	}
	at := time.Now().Add(-time.Hour)
	evict := func(name string) {
		s.ok(os.WriteFile(s.path(name), nil, 0o600))
		s.ok(os.Truncate(s.path(name), size))
		s.ok(os.Chtimes(s.path(name), at, at))
	}
	evict("far.txt")
	s.write("near.txt", string(text)+"The kettle.\n")
	s.add("")
	s.sync()
	if d := s.document("far.txt"); d.Status != string(rag.FileCloudOnly) || d.Reason != cloudReason || !reflect.DeepEqual(s.reader.reads, []string{"near.txt"}) {
		t.Errorf("%s: %s, read %v", d.Status, d.Reason, s.reader.reads)
	}
	// It comes: same size, same time.
	s.ok(os.WriteFile(s.path("far.txt"), text, 0o600))
	s.ok(os.Chtimes(s.path("far.txt"), at, at))
	s.until("it is read", s.finding("boiler", "far.txt", "near.txt"))
	// One that was read and goes away to the cloud keeps its words.
	evict("near.txt")
	s.until("it is told", s.stateIs("near.txt", string(rag.FileCloudOnly)))
	if got := s.finds("kettle"); !reflect.DeepEqual(got, []string{"near.txt"}) {
		t.Errorf("found %v", got)
	}
}

// withoutBlocks is a file as some file systems of programs report it.
type withoutBlocks struct{ fs.FileInfo }

func (i withoutBlocks) Sys() any { return &syscall.Stat_t{Size: i.Size()} }

// A file of a file system that counts no blocks is read when it holds data.
func TestCloudPlaceholderHasNoData(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want bool
	}{"data": {"The boiler is warm.", false}, "nothing": {"", true}} {
		path := filepath.Join(t.TempDir(), "a.txt")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 100<<10); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := placeholder(path, withoutBlocks{info}); got != c.want {
			t.Errorf("%s: a placeholder: %v", name, got)
		}
	}
}
