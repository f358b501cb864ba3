package segment

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment/disk"
	"referent/storage/index"
)

// shelfOnDisk is a real store with an index in files: the verbs of the stories
// below. counts what was read of it.
type shelfOnDisk struct {
	*index.Store
	t       *testing.T
	dir     string
	folder  int64
	ids     map[string]int64 // of documents that were put
	x       *Index
	notices []string
	texts   atomic.Int64 // chunks read from the store, also in the background
	every   atomic.Int64 // passes over all chunks

	beforeCommit func(put []index.Segment) error // may be nil
	spares       func() bool                     // may be nil
}

func (s *shelfOnDisk) CommitSegments(ctx context.Context, put []index.Segment, remove []int64) error {
	if s.beforeCommit != nil {
		if err := s.beforeCommit(put); err != nil {
			return err
		}
	}
	return s.Store.CommitSegments(ctx, put, remove)
}

func (s *shelfOnDisk) EachChunk(ctx context.Context, after int64, fn func(index.Chunk) error) error {
	s.every.Add(1)
	return s.Store.EachChunk(ctx, after, func(c index.Chunk) error { s.texts.Add(1); return fn(c) })
}

func (s *shelfOnDisk) DocumentChunks(ctx context.Context, id int64) ([]index.Chunk, error) {
	chunks, err := s.Store.DocumentChunks(ctx, id)
	s.texts.Add(int64(len(chunks)))
	return chunks, err
}

func (s *shelfOnDisk) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func newShelfOnDisk(t *testing.T) *shelfOnDisk {
	t.Helper()
	s := &shelfOnDisk{t: t, dir: t.TempDir(), ids: map[string]int64{}}
	var err error
	s.Store, err = index.Open(t.Context(), s.dir)
	s.ok(err)
	t.Cleanup(func() {
		s.close()
		s.ok(s.Store.Close())
	})
	f, err := s.AddFolder(t.Context(), index.Folder{Path: "/docs"})
	s.ok(err)
	s.folder = f.ID
	s.open()
	return s
}

func (s *shelfOnDisk) open() {
	s.t.Helper()
	s.texts.Store(0)
	s.every.Store(0)
	s.notices = nil
	var err error
	s.x, err = OpenStored(s.t.Context(), s, "m", Files{Dir: filepath.Join(s.dir, "index"), Manifest: s, SealFrom: 256, Notice: func(n string) { s.notices = append(s.notices, n) },
		Spares: s.spares, again: time.Millisecond})
	s.ok(err)
}

func (s *shelfOnDisk) close() {
	if s.x != nil {
		s.x.stop() // as a kill would: what is in memory is not written
		s.x = nil
	}
}

func (s *shelfOnDisk) reopen() { s.t.Helper(); s.close(); s.open() }

var someDay = time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)

// put stores a version of a document, with vectors, and shows it to the index.
func (s *shelfOnDisk) put(name string, version int, texts ...string) int64 {
	s.t.Helper()
	id := s.store(name, version, texts...)
	cols, _, err := s.Columns(s.t.Context(), id)
	s.ok(err)
	chunks, err := s.Store.DocumentChunks(s.t.Context(), id)
	s.ok(err)
	s.x.Add(cols, chunks)
	s.x.Unmask(id)
	s.ids[name] = id
	var v []ChunkVector
	s.ok(s.DocumentVectors(s.t.Context(), "m", id, func(chunk int64, row []float32) error {
		v = append(v, ChunkVector{chunk, row})
		return nil
	}))
	s.ok(s.x.SetVectors("m", v))
	return id
}

// store does it without the index, as if the program had been killed.
func (s *shelfOnDisk) store(name string, version int, texts ...string) int64 {
	s.t.Helper()
	_, err := s.Found(s.t.Context(), []index.FileSeen{{Folder: s.folder, Path: "/docs/" + name, Size: int64(version), ModTime: someDay}})
	s.ok(err)
	d, ok, err := s.NextWaiting(s.t.Context())
	s.ok(err)
	if !ok {
		s.t.Fatalf("%s does not wait", name)
	}
	c := index.DocumentContent{Document: d.ID, Status: "indexed", Kind: "text", Language: "pl", Title: name, Class: "fact", Text: strings.Join(texts, "")}
	var vectors []index.HashVector
	offset := 0
	for i, text := range texts {
		c.Chunks = append(c.Chunks, index.StoredChunk{Ordinal: i, Parent: -1, ContentHash: text, Text: text, Locator: "{}", Offset: offset, Length: len(text), Tokens: 1})
		vectors = append(vectors, index.HashVector{ContentHash: text, V: bagOf(text)})
		offset += len(text)
	}
	_, _, err = s.Replace(s.t.Context(), c)
	s.ok(err)
	s.ok(s.PutVectors(s.t.Context(), "m", vectors))
	return d.ID
}

// vanish deletes a document from the store.
func (s *shelfOnDisk) vanish(name string) error {
	_, err := s.Missing(s.t.Context(), []string{"/docs/" + name}, someDay)
	if err == nil {
		_, err = s.PurgeMissing(s.t.Context(), someDay.Add(time.Hour))
	}
	return err
}

// bagOf is a vector that texts with common words share.
func bagOf(text string) []float32 {
	v := make([]float32, 16)
	for i, r := range text {
		v[int(r)%16] += 1 / float32(1+i%5)
	}
	v[0]++
	return v
}

// passages are n chunks that hold the words of a document.
func passages(word string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s %s%d pump number%d", word, word, i%7, i)
	}
	return out
}

// expectLikeMemory compares the index with one that is built in memory from the
// same store.
func (s *shelfOnDisk) expectLikeMemory(words ...string) {
	s.t.Helper()
	plain, err := Open(s.t.Context(), s.Store, "m")
	s.ok(err)
	a, b := s.x.Snapshot(), plain.Snapshot()
	if a.Chunks() != b.Chunks() {
		s.t.Fatalf("%d chunks, want %d", a.Chunks(), b.Chunks())
	}
	for _, w := range words {
		if got, want := found(s.t, a, w), found(s.t, b, w); !slices.Equal(got, want) {
			s.t.Fatalf("%q finds %d chunks, want %d", w, len(got), len(want))
		}
		allowA, err1 := a.Allowed(rag.Scope{}, nil, nil)
		allowB, err2 := b.Allowed(rag.Scope{}, nil, nil)
		if err1 != nil || err2 != nil {
			s.t.Fatal(err1, err2)
		}
		got, err1 := a.Dense().Search(s.t.Context(), bagOf(w), allowA, 50)
		want, err2 := b.Dense().Search(s.t.Context(), bagOf(w), allowB, 50)
		if err1 != nil || err2 != nil || len(got) != len(want) {
			s.t.Fatalf("%q is near %d chunks, want %d; %v %v", w, len(got), len(want), err1, err2)
		}
		for i := range got {
			if d := got[i].Cosine - want[i].Cosine; d > 1e-5 || d < -1e-5 {
				s.t.Fatalf("%q: nearest %d has cosine %v, want %v", w, i, got[i].Cosine, want[i].Cosine)
			}
		}
	}
}

func (s *shelfOnDisk) expectVerified() {
	s.t.Helper()
	wrong, err := s.x.Verify(s.t.Context(), s)
	s.ok(err)
	if len(wrong) > 0 {
		s.t.Fatalf("verify: %v", wrong)
	}
}

func (s *shelfOnDisk) fileNames() []string {
	s.t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.dir, "index", "seg-*"))
	s.ok(err)
	for i, p := range paths {
		paths[i] = filepath.Base(p)
	}
	return paths
}

// fileOf is the path of a file of the segment at a place of the list.
func (s *shelfOnDisk) fileOf(place int, kind string) string {
	s.t.Helper()
	rows, err := s.Segments(s.t.Context())
	s.ok(err)
	number := rows[place].ID
	if kind == vectorsKind {
		number = rows[place].VectorsFile
	}
	return filepath.Join(s.dir, "index", disk.Name(number, kind))
}

// expectOnlyListedFiles: what the list does not name must not be there.
func (s *shelfOnDisk) expectOnlyListedFiles() {
	s.t.Helper()
	rows, err := s.Segments(s.t.Context())
	s.ok(err)
	var want []string
	for _, row := range rows {
		want = append(want, fileNames(row)...)
	}
	slices.Sort(want)
	if got := s.fileNames(); !slices.Equal(got, want) {
		s.t.Fatalf("files %v, the list names %v", got, want)
	}
}

func TestP46_ARestartReadsOnlyWhatNoFileHolds(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("falcon", 160)...)
	s.put("b.txt", 1, passages("pigeon", 160)...)
	s.ok(s.x.Settle(t.Context()))
	if got := s.fileNames(); len(got) != 2 || !strings.HasSuffix(got[0], ".bm25") || !strings.HasSuffix(got[1], ".vec") {
		t.Fatalf("files: %v", got)
	}
	s.put("c.txt", 1, passages("osprey", 30)...)
	s.reopen()
	if s.texts.Load() != 30 || s.every.Load() != 0 || len(s.notices) != 0 {
		t.Fatalf("%d chunks were read, %d passes, %v", s.texts.Load(), s.every.Load(), s.notices)
	}
	s.expectLikeMemory("falcon", "pigeon3", "osprey", "pump", "number17")
	hits, err := s.x.Snapshot().Lexical().Search(t.Context(), lexical.NewQuery("pump osprey", []string{"pl"}), nil, 40)
	plain, err2 := Open(t.Context(), s.Store, "m")
	s.ok(err)
	s.ok(err2)
	want, err := plain.Snapshot().Lexical().Search(t.Context(), lexical.NewQuery("pump osprey", []string{"pl"}), nil, 40)
	if s.ok(err); !slices.Equal(hits, want) {
		t.Fatal("scores depend on the layout")
	}
	s.expectVerified()
}

func TestStored_DamagedFilesAreServedAroundAndBuiltAgain(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"truncated": func(p string) error { return os.Truncate(p, 1000) },
		"flipped": func(p string) error {
			b, err := os.ReadFile(p)
			if err == nil {
				b[len(b)/2] ^= 0x10
				err = os.WriteFile(p, b, 0o600)
			}
			return err
		},
		"missing": os.Remove,
		"foreign": func(p string) error { return os.WriteFile(p, []byte("something else"), 0o600) },
	} {
		for _, kind := range []string{"bm25", "vec"} {
			t.Run(name+" "+kind, func(t *testing.T) {
				s := newShelfOnDisk(t)
				s.put("a.txt", 1, passages("falcon", 280)...)
				s.ok(s.x.Settle(t.Context()))
				s.put("b.txt", 1, passages("pigeon", 270)...)
				s.ok(s.x.Settle(t.Context()))
				s.close()
				s.ok(harm(s.fileOf(0, kind)))
				s.open()
				if got := found(t, s.x.Snapshot(), "pigeon"); len(got) < 90 {
					t.Fatalf("the other part finds %d", len(got))
				}
				s.ok(s.x.Settle(t.Context()))
				if len(s.notices) != 1 || !strings.Contains(s.notices[0], "is being built again") {
					t.Fatalf("notices: %v", s.notices)
				}
				s.expectLikeMemory("falcon", "pigeon")
				s.expectVerified()
				s.reopen()
				if s.texts.Load() != 0 || len(s.notices) != 0 {
					t.Fatalf("the repair did not last: %d chunks read, %v", s.texts.Load(), s.notices)
				}
			})
		}
	}
}

func TestStored_TheFolderMayBeDeletedAtAnyTime(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("falcon", 280)...)
	s.ok(s.x.Settle(t.Context()))
	s.ok(os.RemoveAll(filepath.Join(s.dir, "index")))
	s.expectLikeMemory("falcon")
	s.put("b.txt", 1, passages("pigeon", 280)...)
	s.ok(s.x.Settle(t.Context()))
	s.reopen()
	s.ok(s.x.Settle(t.Context()))
	s.expectLikeMemory("falcon", "pigeon")
	s.expectVerified()
}

// What the store says counts, whatever the files still hold: a killed program
// may have told the index nothing.
func TestStored_FollowsChangesThatTheIndexNeverHeardOf(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("falcon", 180)...)
	kept := s.put("b.txt", 1, passages("pigeon", 180)...)
	s.put("c.txt", 1, passages("osprey", 10)...)
	s.ok(s.x.Settle(t.Context()))
	s.close()
	s.store("a.txt", 2, passages("heron", 40)...)
	s.store("d.txt", 1, passages("stork", 20)...)
	s.ok(s.vanish("c.txt"))
	s.open()
	s.ok(s.x.Settle(t.Context()))
	s.expectLikeMemory("falcon", "pigeon", "heron", "stork", "osprey", "pump")
	if d, ok := s.x.Snapshot().Document(kept); !ok || d.Revision == 0 {
		t.Errorf("the untouched document is %+v, %v", d, ok)
	}
	s.expectVerified()
}

func (s *shelfOnDisk) holds(word string) (files []string) {
	s.t.Helper()
	for _, name := range s.fileNames() {
		b, err := os.ReadFile(filepath.Join(s.dir, "index", name))
		s.ok(err)
		if bytes.Contains(b, []byte(word)) {
			files = append(files, name)
		}
	}
	return files
}

func TestP68_ALabelTakesWordsAndVectorsOutOfTheFiles(t *testing.T) {
	s := newShelfOnDisk(t)
	s.put("a.txt", 1, passages("pigeon", 280)...)
	secret := s.put("b.txt", 1, passages("falcon", 20)...)
	late := s.put("c.txt", 1, passages("osprey", 20)...)
	s.ok(s.x.Rebuild(t.Context(), s)) // all of it in one file
	if len(s.holds("falcon")) == 0 || len(s.holds("osprey")) == 0 {
		t.Fatal("the words are in no file, so the test shows nothing")
	}
	_, err := s.SetDocumentLabel(t.Context(), secret, "restricted")
	s.ok(err)
	cols, _, err := s.Columns(t.Context(), secret)
	s.ok(err)
	s.x.SetColumns(cols)
	if files := s.holds("falcon"); len(files) > 0 { // at once, not at the next merge
		t.Fatalf("%v still hold the word", files)
	}
	s.ok(s.x.Settle(t.Context()))
	s.close()
	_, err = s.SetDocumentLabel(t.Context(), late, "restricted") // and nobody told the index
	s.ok(err)
	s.open()
	if files := s.holds("osprey"); len(files) > 0 {
		t.Fatalf("%v still hold the word", files)
	}
	s.ok(s.x.Settle(t.Context()))
	if len(s.holds("falcon")) > 0 || len(s.holds("osprey")) > 0 {
		t.Fatal("a merge brought the words back")
	}
	if n := s.x.Snapshot().Restricted(rag.Scope{}, nil); n != 2 {
		t.Errorf("%d restricted, want 2", n)
	}
	s.expectLikeMemory("pigeon", "falcon", "osprey")
	s.expectVerified()
}

// Random histories with restarts, damage and merges: what can be found is what
// the store has, and after a rebuild every bit of a score is too.
func TestStored_RandomHistories(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 41))
		s := newShelfOnDisk(t)
		live := map[string]int64{}
		for step := range 40 {
			name := fmt.Sprintf("f%d.txt", r.IntN(12))
			switch r.IntN(9) {
			case 0:
				s.reopen()
			case 1:
				s.ok(s.x.Settle(t.Context()))
			case 2:
				if id := live[name]; id != 0 {
					s.ok(s.vanish(name))
					s.x.Remove(id)
					delete(live, name)
				}
			case 3:
				s.close()
				if names := s.fileNames(); len(names) > 0 && r.IntN(2) == 0 {
					s.ok(os.Remove(filepath.Join(s.dir, "index", names[r.IntN(len(names))])))
				}
				s.open()
			default:
				live[name] = s.put(name, step+1, passages(fmt.Sprintf("word%c", 'a'+r.IntN(5)), 1+r.IntN(90))...)
			}
		}
		s.ok(s.x.Settle(t.Context()))
		s.expectLikeMemory("worda", "wordb", "wordc", "wordd", "worde", "pump")
		s.expectVerified()
		s.ok(s.x.Rebuild(t.Context(), s))
		s.expectVerified()
		if s.x.Snapshot().gone == 0 {
			plain, err := Open(t.Context(), s.Store, "m")
			s.ok(err)
			q := lexical.NewQuery("pump worda number3", []string{"pl"})
			got, err1 := s.x.Snapshot().Lexical().Search(t.Context(), q, nil, 300)
			want, err2 := plain.Snapshot().Lexical().Search(t.Context(), q, nil, 300)
			if err1 != nil || err2 != nil || !slices.Equal(got, want) {
				t.Fatalf("seed %d: a rebuilt index scores otherwise", seed)
			}
		}
	}
}

func TestStored_MergesSegmentsOfOneSize(t *testing.T) {
	s := newShelfOnDisk(t)
	for i := range 9 {
		s.put(fmt.Sprintf("f%d.txt", i), 1, passages(fmt.Sprintf("word%c", 'a'+i), 270)...)
		s.ok(s.x.Settle(t.Context()))
	}
	if n := len(s.fileNames()); n != 4 { // eight became one
		t.Fatalf("files: %v", s.fileNames())
	}
	s.reopen()
	if s.texts.Load() != 0 {
		t.Fatalf("%d chunks were read", s.texts.Load())
	}
	s.expectLikeMemory("worda", "wordi")
	s.expectVerified()
}

func TestVerify_NamesAWordThatIsNotInItsDocument(t *testing.T) {
	s := newShelfOnDisk(t)
	id := s.put("a.txt", 1, passages("falcon", 20)...)
	cols, _, err := s.Columns(t.Context(), id)
	s.ok(err)
	chunks, err := s.Store.DocumentChunks(t.Context(), id)
	s.ok(err)
	chunks[3].Text += " stranger"
	s.x.Add(cols, chunks)
	s.store("b.txt", 1, passages("pigeon", 5)...)
	wrong, err := s.x.Verify(t.Context(), s)
	s.ok(err)
	if len(wrong) != 2 || !strings.Contains(wrong[0], "The words of 20 passages") || !strings.Contains(wrong[1], "1 documents are not in") {
		t.Fatalf("found: %v", wrong)
	}
	s.ok(s.x.Rebuild(t.Context(), s))
	s.expectVerified()
}
