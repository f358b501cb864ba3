package segment

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"referent/storage/index"
)

// The label comes while the vectors of its segment are on their way to the
// disk: they do not stay there.
func TestP68_ALabelDuringAWriteLeavesNoVectors(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("pigeon", 280)...)
	secret := s.put("b.txt", 1, passages("falcon", 20)...)
	s.ok(s.x.Rebuild(t.Context(), s)) // all of it in one file
	blocks := s.x.Snapshot().blocks
	i := slices.IndexFunc(blocks, func(b *block) bool { _, ok := b.find(secret); return ok && !b.inMemory() })
	if i < 0 {
		t.Fatal("the document is in no file, so the test shows nothing")
	}
	_, err := s.SetDocumentLabel(t.Context(), secret, "restricted")
	s.ok(err)
	cols, _, err := s.Columns(t.Context(), secret)
	s.ok(err)
	s.x.SetColumns(cols)
	if err := s.x.writeVectors(t.Context(), blocks[i], "m"); !errors.Is(err, errStale) { // it began before the label
		t.Fatalf("the late file was taken: %v", err)
	}
	s.ok(s.x.Settle(t.Context()))
	s.expectOnlyListedFiles()
	s.expectLikeMemory("pigeon", "falcon")
}

// A kill between a new file of vectors and the list leaves the old file, which
// the list still names.
func TestStored_AKillBeforeTheListNamesNewVectorsHarmsNothing(t *testing.T) {
	s := newShelfOnDisk(t)
	id := s.store("a.txt", 1, passages("falcon", 280)...)
	cols, _, err := s.Columns(t.Context(), id)
	s.ok(err)
	chunks, err := s.Store.DocumentChunks(t.Context(), id)
	s.ok(err)
	s.x.Add(cols, chunks)
	var vectors []ChunkVector
	s.ok(s.DocumentVectors(t.Context(), "m", id, func(chunk int64, v []float32) error {
		vectors = append(vectors, ChunkVector{chunk, v})
		return nil
	}))
	s.ok(s.x.SetVectors("m", vectors[:140]))
	s.ok(s.x.Settle(t.Context()))
	folder, copied := filepath.Join(s.dir, "index"), filepath.Join(s.dir, "at the kill")
	killed := errors.New("killed")
	s.beforeCommit = func([]index.Segment) error {
		if _, err := os.Stat(copied); err != nil {
			return errors.Join(os.CopyFS(copied, os.DirFS(folder)), killed)
		}
		return killed
	}
	s.ok(s.x.SetVectors("m", vectors[140:]))
	if err := s.x.Settle(t.Context()); !errors.Is(err, killed) {
		t.Fatalf("no vectors were written, so the test shows nothing: %v", err)
	}
	s.expectOnlyListedFiles() // after an error that is no kill
	s.close()
	s.beforeCommit = nil
	s.ok(os.RemoveAll(folder))
	s.ok(os.Rename(copied, folder))
	s.open()
	if len(s.notices) > 0 || s.texts.Load() > 0 {
		t.Fatalf("after the kill: %v, %d chunks were read", s.notices, s.texts.Load())
	}
	s.ok(s.x.Settle(t.Context()))
	s.expectOnlyListedFiles()
	s.expectLikeMemory("falcon")
	s.expectVerified()
}

// Vectors of another model are no damage when that model comes back.
func TestStored_TheModelMayComeBack(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("falcon", 280)...)
	s.ok(s.x.Settle(t.Context()))
	s.close()
	other, err := OpenStored(t.Context(), s, "other", Files{Dir: filepath.Join(s.dir, "index"), Manifest: s, SealFrom: 256})
	s.ok(err)
	s.ok(other.Settle(t.Context()))
	s.ok(other.Close())
	s.open()
	if len(s.notices) > 0 {
		t.Fatalf("notices: %v", s.notices)
	}
	s.expectLikeMemory("falcon")
}
