package library

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"referent/rag"
)

func TestAddEditRenameMoveDelete(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler is warm.\n")
	s.write("sub/b.txt", "The garden is green.\n")
	s.add("")
	s.sync()
	if got := s.finds("boiler"); !reflect.DeepEqual(got, []string{"a.txt"}) {
		t.Fatalf("finds %v", got)
	}
	if d := s.document("a.txt"); d.Status != "indexed" || d.Chunks != 1 || d.Vectors != 1 {
		t.Errorf("%+v", d)
	}

	s.write("a.txt", "The kettle is warm.\n")
	s.until("the edit is found", s.finding("kettle", "a.txt"))
	if got := s.finds("boiler"); len(got) != 0 {
		t.Errorf("the old text is found in %v", got)
	}
	s.until("idle", s.idle)

	before, reads, texts := s.document("a.txt"), s.reader.count(), s.embedder.count()
	s.rename("a.txt", "renamed.txt")
	s.until("the new name is found", s.finding("kettle", "renamed.txt"))
	s.rename("renamed.txt", "sub/deep/moved.txt")
	s.until("the new place is found", func() bool { return s.states()["sub/deep/moved.txt"] == "indexed" && len(s.finds("kettle")) == 1 })
	if d := s.document("sub/deep/moved.txt"); d.ID != before.ID || d.Title != "moved" || d.Vectors != 1 {
		t.Errorf("after the move %+v, before %+v", d, before)
	}
	s.until("idle", s.idle)
	if s.reader.count() != reads || s.embedder.count() != texts {
		t.Errorf("a rename and a move read %d files and embedded %d texts", s.reader.count()-reads, s.embedder.count()-texts)
	}

	s.remove("sub/b.txt")
	s.until("the deleted file is masked", s.finding("garden"))
	s.until("its rows are gone", func() bool {
		_, ok, err := s.store.DocumentByPath(t.Context(), s.path("sub/b.txt"))
		s.ok(err)
		return !ok
	})
}

func TestR055_DeletedFolderTakesItsFiles(t *testing.T) {
	s := newShelf(t)
	s.write("stays.txt", "A word that stays: anchor.\n")
	for i := range 50 {
		s.write(fmt.Sprintf("gone/%d/file%d.txt", i%5, i), fmt.Sprintf("The anchor number %d.\n", i))
	}
	s.add("")
	s.sync()
	if n := len(s.finds("anchor")); n != 51 {
		t.Fatalf("%d files found, want 51", n)
	}
	s.remove("gone")
	s.until("only one is left", s.finding("anchor", "stays.txt"))
	s.until("all are purged", func() bool {
		n, err := s.store.MissingCount(t.Context())
		s.ok(err)
		return n == 0 && len(s.states()) == 1
	})
	if done, total, err := s.store.VectorProgress(t.Context(), "model"); err != nil || done != 1 || total != 1 {
		t.Errorf("%d of %d vectors, %v", done, total, err)
	}
}

func TestRenamedFolderKeepsEverything(t *testing.T) {
	s := newShelf(t)
	for i := range 20 {
		s.write(fmt.Sprintf("old/in/file%d.txt", i), fmt.Sprintf("The anchor number %d.\n", i))
	}
	s.add("")
	s.sync()
	reads, texts := s.reader.count(), s.embedder.count()
	s.rename("old", "new")
	s.until("all are at the new place", func() bool {
		states := s.states()
		for i := range 20 {
			if states[fmt.Sprintf("new/in/file%d.txt", i)] != "indexed" {
				return false
			}
		}
		return len(states) == 20 && len(s.finds("anchor")) == 20
	})
	if s.reader.count() != reads || s.embedder.count() != texts {
		t.Errorf("it read %d files and embedded %d texts", s.reader.count()-reads, s.embedder.count()-texts)
	}
	// The watch of the renamed folder works.
	s.until("idle", s.idle)
	s.write("new/in/file3.txt", "A lighthouse.\n")
	s.until("an edit below it is seen", s.finding("lighthouse", "file3.txt"))
}

func TestR065_RestartReadsAndEmbedsNothing(t *testing.T) {
	s := newShelf(t)
	for i := range 10 {
		s.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("The anchor number %d.\n", i))
	}
	s.add("")
	s.sync()
	reads, texts := s.reader.count(), s.embedder.count()
	s.restart()
	s.sync()
	if s.reader.count() != reads || s.embedder.count() != texts {
		t.Errorf("the restart read %d files and embedded %d texts", s.reader.count()-reads, s.embedder.count()-texts)
	}
	if n := len(s.finds("anchor")); n != 10 {
		t.Errorf("%d found after the restart", n)
	}
}

func TestR051_OneChangeOfTwoHundred(t *testing.T) {
	s := newShelf(t)
	for i := range 200 {
		s.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("The anchor number %d.\n", i))
	}
	s.add("")
	s.sync()
	s.stop()
	s.write("77.txt", "The lighthouse and the anchor.\n")
	now := time.Now().Add(time.Minute)
	s.ok(os.Chtimes(s.path("78.txt"), now, now)) // touched, not changed
	reads, texts := s.reader.count(), s.embedder.count()
	s.start()
	s.sync()
	if r, e := s.reader.count()-reads, s.embedder.count()-texts; r != 1 || e != 1 {
		t.Errorf("it read %d files and embedded %d texts, want 1 and 1", r, e)
	}
	if got := s.finds("lighthouse"); !reflect.DeepEqual(got, []string{"77.txt"}) {
		t.Errorf("finds %v", got)
	}
}

func TestR107_TwoHundredDroppedAtOnceShowTheirStates(t *testing.T) {
	s := newShelf(t)
	s.reader.holdOn = make(chan struct{})
	for i := range 200 {
		s.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("The anchor number %d.\n", i))
	}
	for i := range 200 {
		_, err := s.AddFile(t.Context(), s.path(fmt.Sprintf("%d.txt", i)), AddOptions{})
		s.ok(err)
	}
	count := map[string]int{}
	for _, state := range s.states() {
		count[state]++
	}
	if count["waiting"]+count["indexing"] != 200 {
		t.Errorf("states %v, want 200 that wait or are read", count)
	}
	close(s.reader.holdOn)
	s.until("all are indexed", func() bool {
		counts, err := s.store.CountsByStatus(t.Context(), 0)
		s.ok(err)
		return counts["indexed"] == 200
	})
}

func TestOfflineRootKeepsItsIndex(t *testing.T) {
	for _, c := range []struct {
		name    string
		leave   func(s *shelf)
		comeBck func(s *shelf)
		reason  string
	}{
		{"missing", func(s *shelf) { s.rename("disk", "away") }, func(s *shelf) { s.rename("away", "disk") }, "is not there"},
		{"suddenly empty", func(s *shelf) {
			s.stop() // a disk is pulled while the program is off
			s.rename("disk", "away")
			s.ok(os.Mkdir(s.path("disk"), 0o700))
			s.start()
		}, func(s *shelf) { s.remove("disk"); s.rename("away", "disk") }, "is empty now"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf(t)
			s.write("disk/a.txt", "The boiler is warm.\n")
			s.write("disk/sub/b.txt", "The boiler is cold.\n")
			s.add("disk")
			s.sync()
			texts := s.embedder.count()
			c.leave(s)
			s.until("it is offline", s.stateIs("disk/a.txt", "offline"))
			s.clock.advance(time.Minute) // far beyond the grace time
			s.until("both are still found", s.finding("boiler", "a.txt", "b.txt"))
			st, err := s.Status(t.Context())
			s.ok(err)
			if f := st.Folders[0]; f.State != "offline" || !strings.Contains(f.Reason, c.reason) {
				t.Errorf("%s: %s", f.State, f.Reason)
			}
			c.comeBck(s)
			s.until("it is back", s.stateIs("disk/a.txt", "indexed"))
			if s.embedder.count() != texts {
				t.Errorf("it embedded %d texts again", s.embedder.count()-texts)
			}
			s.write("disk/a.txt", "The kettle is warm.\n")
			s.until("and watched", s.finding("kettle", "a.txt"))
		})
	}
}

func TestKilledInTheMiddleGoesOn(t *testing.T) {
	s := newShelf(t)
	const files, before = 20, 8
	for i := range files {
		s.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("The anchor number %d.\n", i))
	}
	s.reader.reading, s.reader.holdOn = make(chan string), make(chan struct{})
	s.add("")
	for range before {
		<-s.reader.reading
		s.reader.holdOn <- struct{}{}
	}
	half := <-s.reader.reading // is being read when the program is killed
	killed := copyFolder(t, s.data)
	s.reader.mu.Lock()
	s.reader.reading, s.reader.reads = nil, nil
	close(s.reader.holdOn)
	s.reader.mu.Unlock()
	s.stop()

	s.reader = &fakeReader{}
	s.data = killed
	s.start()
	s.sync()
	if n := s.reader.count(); n != files-before {
		t.Errorf("read %d files after the kill, want %d: %v", n, files-before, s.reader.reads)
	}
	if !contains(s.reader.reads, half) || len(s.finds("anchor")) != files {
		t.Errorf("%s was in hand; read %v, found %d", half, s.reader.reads, len(s.finds("anchor")))
	}
}

// copyFolder copies what a kill would leave: the files as they are on the disk.
func copyFolder(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() || strings.HasSuffix(e.Name(), "-shm") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, e.Name()), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

func TestFileThatIsStillBeingWritten(t *testing.T) {
	s := newShelf(t)
	s.add("")
	s.sync()
	f, err := os.Create(s.path("slow.txt"))
	s.ok(err)
	defer f.Close()
	for i := range 6 { // never quiet for two seconds
		_, err := fmt.Fprintf(f, "The anchor part %d.\n", i)
		s.ok(err)
		s.until("the write is noticed", func() bool { return !s.watch.quiet() })
		s.clock.advance(time.Second)
		if n := s.reader.count(); n != 0 {
			t.Fatalf("read %d times while it was written", n)
		}
	}
	s.until("it is read when quiet", s.finding("anchor", "slow.txt"))
	s.until("idle", s.idle)
	if n := s.reader.count(); n != 1 {
		t.Errorf("read %d times", n)
	}
}

func TestSaveByRenameDoesNotLoseTheFile(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler is warm.\n")
	s.add("")
	s.sync()
	d := s.document("a.txt")
	s.write(".a.swap", "The kettle is warm.\n")
	s.rename("a.txt", "a.txt~")
	s.rename(".a.swap", "a.txt")
	s.until("the new text is found", s.finding("kettle", "a.txt"))
	if now := s.document("a.txt"); now.ID != d.ID {
		t.Errorf("document %d became %d", d.ID, now.ID)
	}
}

func TestSameFileInTwoPlacesIsEmbeddedOnce(t *testing.T) {
	s := newShelf(t)
	s.write("one/a.txt", "The boiler is warm.\n")
	s.write("two/copy.txt", "The boiler is warm.\n")
	s.add("one")
	s.sync()
	_, err := s.AddFolder(t.Context(), s.path("two"), AddOptions{Collection: "Second"})
	s.ok(err)
	s.sync()
	if s.embedder.count() != 1 || len(s.finds("boiler")) != 2 {
		t.Errorf("embedded %d, found %v", s.embedder.count(), s.finds("boiler"))
	}
	if p := s.progress(); p.VectorsDone != 2 || s.index.Snapshot().Dense().Count() != 2 {
		t.Errorf("%+v, %d in the search", p, s.index.Snapshot().Dense().Count())
	}
}

func TestRestrictAndBack(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler is warm.\n")
	f := s.add("")
	s.sync()
	restricted, err := s.SetFolderLabel(t.Context(), f.ID, rag.LabelRestricted)
	s.ok(err)
	if !reflect.DeepEqual(restricted, []int64{s.document("a.txt").ID}) || len(s.finds("boiler")) != 0 || s.index.Snapshot().Dense().Count() != 0 {
		t.Errorf("restricted %v, found %v, %d vectors", restricted, s.finds("boiler"), s.index.Snapshot().Dense().Count())
	}
	s.write("a.txt", "The kettle is warm.\n") // a new version stays restricted
	s.until("it is read", func() bool { return s.reader.count() == 2 && s.idle() })
	if len(s.finds("kettle")) != 0 || s.embedder.count() != 1 {
		t.Errorf("found %v, embedded %d", s.finds("kettle"), s.embedder.count())
	}
	_, err = s.SetFolderLabel(t.Context(), f.ID, rag.LabelPublic)
	s.ok(err)
	s.until("it is found again", s.finding("kettle", "a.txt"))
	s.until("and embedded", func() bool { return s.index.Snapshot().Dense().Count() == 1 })
}

func TestR049_RemoveTakesTheContent(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler is warm.\n")
	s.write("sub/b.txt", "The boiler is cold.\n")
	s.write("sub/[c].txt", "The boiler is off.\n")
	s.write("sub/c.txt", "The boiler is on.\n")
	var forgotten []int64
	s.deps.Forget = func(_ context.Context, documents []int64) error { forgotten = documents; return nil }
	s.add("")
	s.sync()
	want := []int64{s.document("sub/[c].txt").ID}
	s.ok(s.Remove(t.Context(), s.path("sub/[c].txt"), true))
	if got := s.finds("boiler"); !reflect.DeepEqual(got, []string{"a.txt", "b.txt", "c.txt"}) || !reflect.DeepEqual(forgotten, want) {
		t.Errorf("found %v, forgotten %v", got, forgotten)
	}
	s.sync() // it does not come back
	if why, err := s.Why(t.Context(), s.path("sub/[c].txt")); err != nil || why != "It is excluded by a pattern of this folder." {
		t.Errorf("%q, %v", why, err)
	}
	s.ok(s.Remove(t.Context(), s.path("sub"), false))
	s.until("one is left", s.finding("boiler", "a.txt"))
	s.ok(s.Remove(t.Context(), s.path(""), false))
	if len(s.finds("boiler")) != 0 || len(s.states()) != 0 || len(s.watch.notify.WatchList()) != 0 {
		t.Errorf("found %v, %v, watched %v", s.finds("boiler"), s.states(), s.watch.notify.WatchList())
	}
	err := s.Remove(t.Context(), s.path("nowhere"), false)
	if !errors.Is(err, &rag.Error{Code: rag.CodeUnknownDocument}) || !strings.HasSuffix(err.Error(), "is not in the library. List the library to see what is.") {
		t.Errorf("%v", err)
	}
}
