//go:build shareddata

package extract

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"referent/rag"
)

// sharedFiles finds the folder of real files: REFERENT_SHARED_DATA, or beside
// the repository.
func sharedFiles(tb testing.TB) string {
	dir := os.Getenv("REFERENT_SHARED_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	dir = filepath.Join(dir, "files")
	if _, err := os.Stat(filepath.Join(dir, "SOURCE.tsv")); err != nil {
		tb.Fatalf("the shared files are not there: %v", err)
	}
	return dir
}

// readHere are the kinds with a reader in this version; the others must end as
// unsupported, with a sentence.
var readHere = map[string]bool{".csv": true, ".docx": true, ".html": true, ".png": true, ".ipynb": true, ".pdf": true, ".txt": true}

var onPage = regexp.MustCompile(`^p(\d+): `)

func fold(s string) string { return strings.Join(strings.Fields(norm.NFKC.String(s)), " ") }

// TestSharedFiles reads every file of SOURCE.tsv and compares status, phrases,
// their pages, and what must not be there.
func TestSharedFiles(t *testing.T) {
	dir := sharedFiles(t)
	f, err := os.Open(filepath.Join(dir, "SOURCE.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	opts := Options{FontDir: cacheFolder("fonts"), PDFCacheDir: cacheFolder("pdfium")}
	if _, err := os.Stat(filepath.Join(opts.FontDir, fallbackFont)); err != nil {
		opts.FontDir = "/usr/share/fonts/truetype/droid"
	}
	lines := bufio.NewScanner(f)
	lines.Scan() // names of the columns
	for lines.Scan() {
		col := strings.Split(lines.Text(), "\t")
		name, expected, phrases, forbidden := col[0], col[5], col[6], col[7]
		t.Run(name, func(t *testing.T) {
			ex, err := File(context.Background(), filepath.Join(dir, name), opts)
			if err != nil {
				t.Fatal(err)
			}
			checkOffsets(t, ex)
			if !readHere[filepath.Ext(name)] {
				if ex.Status != rag.FileUnsupported || ex.Reason == "" {
					t.Errorf("status %s %q, want unsupported with a sentence", ex.Status, ex.Reason)
				}
				return
			}
			switch expected {
			case "text":
				if ex.Status != rag.FileIndexed && ex.Status != rag.FilePartlyIndexed {
					t.Fatalf("status %s: %s", ex.Status, ex.Reason)
				}
			case "needs-password", "needs-ocr":
				if want := strings.ReplaceAll(expected, "-", "_"); string(ex.Status) != want {
					t.Fatalf("status %s: %s", ex.Status, ex.Reason)
				}
				return
			}
			whole := fold(ex.Text)
			for _, p := range strings.Split(phrases, " || ") {
				text := whole
				if m := onPage.FindStringSubmatch(p); m != nil {
					p = p[len(m[0]):]
					page, _ := strconv.Atoi(m[1])
					text = fold(pageText(ex, page))
				}
				if !strings.Contains(text, fold(p)) {
					t.Errorf("not found: %q in %.3000q", p, text)
				}
			}
			for _, bad := range strings.Split(forbidden, " || ") {
				if bad != "-" && strings.Contains(ex.Text, bad) {
					t.Errorf("must not be there: %q", bad)
				}
			}
		})
	}
}

func pageText(ex rag.Extraction, page int) string {
	var b strings.Builder
	for _, block := range ex.Blocks {
		if block.Locator.Page == page {
			b.WriteString(block.Text + "\n")
		}
	}
	return b.String()
}

// BenchmarkSharedPDF reports pages a second over the shared PDFs with blocks,
// rectangles and the module's cache warm, one core.
func BenchmarkSharedPDF(b *testing.B) {
	benchmarkShared(b, "*.pdf", "pages/s", func(ex rag.Extraction) int { return ex.Pages })
}

// BenchmarkSharedDOCX reports files a second.
func BenchmarkSharedDOCX(b *testing.B) {
	benchmarkShared(b, "docx0[1-6]*.docx", "files/s", func(rag.Extraction) int { return 1 })
}

func benchmarkShared(b *testing.B, pattern, unit string, count func(rag.Extraction) int) {
	files, _ := filepath.Glob(filepath.Join(sharedFiles(b), pattern))
	opts := Options{FontDir: cacheFolder("fonts"), PDFCacheDir: cacheFolder("pdfium")}
	if err := WarmPDF(context.Background(), opts.PDFCacheDir); err != nil {
		b.Fatal(err)
	}
	n := 0
	before := processorTime(b)
	for b.Loop() {
		for _, f := range files {
			ex, err := File(context.Background(), f, opts)
			if err != nil {
				b.Fatal(err)
			}
			n += count(ex)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), unit)
	// On a machine that others use too, processor time is the fair figure.
	b.ReportMetric(float64(n)/(processorTime(b)-before).Seconds(), unit+"-of-cpu")
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
