//go:build models || !race

package extract

import "testing"

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
