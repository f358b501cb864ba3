package extract

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"

	"referent/rag"
)

func pngOf(tb testing.TB, width, height int) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// tiffOf has only what the head says: one directory a page.
func tiffOf(sizes ...imageSize) []byte {
	b := []byte("II*\x00\x08\x00\x00\x00")
	le := binary.LittleEndian
	for i, s := range sizes {
		b = le.AppendUint16(b, 2)
		b = append(le.AppendUint16(le.AppendUint16(b, 256), 3), 1, 0, 0, 0)
		b = le.AppendUint32(b, uint32(s.width))
		b = append(le.AppendUint16(le.AppendUint16(b, 257), 4), 1, 0, 0, 0)
		b = le.AppendUint32(b, uint32(s.height))
		next := uint32(len(b) + 4)
		if i == len(sizes)-1 {
			next = 0
		}
		b = le.AppendUint32(b, next)
	}
	return b
}

func TestImageSizes(t *testing.T) {
	var jpg bytes.Buffer
	if err := jpeg.Encode(&jpg, image.NewGray(image.Rect(0, 0, 31, 17)), nil); err != nil {
		t.Fatal(err)
	}
	bmp := append([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x1f\x00\x00\x00"), 0xef, 0xff, 0xff, 0xff) // 31 by -17
	oldBMP := append([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x1a\x00\x00\x00\x0c\x00\x00\x00\x1f\x00\x11\x00"), 1, 0, 24, 0)
	webp := func(chunk string, rest ...byte) []byte {
		return append(append([]byte("RIFF\x00\x00\x00\x00WEBP"), chunk...), append(append([]byte{0, 0, 0, 0}, rest...), make([]byte, 20)...)...)
	}
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"png":           {pngOf(t, 31, 17), "[{31 17}]"},
		"jpg":           {jpg.Bytes(), "[{31 17}]"},
		"bmp":           {bmp, "[{31 17}]"},
		"old bmp":       {oldBMP, "[{31 17}]"},
		"webp lossy":    {webp("VP8 ", 0, 0, 0, 0x9d, 1, 0x2a, 31, 0, 17, 0), "[{31 17}]"},
		"webp lossless": {webp("VP8L", 0x2f, 30, 0x00, 0x04, 0), "[{31 17}]"}, // 30 + 16<<14
		"webp extended": {webp("VP8X", 0, 0, 0, 0, 30, 0, 0, 16, 0, 0), "[{31 17}]"},
		"tiff":          {tiffOf(imageSize{31, 17}, imageSize{5, 6}), "[{31 17} {5 6}]"},
		"tiff loop":     {append(tiffOf(imageSize{31, 17})[:34], 8, 0, 0, 0), ""},
		"tiff cut":      {tiffOf(imageSize{31, 17})[:20], ""},
		"empty tiff":    {[]byte("MM\x00*\x00\x00\x00\x00"), ""},
		"no size":       {tiffOf(imageSize{0, 17}), ""},
	} {
		got, err := imagePages(c.b)
		if !isPicture(c.b) || (err != nil) != (c.want == "") || c.want != "" && fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, %v, want %s", name, got, err, c.want)
		}
	}
}

func TestPicturesNeedTheirReader(t *testing.T) {
	picture := pngOf(t, 200, 100)
	for _, c := range []struct{ mode, reason string }{
		{"off", "This is a picture. Turn on text recognition in the settings, then try again."},
		{"missing", "This is a picture. Install the program Tesseract, then try again."},
		{"languages=osd", "This is a picture. Tesseract has no language. Install one of its language packs, then try again."},
		{"fail", "Text recognition could not read this picture. Save it as PNG, then try again."},
		{"babble", "Text recognition could not read this picture. Save it as PNG, then try again."},
		{"hang", "Text recognition could not read this picture. Save it as PNG, then try again."},
		{"flood", "Text recognition could not read this picture. Save it as PNG, then try again."},
	} {
		t.Run(c.mode, func(t *testing.T) {
			if c.mode == "missing" {
				t.Setenv("PATH", t.TempDir())
			} else {
				installTesseract(t, c.mode)
			}
			opts := Options{OCR: c.mode != "off"}
			if c.mode == "hang" {
				opts.PictureTime = time.Millisecond
			}
			ex := readBytes(t, "a.png", picture, opts)
			expectStatus(t, ex, rag.FileNeedsOCR)
			if ex.Reason != c.reason {
				t.Errorf("reason %q", ex.Reason)
			}
		})
	}
}

func TestPictureWordsAndPages(t *testing.T) {
	installTesseract(t, "")
	var seen []int
	pictures := 0
	ex := readBytes(t, "scan.tif", tiffOf(imageSize{200, 100}, imageSize{200, 100}, imageSize{3, 3}), Options{OCR: true,
		Progress: func(done, total int) { seen = append(seen, done, total) }, Recognising: func() { pictures++ }})
	expectStatus(t, ex, rag.FileIndexed)
	if len(ex.Blocks) != 2 || ex.Pages != 3 || fmt.Sprint(seen) != "[1 3 2 3]" || pictures != 2 {
		t.Fatalf("%d pages, progress %v, %d pictures:\n%s", ex.Pages, seen, pictures, outline(ex))
	}
	for i, b := range ex.Blocks {
		// How the program was called: no file names, languages that are installed.
		want := fmt.Sprintf("stdin stdout --psm 1 -l eng+deu -c tessedit_page_number=%d tsv", i)
		if !strings.HasSuffix(b.Text, want) || b.Locator.Page != i+1 || strings.Contains(b.Text, "noise") {
			t.Errorf("%q on page %d", b.Text, b.Locator.Page)
		}
	}
	// Another installation without orientation and without the usual languages.
	installTesseract(t, "languages=equ fra jpn")
	ex = readBytes(t, "a.png", pngOf(t, 200, 100), Options{OCR: true})
	expectText(t, ex, "--psm 3 -l fra+jpn ")
}

func TestPicturesThatAreNotGivenToTheProgram(t *testing.T) {
	installTesseract(t, "")
	opts := Options{OCR: true}
	// What is no picture would be a list of files to open.
	ex := readBytes(t, "a.png", []byte("/etc/passwd\n"), opts)
	if ex.Kind == kindImage || strings.Contains(ex.Text, "stdin") {
		t.Errorf("%s %q", ex.Kind, ex.Text)
	}
	expectStatus(t, readBytes(t, "a.png", pngOf(t, 200, 100)[:20], opts), rag.FileDamaged)
	expectStatus(t, readBytes(t, "a.tif", tiffOf(imageSize{60_000, 60_000}), opts), rag.FileTooLarge)
	expectStatus(t, readBytes(t, "a.gif", []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), opts), rag.FileUnsupported)
	ex = readBytes(t, "icon.png", pngOf(t, 8, 8), opts)
	expectStatus(t, ex, rag.FileIndexed)
	if ex.Text != "" || ex.Reason != "The file holds no text, so nothing in it can be found." {
		t.Errorf("%q, %q", ex.Text, ex.Reason)
	}
	pages := make([]imageSize, 60)
	for i := range pages {
		pages[i] = imageSize{3, 3}
	}
	ex = readBytes(t, "long.tif", tiffOf(pages...), opts)
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if ex.Reason != "Only the first 50 of 60 pages were read."+partlyAdvice {
		t.Errorf("reason %q", ex.Reason)
	}
}

// scan is a page that shows a picture and nothing else.
func scan(w *pdfWriter) {
	x := w.add("<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\n\x80\nendstream")
	c := w.add(stream("q 595 0 0 842 0 0 cm /X Do Q"))
	p := w.add(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /XObject << /X %d 0 R >> >> >>", c, x))
	w.pages = append(w.pages, p)
}

func TestScannedPagesOfAPDF(t *testing.T) {
	w := newPDF()
	scan(w)
	w.page(line(72, 700, 11, "A page with words of its own."), "")
	both := w.bytes()
	w = newPDF()
	scan(w)
	only := w.bytes()

	ex := readBytes(t, "a.pdf", only)
	expectStatus(t, ex, rag.FileNeedsOCR)
	if ex.Reason != "The pages of this PDF are pictures. Turn on text recognition in the settings, then try again." {
		t.Errorf("reason %q", ex.Reason)
	}
	installTesseract(t, "")
	pictures := 0
	ex = readBytes(t, "a.pdf", both, Options{OCR: true, Recognising: func() { pictures++ }})
	expectStatus(t, ex, rag.FileIndexed)
	if ex.Reason != "It can be found by the words that were recognised in its pictures. Some may be misread." {
		t.Errorf("reason %q", ex.Reason)
	}
	if len(ex.Blocks) != 2 || pictures != 1 || ex.Blocks[1].Text != "A page with words of its own." {
		t.Fatalf("%d pictures:\n%s", pictures, outline(ex))
	}
	// 595 by 842 points at 200 dots an inch are 1653 by 2339 pixels; the box
	// of the words is 100 to 300 by 200 to 240 pixels of 0.36 points.
	if !strings.Contains(ex.Blocks[0].Text, `P5\n165`) {
		t.Errorf("the page came as %q", ex.Blocks[0].Text)
	}
	l := ex.Blocks[0].Locator
	if want := (rag.Rect{X: 36, Y: 72, Width: 72, Height: 14.4}); l.Page != 1 || len(l.Rects) != 1 || l.Rects[0] != want {
		t.Errorf("locator %v, want %v", l, want)
	}
	installTesseract(t, "fail")
	ex = readBytes(t, "a.pdf", both, Options{OCR: true})
	expectStatus(t, ex, rag.FilePartlyIndexed)
	ex = readBytes(t, "a.pdf", only, Options{OCR: true})
	expectStatus(t, ex, rag.FileNeedsOCR)
	if ex.Reason != "The pages of this PDF are pictures. Text recognition could not read them. Scan them again, or save the file anew." {
		t.Errorf("reason %q", ex.Reason)
	}
}

func TestR039_LettersWithoutMeaningAreRecognised(t *testing.T) {
	installTesseract(t, "")
	w := newPDF()
	cmap := w.add("<< /Type /Encoding /Differences [65 /g1 /g2 /g3 /g4 /g5] >>")
	glyph := w.add(stream("0 0 500 500 re f"))
	font := w.add(fmt.Sprintf("<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 65 /LastChar 69 /Widths [500 500 500 500 500] /Encoding %d 0 R /CharProcs << /g1 %d 0 R /g2 %d 0 R /g3 %d 0 R /g4 %d 0 R /g5 %d 0 R >> >>", cmap, glyph, glyph, glyph, glyph, glyph))
	w.fonts = fmt.Sprintf("/F1 %d 0 R", font)
	w.page(line(72, 700, 12, strings.Repeat("ABCDE", 12)), "")
	expectStatus(t, readBytes(t, "a.pdf", w.bytes()), rag.FileNeedsOCR)
	ex := readBytes(t, "a.pdf", w.bytes(), Options{OCR: true})
	expectStatus(t, ex, rag.FileIndexed)
	expectText(t, ex, "stdin stdout")
}

func TestRecognitionEndsWithItsContext(t *testing.T) {
	installTesseract(t, "")
	ctx, cancel := context.WithCancel(context.Background())
	opts := Options{OCR: true, Recognising: cancel}
	path := writeTemp(t, "a.png", pngOf(t, 200, 100))
	if _, err := File(ctx, path, opts); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func FuzzImagePages(f *testing.F) {
	f.Add(tiffOf(imageSize{1, 2}))
	f.Add([]byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x1f\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if !isPicture(b) {
			return
		}
		pages, err := imagePages(b)
		if err == nil && len(pages) == 0 {
			t.Error("no page and no error")
		}
	})
}

func FuzzTSV(f *testing.F) {
	f.Add("5\t1\t1\t1\t1\t1\t1\t1\t1\t1\t90\tword\n")
	f.Fuzz(func(t *testing.T, s string) {
		lines, err := parseTSV(s)
		for _, l := range lines {
			if err == nil && strings.TrimSpace(l.text) == "" {
				t.Errorf("an empty line in %q", s)
			}
		}
	})
}

func TestCappedOutput(t *testing.T) {
	c := &capped{left: 10}
	n, err := io.Copy(c, strings.NewReader(strings.Repeat("x", 100)))
	if err == nil || n != 0 || c.buffer.Len() != 0 {
		t.Errorf("%d bytes copied, %d kept, %v", n, c.buffer.Len(), err)
	}
}
