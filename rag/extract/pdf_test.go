package extract

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/rag"
)

func TestPDFBlocksPagesAndPlaces(t *testing.T) {
	w := newPDF()
	for i := range 4 {
		body := line(72, 800, 9, "House rules of Linden Street") + line(290, 30, 9, fmt.Sprint("Page ", i+1))
		switch i {
		case 0:
			body += line(72, 740, 20, "Heating manual") + line(72, 700, 11, "The heating runs from October to April and is") + line(72, 686, 11, "checked by the caretaker every week.") +
				line(72, 650, 11, "A second paragraph stands apart.")
		case 1:
			body += line(72, 700, 14, "Cellar") + line(72, 670, 11, "- Keys hang behind the door.") + line(72, 656, 11, "- The light goes out by itself.")
		default:
			body += line(72, 700, 11, fmt.Sprintf("Text of sheet %d.", i+1))
		}
		w.page(body, "")
	}
	w.catalog = "/PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 7 >>] >>"
	ex := readBytes(t, "a.pdf", w.bytes())
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: Heating manual
paragraph: The heating runs from October to April and is checked by the caretaker every week.
paragraph: A second paragraph stands apart.
heading: Cellar
list_item: - Keys hang behind the door.
list_item: - The light goes out by itself.
paragraph: Text of sheet 3.
paragraph: Text of sheet 4.
`
	if got := outline(ex); !strings.HasPrefix(got, want) || strings.Count(got, "header_footer: ") != 8 {
		t.Fatalf("got\n%swant\n%sand eight headers and footers", got, want)
	}
	if ex.Pages != 4 || ex.Title != "Heating manual" || ex.TitleSource != "heading" {
		t.Errorf("%d pages, title %q from %s", ex.Pages, ex.Title, ex.TitleSource)
	}
	for i, label := range map[int]string{0: "i", 3: "7", 7: "9"} {
		if l := ex.Blocks[i].Locator; l.PageLabel != label {
			t.Errorf("block %d: label %q, want %q", i, l.PageLabel, label)
		}
	}
	// The paragraph's first baseline is 842-700 = 142 points below the top,
	// its second 14 further down; letters are about 8 points high.
	l := ex.Blocks[1].Locator
	if l.Page != 1 || len(l.Rects) != 1 {
		t.Fatalf("locator %v", l)
	}
	r := l.Rects[0]
	if math.Abs(r.X-72) > 3 || math.Abs(r.Y-134) > 3 || math.Abs(r.Y+r.Height-158) > 3 || r.Width < 180 {
		t.Errorf("rectangle %+v", r)
	}
}

func TestPDFRotatedPageGivesPlacesAsShown(t *testing.T) {
	w := newPDF()
	w.page(line(100, 700, 12, "Turned text"), "/Rotate 90")
	ex := readBytes(t, "a.pdf", w.bytes())
	// A quarter turn clockwise: what was 700 up is now 700 to the right, and
	// what was 100 to the right is 100 down.
	r := ex.Blocks[0].Locator.Rects[0]
	if math.Abs(r.X-700) > 5 || math.Abs(r.Y-100) > 3 || r.Height < 50 {
		t.Errorf("rectangle %+v", r)
	}
}

func TestPDFOutlineMakesHeadings(t *testing.T) {
	w := newPDF()
	p := w.page(line(72, 700, 11, "2.1 Opening hours")+line(72, 660, 11, "We open at nine."), "")
	first := len(w.objects) + 2
	root := w.add(fmt.Sprintf("<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count 1 >>", first, first))
	// The bookmark is its own next sibling: a loop.
	w.add(fmt.Sprintf("<< /Title (Opening Hours) /Parent %d 0 R /Next %d 0 R /Dest [%d 0 R /Fit] >>", root, first, p))
	w.catalog = fmt.Sprintf("/Outlines %d 0 R", root)
	ex := readBytes(t, "a.pdf", w.bytes())
	if got, want := outline(ex), "heading: 2.1 Opening hours\nparagraph: We open at nine.\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestPDFFormValuesAreText(t *testing.T) {
	w := newPDF()
	look := "/Tx BMC BT /F1 12 Tf 2 5 Td (Ada Lovelace) Tj ET EMC"
	ap := w.add(fmt.Sprintf("<< /Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << %s >> >> /Length %d >>\nstream\n%s\nendstream", w.fonts, len(look), look))
	field := w.add(fmt.Sprintf("<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Lovelace) /Rect [72 600 272 620] /F 4 /AP << /N %d 0 R >> >>", ap))
	w.page(line(72, 700, 11, "Name of the tenant:"), fmt.Sprintf("/Annots [%d 0 R]", field))
	w.catalog = fmt.Sprintf("/AcroForm << /Fields [%d 0 R] >>", field)
	expectText(t, readBytes(t, "a.pdf", w.bytes()), "Name of the tenant:", "Ada Lovelace")
}

func TestR045_LigaturesBecomeLetters(t *testing.T) {
	w := newPDF()
	f := w.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [1 /fi /fl /ff /ffi] >> >>")
	w.fonts = fmt.Sprintf("/F1 %d 0 R", f)
	w.page(line(72, 700, 12, "di\\003erent \\001elds, \\002oors, o\\004ce"), "")
	expectText(t, readBytes(t, "a.pdf", w.bytes()), "different fields, floors, office")
}

func TestR039_FontWithoutMeaningIsNotIndexed(t *testing.T) {
	w := newPDF()
	d := w.add("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /None /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /None /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>")
	f := w.add(fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /None /Encoding /Identity-H /DescendantFonts [%d 0 R] >>", d))
	w.fonts = fmt.Sprintf("/F1 %d 0 R", f)
	var body strings.Builder
	for i := range 20 {
		fmt.Fprintf(&body, "BT /F1 12 Tf 72 %d Td <%s> Tj ET\n", 700-20*i, strings.Repeat("00240037004400510052", 6))
	}
	w.page(body.String(), "")
	ex := readBytes(t, "a.pdf", w.bytes())
	expectStatus(t, ex, rag.FileNeedsOCR)
	if ex.Text != "" || !strings.Contains(ex.Reason, "%") {
		t.Errorf("reason %q, text %q", ex.Reason, ex.Text)
	}
}

func TestPDFWithoutTextNeedsOCR(t *testing.T) {
	w := newPDF()
	w.page("0 0 100 100 re f", "")
	expectStatus(t, readBytes(t, "a.pdf", w.bytes()), rag.FileNeedsOCR)
	w.page(line(72, 700, 12, "But this page has words enough to be read."), "")
	w.objects[1] = ""
	ex := readBytes(t, "b.pdf", w.bytes())
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if ex.Reason != "Pages that are pictures, whose words are not read: 1. Turn on text recognition in the settings, then try again." {
		t.Errorf("reason %q", ex.Reason)
	}
}

func TestR047_ProgressMovesByPageAndCancelWorks(t *testing.T) {
	w := newPDF()
	for i := range 500 {
		w.page(line(72, 700, 11, fmt.Sprintf("Clause %d of the standard.", i+1)), "")
	}
	path := filepath.Join(t.TempDir(), "a.pdf")
	if err := os.WriteFile(path, w.bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var seen []int
	ex := readPath(t, path, Options{Progress: func(done, total int) {
		if total != 500 {
			t.Errorf("total %d", total)
		}
		seen = append(seen, done)
	}})
	if len(seen) != 500 || seen[0] != 1 || seen[499] != 500 || ex.Pages != 500 {
		t.Errorf("%d steps, %d pages", len(seen), ex.Pages)
	}
	if l := ex.Blocks[499].Locator; l.Page != 500 || ex.Blocks[499].Text != "Clause 500 of the standard." {
		t.Errorf("the last block is %q on page %d", ex.Blocks[499].Text, l.Page)
	}
	ctx, cancel := context.WithCancel(context.Background())
	opts := Options{PDFCacheDir: cacheFolder("pdfium"), Progress: func(done, _ int) {
		if done == 3 {
			cancel()
		} else if done > 3 {
			t.Error("went on after the cancel")
		}
	}}
	if _, err := File(ctx, path, opts); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestPDFPageCap(t *testing.T) {
	w := newPDF()
	for range 5 {
		w.page(line(72, 700, 11, "A page with some words."), "")
	}
	ex := readBytes(t, "a.pdf", w.bytes(), Options{MaxPages: 2})
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if ex.Reason != "Only the first 2 of 5 pages were read."+partlyAdvice || ex.Pages != 5 {
		t.Errorf("reason %q, %d pages", ex.Reason, ex.Pages)
	}
}

func TestPDFTruncated(t *testing.T) {
	w := newPDF()
	w.page(line(72, 700, 11, "Words."), "")
	b := w.bytes()
	if ex := readBytes(t, "a.pdf", b[:len(b)/3]); ex.Status != rag.FileDamaged {
		t.Errorf("status %s", ex.Status)
	}
}
