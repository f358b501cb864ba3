package library

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment"
	"referent/storage/index"
)

// BenchmarkReconcileUnchanged compares 50,000 files that did not change: no
// file is opened. walks is how many times as long that takes as looking at the
// same tree without a ledger, which is done in turn with it.
func BenchmarkReconcileUnchanged(b *testing.B) {
	const files = 50_000
	ctx := context.Background()
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	for i := range files {
		folder := filepath.Join(dir, fmt.Sprintf("%03d", i%500))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.txt", i)), []byte("x"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	store, err := index.Open(ctx, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer store.Close()
	search, err := segment.Open(ctx, store, "model")
	if err != nil {
		b.Fatal(err)
	}
	reader := &fakeReader{}
	l := New(Deps{Store: store, Extract: reader.extract, Index: search, Clock: newFakeClock()})
	if _, err := l.AddFolder(ctx, dir, AddOptions{}); err != nil { // not started: nothing is read
		b.Fatal(err)
	}
	r := l.roots.all()[0]
	var walked time.Duration
	for b.Loop() {
		if err := l.reconcile(ctx, r, r.Path); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		began := time.Now()
		if n := plainWalk(b, dir); n != files {
			b.Fatalf("%d files", n)
		}
		walked += time.Since(began)
		b.StartTimer()
	}
	b.ReportMetric(float64(reader.count()), "parses")
	b.ReportMetric(b.Elapsed().Seconds()/walked.Seconds(), "walks")
}

// plainWalk counts the files below a folder, and asks for the size and time of
// each.
func plainWalk(b *testing.B, dir string) (files int) {
	b.Helper()
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		_, err = e.Info()
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files
}

// onTheClock is a library that watches a folder by the system's clock.
func onTheClock(b *testing.B) (dir string, found func(word string) int) {
	b.Helper()
	ctx := context.Background()
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	store, err := index.Open(ctx, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	search, err := segment.Open(ctx, store, "model")
	if err != nil {
		b.Fatal(err)
	}
	l := New(Deps{Store: store, Extract: (&fakeReader{}).extract, Index: search})
	if err := l.Start(ctx); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		l.Close()
		_ = store.Close()
	})
	if _, err := l.AddFolder(ctx, dir, AddOptions{}); err != nil {
		b.Fatal(err)
	}
	return dir, func(word string) int {
		snapshot := search.Snapshot()
		allow, err := snapshot.Allowed(rag.Scope{}, nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		hits, err := snapshot.Lexical().Search(ctx, lexical.NewQuery(word, snapshot.Languages()), allow, 10)
		if err != nil {
			b.Fatal(err)
		}
		return len(hits)
	}
}

// waitUntil looks a hundred times a second.
func waitUntil(b *testing.B, condition func() bool) {
	b.Helper()
	for began := time.Now(); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			b.Fatal("it never came true")
		}
	}
}

// BenchmarkEditToFound is the time from the last write of a file to the moment at
// which a search finds its new words. Most of it is the rest that a file must have
// had, so that a slow copy is not read half.
func BenchmarkEditToFound(b *testing.B) {
	dir, found := onTheClock(b)
	path := filepath.Join(dir, "a.txt")
	n := 0
	for b.Loop() {
		word := fmt.Sprintf("%c%clantern", 'a'+n/26%26, 'a'+n%26) // a number would be a word of its own
		if err := os.WriteFile(path, []byte("The "+word+" is lit.\n"), 0o600); err != nil {
			b.Fatal(err)
		}
		waitUntil(b, func() bool { return found(word) == 1 })
		n++
	}
}

// BenchmarkDeleteToGone is the time from the deletion of a file to the moment at
// which no search finds it.
func BenchmarkDeleteToGone(b *testing.B) {
	dir, found := onTheClock(b)
	path := filepath.Join(dir, "a.txt")
	for b.Loop() {
		b.StopTimer()
		if err := os.WriteFile(path, []byte("The boiler is warm.\n"), 0o600); err != nil {
			b.Fatal(err)
		}
		waitUntil(b, func() bool { return found("boiler") == 1 })
		b.StartTimer()
		if err := os.Remove(path); err != nil {
			b.Fatal(err)
		}
		waitUntil(b, func() bool { return found("boiler") == 0 })
	}
}
