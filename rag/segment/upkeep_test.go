package segment

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"referent/rag/lexical/analyze"
)

// until waits for something that the index does in the background.
func (s *shelfOnDisk) until(what string, holds func() bool) {
	s.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); !holds(); {
		if time.Now().After(end) {
			s.t.Fatalf("%s: not after a minute", what)
		}
		<-tick.C
	}
}

// wordFiles is the number of segments.
func (s *shelfOnDisk) wordFiles() int {
	s.t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.dir, "index", "seg-*.bm25"))
	s.ok(err)
	return len(paths)
}

// On battery what came in is still written, merges wait for the mains, and
// somebody who waits is not kept waiting.
func TestStored_MergesWaitOnBattery(t *testing.T) {
	s := newShelfOnDisk(t)
	var battery atomic.Bool
	var asked atomic.Int64
	battery.Store(true)
	s.spares = func() bool { asked.Add(1); return battery.Load() }
	s.reopen()
	nine := func(letter rune) {
		for i := range 9 {
			before := s.wordFiles()
			s.put(fmt.Sprintf("%c%d.txt", letter, i), 1, passages(fmt.Sprintf("word%c", letter), 270)...)
			s.until("a segment is written", func() bool { return s.wordFiles() > before })
		}
	}
	nine('a')
	twice := asked.Load() + 2
	s.until("the power is asked for again", func() bool { return asked.Load() >= twice })
	if n := s.wordFiles(); n != 9 {
		t.Fatalf("%d segments on battery, want the nine that came in", n)
	}
	battery.Store(false)
	s.until("eight segments became one", func() bool { return s.wordFiles() == 2 })
	battery.Store(true)
	again := asked.Load() + 2 // past an answer of before
	s.x.files.wake()
	nine('b')
	s.until("the battery is noticed", func() bool { return asked.Load() >= again })
	s.ok(s.x.Settle(t.Context()))
	if n := s.wordFiles(); n > 4 { // of eleven
		t.Fatalf("%d segments although somebody waited", n)
	}
	s.expectLikeMemory("worda", "wordb", "pump")
	s.expectVerified()
}

// A segment of an older analyzer is no reason for a slow start: it serves, and
// its documents are analysed anew in the background; never on battery, and no
// word of it gets into a segment of the newer one.
func TestStored_AnOlderAnalyzerServesWhileItIsReplaced(t *testing.T) {
	s := newShelfOnDisk(t)
	id := s.put("a.txt", 1, passages("falcon", 280)...)
	cols, _, err := s.Columns(t.Context(), id)
	s.ok(err)
	chunks, err := s.Store.DocumentChunks(t.Context(), id)
	s.ok(err)
	for i := range chunks {
		chunks[i].Text += " olden" // as only the older analyzer would read it
	}
	s.x.Add(cols, chunks)
	s.ok(s.x.Settle(t.Context()))
	s.put("b.txt", 1, passages("pigeon", 280)...)
	s.ok(s.x.Settle(t.Context()))
	secret := s.put("c.txt", 1, passages("osprey", 20)...)
	s.ok(s.x.Settle(t.Context()))
	s.close()
	rows, err := s.Segments(t.Context())
	s.ok(err)
	if len(rows) != 2 {
		t.Fatalf("%d segments", len(rows))
	}
	for i := range rows {
		rows[i].Analyzer = analyze.Version - 1
	}
	s.ok(s.Store.CommitSegments(t.Context(), rows, nil))

	s.spares = func() bool { return true }
	s.open()
	if s.texts.Load() != 20 || s.every.Load() != 0 || len(s.notices) != 0 {
		t.Fatalf("%d chunks were read, %d passes, %v", s.texts.Load(), s.every.Load(), s.notices)
	}
	for word, n := range map[string]int{"falcon": 100, "pigeon": 100, "osprey": 20, "olden": 100} {
		if got := found(t, s.x.Snapshot(), word); len(got) != n {
			t.Errorf("%s is found %d times, want %d", word, len(got), n)
		}
	}
	// A label takes words out of an old segment too, and the rest of it stays old.
	_, err = s.SetDocumentLabel(t.Context(), secret, "restricted")
	s.ok(err)
	cols, _, err = s.Columns(t.Context(), secret)
	s.ok(err)
	s.x.SetColumns(cols)
	s.put("d.txt", 1, passages("heron", 280)...)
	s.until("the new document is written", func() bool { return s.wordFiles() == 3 })

	s.spares = nil
	s.reopen()
	s.ok(s.x.Settle(t.Context()))
	rows, err = s.Segments(t.Context())
	s.ok(err)
	for _, row := range rows {
		if row.Analyzer != analyze.Version {
			t.Errorf("segment %d is still of analyzer %d", row.ID, row.Analyzer)
		}
	}
	if files := s.holds("olden"); len(files) > 0 {
		t.Errorf("%s still hold an old word", strings.Join(files, " "))
	}
	s.expectLikeMemory("falcon", "pigeon", "heron", "osprey", "olden")
	s.expectVerified()
	s.expectOnlyListedFiles()
	s.reopen()
	if s.texts.Load() != 0 || len(s.notices) != 0 {
		t.Fatalf("the work did not last: %d chunks read, %v", s.texts.Load(), s.notices)
	}
}

// A merge that replaces files while they are verified is no damage.
func TestVerify_AMergeMeanwhileIsNoDamage(t *testing.T) {
	s := newShelfOnDisk(t)
	for i := range 8 {
		s.put(fmt.Sprintf("f%d.txt", i), 1, passages("falcon", 40)...)
	}
	s.ok(s.x.Rebuild(t.Context(), s))
	old := s.x.Snapshot().blocks[0]
	if found := s.x.verifyFiles(old); len(found) > 0 {
		t.Fatalf("before: %v", found)
	}
	s.put("g.txt", 1, passages("pigeon", 300)...)
	s.x.Remove(s.ids["f0.txt"], s.ids["f1.txt"], s.ids["f2.txt"], s.ids["f3.txt"])
	s.ok(s.x.Settle(t.Context()))
	if old.inMemory() || s.x.listed(old) {
		t.Fatal("nothing was replaced, so the test shows nothing")
	}
	if found := s.x.verifyFiles(old); len(found) > 0 {
		t.Errorf("after: %v", found)
	}
}
