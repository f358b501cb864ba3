package library

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/extract"
	"referent/rag/extract/worker"
	"referent/storage/index"
)

func TestR063_FailingEmbedderKeepsTheOldVersionSearchable(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler is warm.\n")
	s.add("")
	s.sync()
	s.embedder.set(&inference.Error{Kind: inference.ErrWorkerDied, Message: "The model worker ended."})
	s.write("a.txt", "The kettle is warm.\n")
	s.until("the new words are found", s.finding("kettle", "a.txt"))
	s.until("the status says why meaning waits", func() bool {
		return s.progress().WordsOnly == "Search by meaning waits. Files are found by their words. The model worker ended."
	})
	if p := s.progress(); p.VectorsDone != 0 || p.VectorsTotal != 1 {
		t.Errorf("%+v", p)
	}
	s.sync() // ends all the same
	s.embedder.set(nil)
	s.ok(s.Retry(t.Context(), s.path("a.txt")))
	s.until("the vector is there", func() bool { p := s.progress(); return p.VectorsDone == 1 && p.WordsOnly == "" })
}

func TestReaderFailingKeepsTheOldVersion(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler is warm.\n")
	s.add("")
	s.sync()
	s.reader.mu.Lock()
	s.reader.ends = func(string, extract.FileOptions) (rag.Extraction, error, bool) {
		return rag.Extraction{Status: rag.FileTimedOut, Reason: "Reading took longer than 10 s."}, worker.ErrTimedOut, true
	}
	s.reader.mu.Unlock()
	s.write("a.txt", "Something slow.\n")
	s.until("it times out", s.stateIs("a.txt", "timed_out"))
	if got := s.finds("boiler"); len(got) != 1 {
		t.Errorf("the old version is found in %v", got)
	}
	if why, err := s.Why(t.Context(), s.path("a.txt")); err != nil || why != "Reading took longer than 10 s." {
		t.Errorf("%q, %v", why, err)
	}
	reads := s.reader.count()
	s.restart()
	s.sync()
	if s.reader.count() != reads {
		t.Error("the same bytes were tried again")
	}
}

func TestR077_TwoDeathsParkAFile(t *testing.T) {
	s := newShelf(t)
	s.reader.ends = func(text string, _ extract.FileOptions) (rag.Extraction, error, bool) {
		return rag.Extraction{Status: rag.FileParked, Reason: "The parse worker ended."}, fmt.Errorf("exit 9: %w", worker.ErrDied), strings.HasPrefix(text, "!")
	}
	s.write("bad.txt", "! kills")
	s.write("good.txt", "The boiler is warm.\n")
	s.add("")
	s.sync()
	if got := s.states(); !reflect.DeepEqual(got, map[string]string{"bad.txt": "parked", "good.txt": "indexed"}) {
		t.Errorf("states %v", got)
	}
	if s.reader.count() != 3 { // bad twice, good once
		t.Errorf("read %v", s.reader.reads)
	}
	s.restart()
	now := time.Now().Add(time.Minute)
	s.ok(os.Chtimes(s.path("bad.txt"), now, now))
	s.sync()
	if s.reader.count() != 3 || s.states()["bad.txt"] != "parked" {
		t.Errorf("the same bytes were read again: %v", s.reader.reads)
	}
	s.write("bad.txt", "The kettle is mended.\n")
	s.until("a new version is read", s.finding("kettle", "bad.txt"))
}

// TestWhatIsMadeReadyIsTold: a sentence while the PDF module is compiled, none
// while it is only read from the cache, and no blame for a file where it fails.
func TestWhatIsMadeReadyIsTold(t *testing.T) {
	s := newShelf(t)
	s.reader.ends = func(string, extract.FileOptions) (rag.Extraction, error, bool) {
		return rag.Extraction{Status: rag.FileParked, Reason: "The reader could not be made ready."}, fmt.Errorf("%w: %w", worker.ErrPreparing, worker.ErrMemory), true
	}
	s.write("a.txt", "The boiler is warm.\n")
	s.add("")
	s.sync()
	if d := s.document("a.txt"); d.Status != "parked" || d.Reason != "The reader could not be made ready." || s.reader.count() != 2 {
		t.Errorf("%s %q, read %d times", d.Status, d.Reason, s.reader.count())
	}
	ready := s.Preparing("It is made ready.")
	s.until("the sentence is shown", func() bool { return s.progress().Preparing == "It is made ready." })
	ready()
	s.until("the sentence goes", func() bool { return s.progress().Preparing == "" })
}

func TestTextThatTheModelCannotBearCostsOnlyItself(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler is warm.\n")
	s.write("b.txt", "A poison text.\n")
	s.write("c.txt", "The garden is green.\n")
	s.add("")
	s.until("all others have vectors", func() bool { return s.progress().VectorsDone == 2 })
	s.until("it is found by its words", s.finding("poison", "b.txt"))
}

func TestR083_NoEmbedderSaysSoAtOnce(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&inference.Error{Kind: inference.ErrNoModel, Message: "No model."}, "No embedding model is loaded. Files are found by their words only."},
		{&inference.Error{Kind: inference.ErrOutOfMemory, Message: "Memory ran out. Close a program."}, "Search by meaning waits. Files are found by their words. Memory ran out. Close a program."},
		{&rag.Error{Code: rag.CodeNoModel, Message: "E5 is not installed.", Hint: "Choose another model."}, "Search by meaning waits. Files are found by their words. E5 is not installed. Choose another model."},
	} {
		s := newShelf(t)
		s.Library.Close()
		s.Library = New(Deps{Store: s.store, Extract: s.reader.extract, Index: s.index, Clock: s.clock,
			Embedder: func() (inference.Embedder, error) { return nil, c.err }})
		s.ok(s.Start(t.Context()))
		s.write("a.txt", "The boiler is warm.\n")
		s.add("")
		s.sync()
		if p := s.progress(); p.WordsOnly != c.want {
			t.Errorf("%q, want %q", p.WordsOnly, c.want)
		}
		if got := s.finds("boiler"); len(got) != 1 {
			t.Errorf("finds %v", got)
		}
	}
}

func TestPauseAndResume(t *testing.T) {
	s := newShelf(t)
	s.Pause()
	s.write("a.txt", "The boiler is warm.\n")
	s.add("")
	if err := s.Sync(t.Context(), nil); !errors.Is(err, &rag.Error{Code: rag.CodeLibraryBusy}) || err.Error() != "The library is paused. Resume it first." {
		t.Errorf("%v", err)
	}
	if s.reader.count() != 0 || s.states()["a.txt"] != "waiting" {
		t.Errorf("read %d, %v", s.reader.count(), s.states())
	}
	s.Resume()
	s.sync()
	s.ok(s.PauseFolder(t.Context(), s.path("")))
	s.write("b.txt", "The kettle is warm.\n")
	s.until("it waits", s.stateIs("b.txt", "waiting"))
	s.sync()
	if s.reader.count() != 1 {
		t.Errorf("read %d from a paused folder", s.reader.count())
	}
	s.ok(s.ResumeFolder(t.Context(), s.path("")))
	s.until("it is read", s.finding("kettle", "b.txt"))
}

func TestReaderThatCannotStartPutsNothingOnTheFile(t *testing.T) {
	s := newShelf(t)
	s.reader.ends = func(string, extract.FileOptions) (rag.Extraction, error, bool) {
		return rag.Extraction{}, errors.New("fork failed"), true
	}
	s.write("a.txt", "The boiler is warm.\n")
	s.add("")
	s.until("the status says so", func() bool {
		return s.progress().Trouble == "The program that reads files could not be started. It is tried again."
	})
	s.until("no attempt is counted", func() bool { d := s.document("a.txt"); return d.Status == "waiting" && d.Attempts == 0 })
	s.reader.mu.Lock()
	s.reader.ends = nil
	s.reader.mu.Unlock()
	s.until("it is tried again", s.finding("boiler", "a.txt"))
	s.until("the trouble is over", func() bool { return s.progress().Trouble == "" })
}

func TestPasswordAndRetry(t *testing.T) {
	s := newShelf(t)
	s.reader.ends = func(_ string, file extract.FileOptions) (rag.Extraction, error, bool) {
		return rag.Extraction{Status: rag.FileNeedsPassword, Reason: "The file is protected by a password."}, nil, file.Password != "sesame"
	}
	s.write("a.txt", "The boiler is warm.\n")
	s.add("")
	s.sync()
	if got := s.states()["a.txt"]; got != "needs_password" {
		t.Fatalf("%s", got)
	}
	s.ok(s.Unlock(t.Context(), s.path("a.txt"), "sesame", false))
	s.until("it is read", s.finding("boiler", "a.txt"))
}

func TestFileThatIsTooLarge(t *testing.T) {
	s := newShelf(t)
	f, err := os.Create(s.path("big.bin"))
	s.ok(err)
	s.ok(f.Truncate(maxFileSize + 1))
	s.ok(f.Close())
	s.add("")
	s.sync()
	if d := s.document("big.bin"); d.Status != "too_large" || d.Reason != "The file is 100 MB large. Files above 100 MB are not read. Split it, or export the part that you need." || s.reader.count() != 0 {
		t.Errorf("%+v, %d read", d, s.reader.count())
	}
}

func TestTokensAreCountedInTheBackground(t *testing.T) {
	s := newShelf(t)
	s.write("a.txt", "The boiler is warm.\n")
	s.add("")
	var ids []int64
	s.until("they are counted", func() bool {
		ids = nil
		s.ok(s.store.EachChunk(t.Context(), 0, func(c index.Chunk) error { ids = append(ids, c.ID); return nil }))
		counts, err := s.store.TokenCounts(t.Context(), "model", ids)
		s.ok(err)
		return len(ids) == 1 && counts[ids[0]] == 4
	})
}

func TestR079_ThreeFoldersAtOnce(t *testing.T) {
	s := newShelf(t)
	for _, name := range []string{"one", "two", "three"} {
		s.write(name+"/a.txt", "The boiler of "+name+" is warm.\n")
	}
	done := make(chan error, 3)
	for _, name := range []string{"one", "two", "three"} {
		go func() { _, err := s.AddFolder(t.Context(), s.path(name), AddOptions{Collection: "All"}); done <- err }()
	}
	for range 3 {
		s.ok(<-done)
	}
	s.sync()
	if got := len(s.states()); got != 3 {
		t.Errorf("%d files", got)
	}
}
