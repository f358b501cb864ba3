//go:build unix

package library

import (
	"os"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/extract"
)

// TestFilesThatChangeWhileTheyAreRead: what the disk holds in the end is what
// is found.
func TestFilesThatChangeWhileTheyAreRead(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *shelf)
		finds  []string // files found by the word of the end
		states map[string]string
	}{
		{"grows", func(s *shelf) { s.write("a.txt", "! The boiler.\nThe kettle sings.\n") }, []string{"a.txt"}, map[string]string{"a.txt": "indexed"}},
		{"shrinks", func(s *shelf) { s.write("a.txt", "kettle\n") }, []string{"a.txt"}, map[string]string{"a.txt": "indexed"}},
		{"vanishes", func(s *shelf) { s.remove("a.txt") }, []string{}, map[string]string{}},
		{"moves", func(s *shelf) { s.write("a.txt", "kettle\n"); s.rename("a.txt", "b.txt") }, []string{"b.txt"}, map[string]string{"b.txt": "indexed"}},
		{"becomes a pipe", func(s *shelf) { s.remove("a.txt"); s.ok(syscall.Mkfifo(s.path("a.txt"), 0o600)) }, []string{}, map[string]string{}},
		{"becomes a folder", func(s *shelf) { s.remove("a.txt"); s.write("a.txt/b.txt", "kettle\n") }, []string{"b.txt"}, map[string]string{"a.txt/b.txt": "indexed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf(t)
			var once sync.Once
			s.reader.ends = func(text string, _ extract.FileOptions) (rag.Extraction, error, bool) {
				if strings.HasPrefix(text, "!") {
					once.Do(func() { c.change(s) })
				}
				return rag.Extraction{}, nil, false
			}
			s.write("a.txt", "! The boiler.\n")
			s.add("")
			s.until("what is there is found", s.finding("kettle", c.finds...))
			s.until("the states are right", func() bool { return reflect.DeepEqual(s.states(), c.states) })
		})
	}
}

// TestFileThatWasAwayWhileItWasReadIsNotJudged: it comes back with the size and
// the time that it had, and is read.
func TestFileThatWasAwayWhileItWasReadIsNotJudged(t *testing.T) {
	s := newShelf(t)
	var once sync.Once
	s.reader.ends = func(string, extract.FileOptions) (ex rag.Extraction, err error, ended bool) {
		once.Do(func() {
			s.rename("docs/a.txt", "away.txt")
			ex, ended = rag.Extraction{Status: rag.FileDamaged, Reason: "The file is damaged."}, true
		})
		return ex, nil, ended
	}
	s.write("docs/a.txt", "The kettle sings.\n")
	s.write("docs/b.txt", "The boiler.\n")
	now := s.clock.Now().Add(-2 * time.Hour)
	s.ok(os.Chtimes(s.path("docs/b.txt"), now, now)) // the other is read first
	s.add("docs")
	s.until("it is gone", func() bool { return reflect.DeepEqual(s.states(), map[string]string{"docs/b.txt": "indexed"}) })
	s.rename("away.txt", "docs/a.txt")
	s.until("it is found", s.finding("kettle", "a.txt"))
}

// TestWhatIsNoFileIsNeverOpened: a pipe would wait for ever, and a name that is
// no text is told.
func TestWhatIsNoFileIsNeverOpened(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler is warm.\n")
	s.write("na\xffme.txt", "The boiler is warm.\n")
	s.ok(syscall.Mkfifo(s.path("pipe.txt"), 0o600))
	s.ok(os.Symlink("/dev/zero", s.path("zero.txt")))
	s.ok(os.Symlink("loop.txt", s.path("loop.txt")))
	s.add("")
	s.sync()
	if got := s.states(); !reflect.DeepEqual(got, map[string]string{"a.txt": "indexed"}) || s.reader.count() != 1 {
		t.Errorf("%v, %d read", got, s.reader.count())
	}
	if why, err := s.Why(t.Context(), s.path("na\xffme.txt")); err != nil || why != "Its name is not valid text." {
		t.Errorf("%q, %v", why, err)
	}
}
