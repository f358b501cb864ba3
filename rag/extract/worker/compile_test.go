//go:build models || !race

package worker

import (
	"context"
	"path/filepath"
	"testing"

	"referent/rag/extract"
)

// TestThePDFModuleIsCompiledInItsOwnTime reads a PDF with an empty cache,
// which is told and kept, and again, which needs nothing. With the race detector
// compiling takes minutes: the test runs with those on real models.
func TestThePDFModuleIsCompiledInItsOwnTime(t *testing.T) {
	cache := t.TempDir()
	path := writeFile(t, "a.pdf", pdf(bombCatalog, bombPages, bombPage, "<< /Length 33 >>\nstream\nBT /F1 9 Tf 9 9 Td (Words) Tj ET  \nendstream", bombFont))
	for _, c := range []struct {
		name    string
		made    int // times that something was made ready
		entries int
	}{{"an empty cache", 1, 1}, {"the same process", 0, 1}} {
		made := 0
		ex, err := extract.File(context.Background(), path, extract.Options{PDFCacheDir: cache, Preparing: func() { made++ }})
		if err != nil || ex.Text != "Words" || made != c.made {
			t.Errorf("%s: %s %q, made ready %d times, %v", c.name, ex.Status, ex.Text, made, err)
		}
		if kept, err := filepath.Glob(filepath.Join(cache, "*", "*")); err != nil || len(kept) != c.entries {
			t.Errorf("%s: the cache holds %v, %v", c.name, kept, err)
		}
	}
}
