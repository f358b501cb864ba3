package worker

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/rag"
	"referent/rag/extract"
)

// deflated packs size bytes of a repeated text. One block is packed, and stands
// as often as it is needed; the check sum at the end is left out, and PDFium
// does not ask for it.
func deflated(t *testing.T, text string, size int) string {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	block := strings.Repeat(text, 1<<20/len(text)+1)
	var ends [2]int
	for i := range ends { // the second one is what follows on a block before it
		if _, err := io.WriteString(z, block); err != nil {
			t.Fatal(err)
		}
		if err := z.Flush(); err != nil {
			t.Fatal(err)
		}
		ends[i] = b.Len()
	}
	packed := b.String()
	return packed + strings.Repeat(packed[ends[0]:], size/len(block))
}

// pdf joins objects, number 1 first, to a file.
func pdf(objects ...string) string {
	var b, xref strings.Builder
	b.WriteString("%PDF-1.7\n")
	for i, o := range objects {
		fmt.Fprintf(&xref, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, xref.String(), len(objects)+1, at)
	return b.String()
}

const (
	bombCatalog = "<< /Type /Catalog /Pages 2 0 R >>"
	bombPages   = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
	bombFont    = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
	bombPage    = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>"
)

func packedStream(data string) string {
	return fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", len(data), data)
}

// exponential forms draw each other ten times, thirty levels deep.
func exponential() string {
	objects := []string{bombCatalog, bombPages, bombPage, "<< /Length 5 >>\nstream\n/X Do\nendstream", bombFont}
	body := strings.Repeat("/X Do ", 10)
	for level := range 30 {
		objects = append(objects, fmt.Sprintf("<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >> /Length %d >>\nstream\n%s\nendstream", 7+level, len(body), body))
	}
	return pdf(append(objects, "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 0 >>\nstream\n\nendstream")...)
}

func manyPages(n int) string {
	objects := []string{bombCatalog, ""}
	var kids strings.Builder
	for i := range n {
		fmt.Fprintf(&kids, "%d 0 R ", 3+i)
		objects = append(objects, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>")
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), n)
	return pdf(objects...)
}

// bombs sends hostile files through a worker with the real caps. Every one must end in a status with a sentence, and the
// file behind it must be read. What hangs a reader is small, since nobody needs
// many bytes for a loop: the deadline of such a file ends it within hazardTime. A
// file of more bytes may take longer, so it must never be the deadline that ends
// it, but what its reader will take of it.
func bombs(t *testing.T) {
	p := newPool(t, Config{})
	opts := extract.Options{PDFCacheDir: pdfCache(t), OCR: true, Archives: true}
	good := writeFile(t, "good.md", sample)
	text := "BT /F1 9 Tf 9 9 Td (A) Tj ET\n"
	for _, c := range []struct{ name, content string }{
		{"stream that unpacks to 400 MB.pdf", pdf(bombCatalog, bombPages, bombPage, packedStream(deflated(t, "          ", 400<<20)), bombFont)},
		{"two million texts.pdf", pdf(bombCatalog, bombPages, bombPage, packedStream(deflated(t, text, 2_000_000*len(text))), bombFont)},
		{"page tree loop.pdf", pdf(bombCatalog, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>")},
		{"claimed pages.pdf", pdf(bombCatalog, "<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>", "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>")},
		{"exponential forms.pdf", exponential()},
		{"60,000 pages.pdf", manyPages(60_000)},
		{"text of 70 MB.txt", strings.Repeat("The caretaker keeps a diary of all repairs.\n\n", 70<<20/45)},
		{"line of 20 MB.txt", strings.Repeat("x7Qp", 5<<20)},
		{"nested.json", strings.Repeat("[", 20<<20)},
		{"nested.md", strings.Repeat("> - ", 1<<20)},
		{"nested.html", strings.Repeat("<div><table><td>", 1<<17)},
		{"endless message.mbox", "From a 10:00\nSubject: x\n\n" + strings.Repeat("a line of a letter that never ends\n", 70<<20/35)},
		{"tiny messages.mbox", strings.Repeat("From a 10:00\n\nx\n\n", 1<<12)},
		{"huge.tif", "II*\x00\x08\x00\x00\x00\x02\x00\x00\x01\x04\x00\x01\x00\x00\x00\xff\xff\x00\x00\x01\x01\x04\x00\x01\x00\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00"},
		{"name that is no UTF-8 \xff\xfe.txt", "Words."},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			path := writeFile(t, c.name, c.content)
			ex, err := p.Extract(context.Background(), path, opts)
			if ends := p.deadline(path) + grace; ends > hazardTime && ex.Status == rag.FileTimedOut {
				t.Errorf("only its deadline ended it, which is %v for its size", ends)
			}
			t.Logf("%s after %v: %s %v", ex.Status, time.Since(start).Round(time.Millisecond), ex.Reason, err)
			if ex.Status == "" || !ex.Status.Final() || ex.Reason == "" && ex.Status != rag.FileIndexed {
				t.Errorf("status %q with %q", ex.Status, ex.Reason)
			}
			if ex, err := p.Extract(context.Background(), good, opts); err != nil || ex.Status != rag.FileIndexed {
				t.Errorf("the next file: %s %v", ex.Status, err)
			}
		})
	}
}

// hazardTime is within which a hostile file must have its status.
const hazardTime = 15 * time.Second

// TestAHangingFileEndsWithinItsTime: the deadline and the kill of a file of up to
// a megabyte and a half, which every loop and every unpacking bomb fits into.
func TestAHangingFileEndsWithinItsTime(t *testing.T) {
	p := newPool(t, Config{})
	for _, size := range []int{0, 1 << 10, 3 << 19} {
		path := writeFile(t, "a.pdf", strings.Repeat("x", size))
		if ends := p.deadline(path) + grace; ends > hazardTime {
			t.Errorf("%d bytes: %v", size, ends)
		}
	}
}

// pdfCache is the folder of the compiled PDF module, made ready: compiling is
// no part of any file's deadline.
func pdfCache(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("REFERENT_CACHE")
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			base = t.TempDir()
		}
		dir = filepath.Join(base, "referent")
	}
	dir = filepath.Join(dir, "pdfium")
	if err := extract.WarmPDF(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	return dir
}
