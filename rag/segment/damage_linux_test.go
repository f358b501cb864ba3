package segment

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment/disk"
)

func firstChunk(s *shelfOnDisk, name string) int64 {
	chunks, err := s.DocumentChunks(s.t.Context(), s.ids[name])
	s.ok(err)
	return chunks[0].ID
}

// A start opens vectors without reading them all; the check that follows finds
// what is wrong with them, asked or not.
func TestStored_VectorsAreCheckedAfterTheStart(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("falcon", 300)...)
	s.ok(s.x.Settle(t.Context()))
	s.close()
	path := s.fileOf(0, vectorsKind)
	b, err := os.ReadFile(path)
	s.ok(err)
	b[len(b)-9] ^= 0x40
	s.ok(os.WriteFile(path, b, 0o600))
	s.open()
	s.ok(s.x.Settle(t.Context()))
	if len(s.notices) != 1 || s.notices[0] != damagedNotice {
		t.Fatalf("notices: %v", s.notices)
	}
	s.expectLikeMemory("falcon")
	s.expectVerified()
}

// What is cut short, or cannot be read by its disk, while a start first looks at it
// does not end the program.
func TestStored_AFileCutShortBeforeItIsParsed(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("falcon", 900)...)
	s.ok(s.x.Settle(t.Context()))
	s.close()
	mapped := func(kind string) (*disk.Mapping, string) {
		path := s.fileOf(0, kind)
		info, err := os.Stat(path)
		s.ok(err)
		folder, err := disk.Open(filepath.Dir(path))
		s.ok(err)
		m, err := folder.MapUnread(filepath.Base(path), info.Size())
		s.ok(err)
		return m, path
	}
	words, wordsPath := mapped(wordsKind)
	vectors, vectorsPath := mapped(vectorsKind)
	b, err := parseWords(words)
	s.ok(err)
	s.ok(os.Truncate(vectorsPath, 0))
	if _, err := b.parseVectors(vectors); !errors.Is(err, disk.ErrDamaged) {
		t.Errorf("the vectors: %v", err)
	}
	s.ok(os.Truncate(wordsPath, 4096))
	if _, err := parseWords(words); !errors.Is(err, disk.ErrDamaged) {
		t.Errorf("the words: %v", err)
	}
}

// A file that is cut short while it is mapped costs one search at most: its
// documents are served again soon, whoever met the fault.
func TestStored_AFileCutShortInUseIsBuiltAgain(t *testing.T) {
	for name, meet := range map[string]func(s *shelfOnDisk, kind string){
		"a search": func(s *shelfOnDisk, kind string) {
			snap := s.x.Snapshot()
			_, err := snap.Lexical().Search(s.t.Context(), lexical.NewQuery("falcon", []string{"pl"}), nil, 10)
			if kind == vectorsKind {
				_, err = snap.Dense().Search(s.t.Context(), bagOf("falcon"), nil, 10)
			}
			if !errors.Is(err, disk.ErrDamaged) || !errors.Is(err, &rag.Error{Code: rag.CodeStorageFailed}) {
				s.t.Fatalf("the search says %v", err)
			}
			if n := len(found(s.t, s.x.Snapshot(), "pigeon")); n != 100 {
				s.t.Fatalf("the next search finds %d of the other part", n)
			}
		},
		"a lookup": func(s *shelfOnDisk, kind string) {
			snap := s.x.Snapshot()
			chunk := firstChunk(s, "a.txt")
			if _, ok := snap.Dense().Vector(chunk); ok != (kind == wordsKind) {
				s.t.Fatalf("a vector: %v", ok)
			}
			_ = snap.DocumentFrequency("falcon")
			if got := snap.Lexical().Explain(lexical.NewQuery("falcon", []string{"pl"}), chunk); len(got) != 1 {
				s.t.Fatalf("explained %v", got)
			}
		},
		"a merge": func(s *shelfOnDisk, _ string) {
			s.x.Remove(s.ids["a.txt"]) // much of it is gone now
		},
		"a verify": func(s *shelfOnDisk, _ string) {
			if wrong, err := s.x.Verify(s.t.Context(), s); err != nil || len(wrong) == 0 {
				s.t.Fatalf("verify: %v, %v", wrong, err)
			}
		},
		"a label": func(s *shelfOnDisk, _ string) {
			_, err := s.SetDocumentLabel(s.t.Context(), s.ids["a.txt"], "restricted")
			s.ok(err)
			cols, _, err := s.Columns(s.t.Context(), s.ids["a.txt"])
			s.ok(err)
			s.x.SetColumns(cols)
		},
		"a new version": func(s *shelfOnDisk, _ string) { s.put("a.txt", 2, passages("falcon", 120)...) },
	} {
		for _, kind := range []string{wordsKind, vectorsKind} {
			t.Run(name+" "+kind, func(t *testing.T) {
				s := newShelfOnDisk(t)
				s.put("a.txt", 1, passages("falcon", 100)...)
				s.put("c.txt", 1, passages("falcon", 200)...)
				s.ok(s.x.Settle(t.Context()))
				s.put("b.txt", 1, passages("pigeon", 270)...)
				s.ok(s.x.Settle(t.Context()))
				s.reopen()
				s.ok(s.x.Settle(t.Context())) // else the check after a start meets it first
				s.ok(os.Truncate(s.fileOf(0, kind), 0))
				meet(s, kind)
				s.ok(s.x.Settle(t.Context()))
				if name == "a merge" {
					s.ok(s.vanish("a.txt"))
				}
				s.expectLikeMemory("falcon", "pigeon")
				s.expectVerified()
				s.reopen()
				if len(s.notices) > 0 {
					t.Fatalf("the repair did not last: %v", s.notices)
				}
			})
		}
	}
}
