package extract

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/rag"
)

// cacheFolder is a folder of the user's cache, shared with the program. Tests
// work without what is in it, but slower.
func cacheFolder(name string) string {
	dir := os.Getenv("REFERENT_CACHE")
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			base = os.TempDir()
		}
		dir = filepath.Join(base, "referent")
	}
	return filepath.Join(dir, name)
}

// readBytes writes a file and reads it.
func readBytes(tb testing.TB, name string, content []byte, opts ...Options) rag.Extraction {
	tb.Helper()
	return readPath(tb, writeTemp(tb, name, content), opts...)
}

// writeTemp writes a file into a folder of its own and gives its path.
func writeTemp(tb testing.TB, name string, content []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func readPath(tb testing.TB, path string, opts ...Options) rag.Extraction {
	tb.Helper()
	o := Options{PDFCacheDir: cacheFolder("pdfium")}
	if len(opts) > 0 {
		o = opts[0]
		o.PDFCacheDir = cacheFolder("pdfium")
	}
	ex, err := File(context.Background(), path, o)
	if err != nil {
		tb.Fatal(err)
	}
	checkOffsets(tb, ex)
	return ex
}

// checkOffsets holds every extraction to the promise that a block's text
// stands in the normalised text at its offset.
func checkOffsets(tb testing.TB, ex rag.Extraction) {
	tb.Helper()
	runes := []rune(ex.Text)
	for i, b := range ex.Blocks {
		want := []rune(b.Text)
		if b.Offset < 0 || b.Offset+len(want) > len(runes) || string(runes[b.Offset:b.Offset+len(want)]) != b.Text {
			tb.Fatalf("block %d (%s) does not stand at its offset %d", i, b.Kind, b.Offset)
		}
	}
}

func expectStatus(tb testing.TB, ex rag.Extraction, want rag.FileStatus) {
	tb.Helper()
	if ex.Status != want {
		tb.Fatalf("status %s (%s), want %s", ex.Status, ex.Reason, want)
	}
	if want != rag.FileIndexed && !strings.HasSuffix(ex.Reason, ".") {
		tb.Fatalf("status %s has no sentence: %q", ex.Status, ex.Reason)
	}
}

func expectText(tb testing.TB, ex rag.Extraction, parts ...string) {
	tb.Helper()
	for _, p := range parts {
		if !strings.Contains(ex.Text, p) {
			tb.Errorf("%q is missing in:\n%.2000s", p, ex.Text)
		}
	}
}

// outline gives blocks as "kind: text" lines, which is how tests compare them.
func outline(ex rag.Extraction) string {
	var b strings.Builder
	for _, block := range ex.Blocks {
		b.WriteString(string(block.Kind) + ": " + strings.ReplaceAll(block.Text, "\n", "\\n") + "\n")
	}
	return b.String()
}
