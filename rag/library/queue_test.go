package library

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/extract"
	"referent/storage/index"
)

func TestSmallAndRecentFilesAreReadFirst(t *testing.T) {
	s := newShelf(t)
	now := s.clock.Now()
	for _, f := range []struct {
		name string
		size int
		age  time.Duration
	}{
		{"huge new.txt", 5 << 20, time.Hour}, {"small old.txt", 10, 300 * time.Hour}, {"middle.txt", 300 << 10, 2 * time.Hour},
		{"small new.txt", 200 << 10, 3 * time.Hour}, {"middle old.txt", 400 << 10, 30 * time.Hour}, {"small middle.txt", 1, 4 * time.Hour},
	} {
		s.ok(os.WriteFile(s.path(f.name), bytes.Repeat([]byte("\n"), f.size), 0o600))
		s.ok(os.Chtimes(s.path(f.name), now.Add(-f.age), now.Add(-f.age)))
	}
	want := []string{"small new.txt", "small middle.txt", "small old.txt", "middle.txt", "middle old.txt", "huge new.txt"}
	s.Pause()
	s.add("")
	s.Resume()
	s.sync()
	if !reflect.DeepEqual(s.reader.reads, want) {
		t.Errorf("read in the order %q, want %q", s.reader.reads, want)
	}
	// They entered the queue in that order too, whatever order the disk has.
	var ids []int64
	for _, name := range want {
		ids = append(ids, s.document(name).ID)
	}
	if !slices.IsSorted(ids) {
		t.Errorf("entered in the order %v", ids)
	}
}

// A file rests while an answer is written, and goes on with the time or at the
// end of the answer.
func TestReadingGivesWayToAnAnswer(t *testing.T) {
	s := newShelf(t)
	for i := range 3 {
		s.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("The anchor number %d.\n", i))
	}
	release := s.Ease()
	second := s.Ease()
	second()
	second() // counts once
	resting := func(at time.Time) func() bool {
		return func() bool {
			s.clock.mu.Lock()
			defer s.clock.mu.Unlock()
			for timer := range s.clock.timers {
				if timer.at.Equal(at.Add(easyWait)) {
					return true
				}
			}
			return false
		}
	}
	began := s.clock.Now()
	s.add("")
	s.standing("the first file rests", resting(began))
	if n := s.reader.count(); n != 0 {
		t.Fatalf("%d read at once", n)
	}
	s.clock.advance(easyWait)
	s.standing("one is read and the next rests", func() bool { return s.reader.count() == 1 && resting(began.Add(easyWait))() })
	release()
	s.standing("all others are read at once", func() bool { return s.reader.count() == 3 })
}

// A file that a question needs is read before smaller ones, and does not rest.
func TestFileThatAQuestionNeedsIsReadFirst(t *testing.T) {
	s := newShelf(t)
	s.Pause()
	s.write("needed.txt", strings.Repeat("The boiler is warm.\n", 20_000)) // 400 kB
	for i := range 5 {
		s.write(fmt.Sprintf("%d.txt", i), "The anchor.\n")
	}
	s.add("")
	release := s.Ease()
	s.ReadFirst(s.document("needed.txt").ID, 4711) // one that is not in the library costs nothing
	s.Resume()
	s.standing("it is read while the clock stands still", func() bool { return s.reader.count() == 1 && s.states()["needed.txt"] == "indexed" })
	release()
	s.sync()
	if got := s.reader.reads; len(got) != 6 || got[0] != "needed.txt" {
		t.Errorf("read %v", got)
	}
}

func TestClassOfAFolderIsCorrected(t *testing.T) {
	s := newShelf(t)
	s.write("notes/a.txt", "The boiler is warm.\n")
	s.write("notes/deep/b.txt", "The kettle is warm.\n")
	s.write("minutes.txt", "The anchor is warm.\n")
	s.add("")
	s.sync()
	n, err := s.SetFolderClass(t.Context(), s.path("notes"), rag.ClassFact)
	s.ok(err)
	s.write("notes/a.txt", "The lantern is warm.\n")
	s.until("a new version is read", s.finding("lantern", "a.txt"))
	for name, want := range map[string]rag.Class{"notes/a.txt": rag.ClassFact, "notes/deep/b.txt": rag.ClassFact, "minutes.txt": rag.ClassSnapshot} {
		if d := s.document(name); d.Class != string(want) || n != 2 {
			t.Errorf("%s is %s, want %s; %d were set", name, d.Class, want, n)
		}
	}
}

// standing waits while the clock stands still.
func (s *shelf) standing(what string, condition func() bool) {
	s.t.Helper()
	guard := time.After(60 * time.Second)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !condition() {
		select {
		case <-guard:
			s.t.Fatalf("it never came true: %s", what)
		case <-tick.C:
		}
	}
}

// A changed setting has only those files read again that it concerns, and what
// was found before is found meanwhile.
func TestChangedSettingReadsOnlyWhatItConcerns(t *testing.T) {
	s := newShelf(t)
	s.reader.ends = func(text string, _ extract.FileOptions) (rag.Extraction, error, bool) {
		return rag.Extraction{Status: rag.FileNeedsOCR, Kind: "pdf", Reason: "The pages of this PDF are pictures."}, nil, strings.HasPrefix(text, "picture")
	}
	s.write("scan.pdf", "picture of a boiler\n")
	s.write("other.txt", "The boiler is warm.\n")
	s.add("")
	s.sync()
	s.reader.mu.Lock()
	s.reader.ends = nil
	s.reader.mu.Unlock()
	before := s.reader.count()
	n, err := s.ReadAgain(t.Context(), func(d index.Document) bool { return d.Status == string(rag.FileNeedsOCR) })
	s.ok(err)
	s.until("the scan is found", s.finding("boiler", "other.txt", "scan.pdf"))
	s.sync()
	if got := s.reader.reads[before:]; n != 1 || !reflect.DeepEqual(got, []string{"scan.pdf"}) {
		t.Errorf("%d wait again, read %v", n, got)
	}
}

func TestR109_EmbeddingGoesInBatchesAndTheRateIsShown(t *testing.T) {
	s := newShelf(t)
	s.Pause()
	for i := range 40 {
		s.write(fmt.Sprintf("%d.txt", i), fmt.Sprintf("The anchor number %d.\n", i))
	}
	s.embedder.set(&inference.Error{Kind: inference.ErrWorkerDied, Message: "The model worker ended."})
	s.Resume()
	s.add("")
	s.until("all words are there", func() bool { counts := s.states(); return len(counts) == 40 && len(s.finds("anchor")) == 40 })
	s.embedder.set(nil)
	s.wakeMeaning()
	s.until("all vectors are there", func() bool { return s.progress().VectorsDone == 40 })
	s.embedder.mu.Lock()
	calls := slices.Clone(s.embedder.calls)
	s.embedder.mu.Unlock()
	// Three calls; a fourth where the embedder came back before the last file was stored.
	texts := 0
	for _, n := range calls {
		texts += n
	}
	if texts != 40 || len(calls) > 4 || slices.Max(calls) != 16 {
		t.Errorf("40 texts went in calls of %v", calls)
	}
	s.clock.advance(time.Second)
	if p := s.progress(); p.VectorsPerSecond <= 0 || p.VectorsTotal != 40 {
		t.Errorf("%+v", p)
	}
}

func TestFilesOfACollection(t *testing.T) {
	s := newShelf(t)
	s.write("one/a.txt", "The boiler is warm.\n")
	s.write("two/b.txt", "The kettle is warm.\n")
	s.add("one")
	f, err := s.AddFolder(t.Context(), s.path("two"), AddOptions{Collection: "Second"})
	s.ok(err)
	q := index.DocumentQuery{Collection: f.Collection}
	docs, err := s.Files(t.Context(), q)
	s.ok(err)
	n, err := s.store.CountDocuments(t.Context(), q)
	s.ok(err)
	if f.Collection == 0 || n != 1 || len(docs) != 1 || docs[0].Path != s.path("two/b.txt") {
		t.Errorf("%d: %+v of collection %d", n, docs, f.Collection)
	}
}
