package extract

import (
	"bytes"
	"fmt"
	"strings"
)

// pdfWriter makes small PDFs for tests: objects, a cross-reference table,
// nothing else.
type pdfWriter struct {
	objects []string // number 1 first
	pages   []int
	fonts   string
	catalog string // more entries of the catalogue
}

// newPDF has Helvetica as F1 and Helvetica-Bold as F2. Object 1 is the
// catalogue and object 2 the page tree.
func newPDF() *pdfWriter {
	w := &pdfWriter{objects: []string{"", ""}}
	f1 := w.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	f2 := w.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>")
	w.fonts = fmt.Sprintf("/F1 %d 0 R /F2 %d 0 R", f1, f2)
	return w
}

func (w *pdfWriter) add(object string) int {
	w.objects = append(w.objects, object)
	return len(w.objects)
}

func stream(content string) string {
	return fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content)
}

// line is a text at a place; y counts from the bottom of a page of 595 by 842.
func line(x, y, size int, text string) string {
	return fmt.Sprintf("BT /F1 %d Tf %d %d Td (%s) Tj ET\n", size, x, y, strings.NewReplacer("(", `\(`, ")", `\)`).Replace(text))
}

// page adds a page with a content stream and more entries.
func (w *pdfWriter) page(content, more string) int {
	c := w.add(stream(content))
	p := w.add(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /Font << %s >> >> %s >>", c, w.fonts, more))
	w.pages = append(w.pages, p)
	return p
}

func (w *pdfWriter) bytes() []byte {
	var kids strings.Builder
	for _, p := range w.pages {
		fmt.Fprintf(&kids, "%d 0 R ", p)
	}
	w.objects[0] = "<< /Type /Catalog /Pages 2 0 R " + w.catalog + " >>"
	if w.objects[1] == "" {
		w.objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids.String(), len(w.pages))
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(w.objects))
	for i, o := range w.objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, xref)
	return b.Bytes()
}
