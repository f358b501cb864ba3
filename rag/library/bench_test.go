package library

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"referent/rag/segment"
	"referent/storage/index"
)

// BenchmarkReconcileUnchanged compares 50,000 files that did not change: no
// file is opened.
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
	for b.Loop() {
		if err := l.reconcile(ctx, r, r.Path); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(reader.count()), "parses")
}
