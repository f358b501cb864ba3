package segment

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment/disk"
	"referent/storage/index"
)

// A byte that is wrong in a way that no form shows never ends the program: until
// the check that follows a start, searches may find less or say that a part is
// damaged; afterwards everything is as it was.
func TestStored_AWrongByteNeverEndsTheProgram(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("falcon", 280)...)
	s.ok(s.x.Settle(t.Context()))
	s.close()
	path := s.fileOf(0, "bm25")
	whole, err := os.ReadFile(path)
	s.ok(err)
	r := rand.New(rand.NewPCG(5, 77))
	harmed := 0
	for range 60 {
		bytes := slices.Clone(whole)
		for range 1 + r.IntN(40) {
			bytes[fileHeader+r.IntN(len(bytes)-fileHeader)] = byte(r.UintN(256))
		}
		m := filepath.Join(t.TempDir(), "words")
		s.ok(os.WriteFile(m, bytes, 0o600))
		folder, err := disk.Open(filepath.Dir(m))
		s.ok(err)
		mapped, err := folder.MapUnread("words", int64(len(bytes)))
		s.ok(err)
		b, err := parseWords(mapped)
		if err != nil {
			continue // its form shows it
		}
		b.row = index.Segment{ID: 1}
		snap := newSnapshot([]*block{b}, nil, "", 0)
		snap.damaged, snap.intact = func() { harmed++ }, func(index.Segment) bool { return false }
		for _, word := range []string{"falcon", "pump", "pump number17 falcon3", "number5 number6 number7"} {
			q := lexical.NewQuery(word, []string{"pl"})
			hits, err := snap.Lexical().Search(t.Context(), q, nil, 100)
			if err != nil && !errors.Is(err, &rag.Error{Code: rag.CodeStorageFailed}) || len(hits) > 100 {
				t.Fatalf("%d hits, %v", len(hits), err)
			}
			snap.Lexical().Explain(q, 1, 2, 3)
		}
	}
	if harmed == 0 {
		t.Error("no search came to an impossible place, so the test shows nothing")
	}
	s.open()
	hits, err := s.x.Snapshot().Lexical().Search(t.Context(), lexical.NewQuery("falcon", []string{"pl"}), nil, 400)
	s.ok(err) // what a fault left behind spoils no later search
	plain, err := Open(t.Context(), s.Store, "m")
	s.ok(err)
	want, err := plain.Snapshot().Lexical().Search(t.Context(), lexical.NewQuery("falcon", []string{"pl"}), nil, 400)
	if s.ok(err); !slices.Equal(hits, want) || len(want) == 0 {
		t.Errorf("%d hits, want %d", len(hits), len(want))
	}
}

// An orderly end writes what is in memory, so that the next start reads no text;
// a few passages are not worth a file.
func TestStored_CloseWritesTheTail(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("falcon", 280)...)
	s.ok(s.x.Settle(t.Context()))
	s.put("b.txt", 1, passages("pigeon", 70)...)
	s.ok(s.x.Close())
	s.open()
	if s.texts.Load() != 0 || s.every.Load() != 0 || len(s.notices) != 0 {
		t.Errorf("%d chunks were read, %d passes, %v", s.texts.Load(), s.every.Load(), s.notices)
	}
	s.expectLikeMemory("falcon", "pigeon")
	s.put("c.txt", 1, passages("osprey", 20)...)
	files := len(s.fileNames())
	s.ok(s.x.Close())
	if n := len(s.fileNames()); n != files {
		t.Errorf("%d files, were %d", n, files)
	}
	s.open()
	if s.texts.Load() != 20 {
		t.Errorf("%d chunks were read, want 20", s.texts.Load())
	}
	s.expectLikeMemory("falcon", "pigeon", "osprey")
	s.ok(s.x.Settle(t.Context()))
	s.expectVerified()
}
