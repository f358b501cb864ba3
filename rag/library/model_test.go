package library

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment"
	"referent/storage/index"
)

// disk does random things to the files of two roots and of a place outside of
// both, and says which paths a watch would name.
type disk struct {
	t     *testing.T
	rand  *rand.Rand
	dir   string
	now   func() time.Time
	turn  int
	hard  bool // make hard links: what is written under one name is told of that name only
	roots []string
}

func newDisk(t *testing.T, seed uint64, dir string, now func() time.Time) *disk {
	d := &disk{t: t, rand: rand.New(rand.NewPCG(seed, 1)), dir: dir, now: now, roots: []string{"one", "two", "outside"}}
	for _, r := range d.roots {
		d.ok(os.MkdirAll(filepath.Join(dir, r, "sub"), 0o700))
		d.write(filepath.Join(dir, r, "anchor.txt"), "The anchor of "+r+".\n") // never touched: a root is not emptied
	}
	return d
}

func (d *disk) ok(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// write gives each version a time of its own: two writes in one tick of the
// system's clock cannot be told apart by size and time.
func (d *disk) write(path, text string) {
	d.ok(os.WriteFile(path, []byte(text), 0o600))
	d.stamp(path)
}

func (d *disk) stamp(path string) {
	d.turn++
	at := d.now().Add(-time.Hour).Add(time.Duration(d.turn) * time.Millisecond)
	d.ok(os.Chtimes(path, at, at))
}

// pick returns a random file (not an anchor) or folder (not a root) below dir;
// empty: there is none.
func (d *disk) pick(folder bool) string {
	var found []string
	d.ok(filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		deep := strings.Count(strings.TrimPrefix(path, d.dir), string(os.PathSeparator))
		if e.IsDir() == folder && deep >= 2 && e.Name() != "anchor.txt" {
			found = append(found, path)
		}
		return nil
	}))
	if len(found) == 0 {
		return ""
	}
	return found[d.rand.IntN(len(found))]
}

// place is a random new path in a random folder.
func (d *disk) place(ext string) string {
	dir := d.pick(true)
	if dir == "" || d.rand.IntN(3) == 0 {
		dir = filepath.Join(d.dir, d.roots[d.rand.IntN(len(d.roots))])
	}
	names := []string{"a", "B", "b", "é", "e\u0301", "日本", "x y", "100%"} // forms and cases of letters beside each other
	return filepath.Join(dir, names[d.rand.IntN(len(names))]+ext)
}

// step does one thing and returns the paths that something happened to.
func (d *disk) step() []string {
	file, folder := d.pick(false), d.pick(true)
	switch n := d.rand.IntN(100); {
	case n < 25 || file == "":
		return d.create(d.place(".txt"), fmt.Sprintf("The text number %d is here.\n", d.rand.IntN(60))) // some are the same
	case n < 40:
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
			return nil // a link may lead anywhere
		}
		d.write(file, fmt.Sprintf("The changed text %d.\n", d.rand.IntN(1000)))
		return []string{file}
	case n < 58:
		return d.move(file, d.place(".txt"))
	case n < 68:
		d.ok(os.Remove(file))
		return []string{file}
	case n < 73:
		return d.create(d.place(""), "")
	case n < 80 && folder != "":
		return d.move(folder, d.place(""))
	case n < 84 && folder != "":
		d.ok(os.RemoveAll(folder))
		return []string{folder}
	case n < 88:
		to := d.place(".txt")
		if d.free(to) {
			d.ok(os.Symlink(file, to))
		}
		return []string{to}
	case n < 91:
		to := d.place(".txt")
		if !d.hard || !d.free(to) || os.Link(file, to) != nil { // a link to a link may be refused
			return nil
		}
		return []string{to}
	case n < 95:
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			d.ok(os.Chmod(file, []fs.FileMode{0o600, 0o644, 0o700}[d.rand.IntN(3)]))
		}
		return []string{file}
	default:
		if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
			d.stamp(file)
		}
		return []string{file}
	}
}

func (d *disk) free(path string) bool {
	_, err := os.Lstat(path)
	return err != nil
}

// create makes a file, or a folder where there is no text.
func (d *disk) create(path, text string) []string {
	if !d.free(path) {
		return nil
	}
	if text == "" {
		d.ok(os.Mkdir(path, 0o700))
	} else {
		d.write(path, text)
	}
	return []string{path}
}

// move renames a file over another, or a folder to a free place.
func (d *disk) move(from, to string) []string {
	if within(to, from) {
		return nil
	}
	if info, err := os.Lstat(to); err == nil {
		if was, err := os.Lstat(from); err != nil || was.IsDir() || info.IsDir() {
			return nil
		}
	}
	d.ok(os.Rename(from, to))
	return []string{from, to}
}

// truth is what the disk holds in the two roots: path and content, told without
// the library's own walk.
func (d *disk) truth() map[string]string {
	files := map[string]string{}
	for _, r := range d.roots[:2] {
		d.ok(filepath.WalkDir(filepath.Join(d.dir, r), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			b, err := os.ReadFile(path)
			hash := sha256.Sum256(b)
			files[path] = hex.EncodeToString(hash[:])
			return err
		}))
	}
	return files
}

// ledger is what the library believes: indexed files and their content.
func ledger(t *testing.T, store *index.Store) map[string]string {
	t.Helper()
	docs, err := store.Documents(t.Context(), index.DocumentQuery{})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, d := range docs {
		files[d.Path] = d.Hash
		if d.Status != string(rag.FileIndexed) {
			files[d.Path] = d.Status
		}
	}
	return files
}

// difference says where the ledger differs from the disk; empty: nowhere.
func difference(disk, ledger map[string]string) string {
	var wrong strings.Builder
	for _, path := range slices.Sorted(maps.Keys(disk)) {
		if ledger[path] != disk[path] {
			fmt.Fprintf(&wrong, "%s: the disk has %.8s, the ledger %.8s\n", path, disk[path], ledger[path])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(ledger)) {
		if disk[path] == "" {
			fmt.Fprintf(&wrong, "%s is in the ledger only\n", path)
		}
	}
	return wrong.String()
}

// TestRandomOperationsEndWithTheLedgerEqualToTheDisk drives the library by
// hand, without goroutines: the clock stands still, and of what happens on the
// disk a third is never told.
func TestRandomOperationsEndWithTheLedgerEqualToTheDisk(t *testing.T) {
	for seed := uint64(1); seed <= 4; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := newModel(t, seed)
			for range 15 {
				m.busy(50)
				m.quiet()
				m.compare()
			}
		})
	}
}

// model is a library that does one thing at a time.
type model struct {
	*testing.T
	*disk
	clock  *fakeClock
	reader *fakeReader
	l      *Library
	index  *segment.Index
}

func newModel(t *testing.T, seed uint64) *model {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	store, err := index.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	m := &model{T: t, clock: newFakeClock(), reader: &fakeReader{}}
	m.disk = newDisk(t, seed, dir, m.clock.Now)
	m.hard = true
	m.index, err = segment.Open(t.Context(), store, "model")
	m.ok(err)
	m.l = New(Deps{Store: store, Extract: m.reader.extract, Index: m.index, Clock: m.clock})
	m.l.watch.began = true // the test is the watch
	for _, r := range m.roots[:2] {
		_, err := m.l.AddFolder(t.Context(), filepath.Join(dir, r), AddOptions{})
		m.ok(err)
	}
	return m
}

// busy does things, tells of most of them, and lets the library work between.
func (m *model) busy(n int) {
	for range n {
		for _, path := range m.step() {
			if m.rand.IntN(3) == 0 {
				continue
			}
			if len(m.l.roots.of(path)) > 0 {
				m.l.watch.hears(path)
				m.l.watch.touch(path)
			}
		}
		if m.rand.IntN(5) == 0 {
			m.clock.advance(time.Duration(m.rand.IntN(4000)) * time.Millisecond)
			m.ok(m.l.watch.round(m.Context()))
			m.read(m.rand.IntN(4))
		}
	}
}

// read reads up to n files of the queue; below 0 all of them.
func (m *model) read(n int) {
	for ; n != 0; n-- {
		d, ok, err := m.l.store.NextWaiting(m.Context())
		m.ok(err)
		if !ok {
			return
		}
		m.ok(m.l.readOne(m.Context(), d))
	}
}

// quiet lets the library finish. What was lost is found by an overflow, or by
// the comparison that comes with the time.
func (m *model) quiet() {
	if m.rand.IntN(2) == 0 {
		m.l.watch.reconcileAll()
	} else {
		m.clock.advance(reconcileAge)
	}
	for range 100 {
		m.ok(m.l.watch.round(m.Context()))
		m.read(-1)
		missing, err := m.l.store.MissingCount(m.Context())
		m.ok(err)
		waiting, err := m.l.store.Unfinished(m.Context())
		m.ok(err)
		if missing == 0 && waiting == 0 && m.l.watch.quiet() {
			return
		}
		m.clock.advance(time.Second)
	}
	m.Fatalf("it does not come to rest: %v", ledger(m.T, m.l.store))
}

func (m *model) compare() {
	m.Helper()
	if wrong := difference(m.truth(), ledger(m.T, m.l.store)); wrong != "" {
		m.Fatal(wrong)
	}
	// The search holds the words of these documents and of no others: every
	// text has one of the two.
	var stored, found []int64
	m.ok(m.l.store.EachChunk(m.Context(), 0, func(c index.Chunk) error { stored = append(stored, c.ID); return nil }))
	snapshot := m.index.Snapshot()
	hits, err := snapshot.Lexical().Search(m.Context(), lexical.NewQuery("text anchor", snapshot.Languages()), nil, 10_000)
	m.ok(err)
	for _, h := range hits {
		found = append(found, h.Chunk)
	}
	slices.Sort(stored)
	slices.Sort(found)
	if !slices.Equal(stored, found) {
		m.Fatalf("the search sees the chunks %v, the library holds %v", found, stored)
	}
}

// TestRandomOperationsUnderTheSystemsWatch does the same with the real watch:
// nothing is told by hand, nothing compared by the clock.
func TestRandomOperationsUnderTheSystemsWatch(t *testing.T) {
	s := newShelf(t)
	d := newDisk(t, 7, s.dir, s.clock.Now)
	s.add("one")
	s.add("two")
	s.sync()
	for range 3 {
		for range 100 {
			d.step()
		}
		s.until("the ledger equals the disk", func() bool {
			return s.idle() && difference(d.truth(), ledger(t, s.store)) == ""
		})
	}
}
