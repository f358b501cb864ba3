package segment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
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

// A segment that went away before its checksum was compared is no reason to read
// all others: what went wrong in one of them since it was compared is not found.
func TestStored_ASegmentThatWentAwayIsNotLookedFor(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("falcon", 280)...)
	s.ok(s.x.Settle(t.Context()))
	secret := s.put("b.txt", 1, passages("pigeon", 280)...)
	s.ok(s.x.Settle(t.Context()))
	s.reopen()
	s.x.stop() // the test takes the steps
	step := func() {
		t.Helper()
		_, err := s.x.step(t.Context(), true)
		s.ok(err)
	}
	step()
	if n := len(s.x.files.unread); n != 1 {
		t.Fatalf("%d segments are left to be compared, want 1", n)
	}
	_, err := s.SetDocumentLabel(t.Context(), secret, "restricted")
	s.ok(err)
	cols, _, err := s.Columns(t.Context(), secret)
	s.ok(err)
	s.x.SetColumns(cols)
	path := s.fileOf(0, "bm25")
	whole, err := os.ReadFile(path)
	s.ok(err)
	whole[len(whole)/2] ^= 1
	s.ok(os.WriteFile(path, whole, 0o600))
	for !s.x.files.checked.Load() {
		step()
	}
	if len(s.notices) != 0 {
		t.Errorf("all was read: %v", s.notices)
	}
}

// meanwhile is a source at whose nth question for columns something else happens,
// after the answer was read.
type meanwhile struct {
	*shelfOnDisk
	n    int
	then func()
}

func (m *meanwhile) Columns(ctx context.Context, id int64) (index.DocumentColumns, bool, error) {
	cols, ok, err := m.shelfOnDisk.Columns(ctx, id)
	if m.n--; m.n == 0 {
		m.then()
	}
	return cols, ok, err
}

// A tag, a label, or a file that vanished while a document is read again are not
// overwritten by what was read before.
func TestStored_ReadingAgainOverwritesNoChange(t *testing.T) {
	changes := map[string]func(s *shelfOnDisk, id int64) error{
		"tag": func(s *shelfOnDisk, id int64) error {
			_, err := s.AddTags(s.t.Context(), []int64{id}, []string{"roof"})
			return err
		},
		"label": func(s *shelfOnDisk, id int64) error {
			_, err := s.SetDocumentLabel(s.t.Context(), id, "restricted")
			return err
		},
		"vanished": func(s *shelfOnDisk, id int64) error {
			_, err := s.Missing(s.t.Context(), []string{"/docs/a.txt"}, someDay)
			return err
		},
		"class": func(s *shelfOnDisk, id int64) error { return s.SetDocumentClass(s.t.Context(), id, "news", "user") },
	}
	for name, change := range changes {
		for question := 1; question <= 4; question++ {
			t.Run(fmt.Sprint(name, " at question ", question), func(t *testing.T) {
				s := newShelfOnDisk(t)
				id := s.put("a.txt", 1, passages("falcon", 3)...)
				src := &meanwhile{shelfOnDisk: s, n: question, then: func() {
					s.ok(change(s, id))
					cols, _, err := s.Columns(t.Context(), id)
					s.ok(err)
					s.x.SetColumns(cols)
				}}
				s.ok(s.x.readAgain(t.Context(), src, []int64{id}))
				want, err := Open(t.Context(), s.Store, "m")
				s.ok(err)
				have, there := s.x.Snapshot().Document(id)
				truth, found := want.Snapshot().Document(id)
				if there != found || !reflect.DeepEqual(have, truth) {
					t.Errorf("%+v (%t), want %+v (%t)", have, there, truth, found)
				}
				if n, m := s.x.Snapshot().Restricted(rag.Scope{}, nil), want.Snapshot().Restricted(rag.Scope{}, nil); n != m {
					t.Errorf("%d restricted, want %d", n, m)
				}
			})
		}
	}
}
