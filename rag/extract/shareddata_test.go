//go:build shareddata

package extract

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
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
			switch expected {
			case "text":
				if ex.Status != rag.FileIndexed && ex.Status != rag.FilePartlyIndexed {
					t.Fatalf("status %s: %s", ex.Status, ex.Reason)
				}
			case "needs-password", "needs-ocr":
				if want := strings.ReplaceAll(expected, "-", "_"); string(ex.Status) != want {
					t.Fatalf("status %s: %s", ex.Status, ex.Reason)
				}
				if _, err := exec.LookPath("tesseract"); err != nil || expected != "needs-ocr" {
					return
				}
				recognised := opts
				recognised.OCR = true
				if ex, err = File(context.Background(), filepath.Join(dir, name), recognised); err != nil {
					t.Fatal(err)
				}
				checkOffsets(t, ex)
				expectStatus(t, ex, rag.FileIndexed)
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

// TestR033_APageGivesTheSameWordsAsPictureAndInAPDF needs Tesseract; without it
// both need text recognition.
func TestR033_APageGivesTheSameWordsAsPictureAndInAPDF(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(sharedFiles(t), "img01_ocr.png"))
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	size := decoded.Bounds().Size()
	grey := image.NewGray(image.Rectangle{Max: size})
	draw.Draw(grey, grey.Rect, decoded, decoded.Bounds().Min, draw.Src)
	w := newPDF()
	x := w.add(fmt.Sprintf("<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8 /Length %d >>\nstream\n%s\nendstream", size.X, size.Y, len(grey.Pix), grey.Pix))
	c := w.add(stream(fmt.Sprintf("q %d 0 0 %d 20 400 cm /X Do Q", size.X/2, size.Y/2)))
	w.pages = append(w.pages, w.add(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /XObject << /X %d 0 R >> >> >>", c, x)))
	alone, inside := readBytes(t, "a.png", raw, Options{OCR: true}), readBytes(t, "a.pdf", w.bytes(), Options{OCR: true})
	if alone.Status != inside.Status || fold(alone.Text) != fold(inside.Text) {
		t.Errorf("as a picture %s %q, in a PDF %s %q", alone.Status, alone.Text, inside.Status, inside.Text)
	}
	if len(inside.Blocks) == 0 {
		return
	}
	if l := inside.Blocks[0].Locator; len(l.Rects) != 1 || l.Rects[0].X < 20 || l.Rects[0].X > 45 {
		t.Errorf("the words stand at %v", l)
	}
}

func pageText(ex rag.Extraction, page int) string {
	var b strings.Builder
	for _, block := range ex.Blocks {
		if block.Locator.Page == page || block.Locator.Slide == page {
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
