//go:build models || !race

package extract

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// With the race detector compiling takes minutes: the test runs with those on real
// models. A file stands where the cache should be.
func TestPDFCache_ThatCannotBeUsedCostsNoFile(t *testing.T) {
	blocked := writeTemp(t, "cache", []byte("no folder"))
	if pool, err := cachedPDFPool(Options{PDFCacheDir: blocked}); err != nil {
		t.Error(err)
	} else if err := pool.Close(); err != nil {
		t.Error(err)
	}
}

// A module in the cache that is cut off is replaced by the one that came with the
// program.
func TestPDFCache_ADamagedModuleIsReplaced(t *testing.T) {
	modules := cacheFolder("pdfium")
	if err := WarmPDF(t.Context(), modules); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := seedPDFCache(dir, modules); err != nil {
		t.Fatal(err)
	}
	sizes := func() (out []int64) {
		files, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, f := range files {
			info, err := os.Stat(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, info.Size())
			if err := os.Truncate(f, 0); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	want := sizes()
	pool, err := cachedPDFPool(Options{PDFCacheDir: dir, PDFModules: modules})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if got := sizes(); !slices.Equal(got, want) {
		t.Errorf("%v bytes, want %v", got, want)
	}
}
