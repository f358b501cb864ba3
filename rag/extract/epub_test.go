package extract

import (
	"fmt"
	"strings"
	"testing"

	"referent/rag"
)

// bookFile makes an e-book of chapters in the order of the spine; the manifest
// has them the other way round. extra is more parts, toc the item with the
// table of contents.
func bookFile(tb testing.TB, toc string, chapters []string, extra ...string) []byte {
	tb.Helper()
	items, refs := "", ""
	parts := []string{"mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OEBPS/book%20x.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`}
	for i, c := range chapters {
		name := fmt.Sprintf("text/ch %d.xhtml", i)
		items = fmt.Sprintf(`<item id="c%d" href="text/ch%%20%d.xhtml" media-type="application/xhtml+xml"/>`, i, i) + items
		refs += fmt.Sprintf(`<itemref idref="c%d"/>`, i)
		parts = append(parts, "OEBPS/"+name, c)
	}
	parts = append(parts, "OEBPS/book%20x.opf", `<package><metadata><dc:title>The House</dc:title><dc:language>en-GB</dc:language></metadata><manifest>`+items+toc+`</manifest><spine toc="ncx">`+refs+`</spine></package>`)
	return zipOf(tb, append(parts, extra...)...)
}

func xhtml(body string) string {
	return `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/><script src="x"/></head><body>` + body + `</body></html>`
}

func TestEPUBWithNavigationDocument(t *testing.T) {
	nav := xhtml(`<nav epub:type="toc"><h1>Contents</h1><ol><li><a href="text/ch%201.xhtml">Part One</a><ol><li><a href="text/ch%201.xhtml#k">The <i>Key</i></a></li></ol></li><li><a href="text/ch%202.xhtml">Afterword</a></li></ol></nav><nav epub:type="landmarks"><ol><li><a href="text/ch%200.xhtml">Cover</a></li></ol></nav>`)
	ex := readBytes(t, "a.epub", bookFile(t, `<item id="nav" properties="nav" href="nav.xhtml" media-type="application/xhtml+xml"/><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`, []string{
		xhtml(`<p>For Ada.</p>`),
		xhtml(`<p>Ada came home.</p><h3 id="k">1. The Key</h3><p>It was rusty<a epub:type="noteref" href="#n1">1</a>.</p><aside epub:type="footnote" id="n1"><p>All keys were.</p></aside><h4>Later</h4><ul><li>It broke</li></ul>`),
		xhtml(`<p>Thanks.</p>`),
	}, "OEBPS/nav.xhtml", nav, "OEBPS/toc.ncx", `<ncx><navMap><navPoint><navLabel><text>Not used</text></navLabel><content src="text/ch%200.xhtml"/></navPoint></navMap></ncx>`))
	expectStatus(t, ex, rag.FileIndexed)
	want := `paragraph: For Ada.
heading: Part One
paragraph: Ada came home.
heading: 1. The Key
paragraph: It was rusty1.
heading: Later
list_item: - It broke
heading: Afterword
paragraph: Thanks.
note: All keys were.
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for i, level := range map[int]int{1: 1, 3: 2, 5: 4, 7: 1} {
		if got := ex.Blocks[i].Level; got != level {
			t.Errorf("%q has level %d, want %d", ex.Blocks[i].Text, got, level)
		}
	}
	if ex.Title != "The House" || ex.Language != "en" {
		t.Errorf("title %q, language %s", ex.Title, ex.Language)
	}
	if l := ex.Blocks[4].Locator; l.Section != "1. The Key" || l.Paragraph != 5 {
		t.Errorf("locator %v, want paragraph 5 of 1. The Key", l)
	}
}

func TestEPUBWithNCX(t *testing.T) {
	ncx := `<ncx><docTitle><text>The House</text></docTitle><navMap><navPoint><navLabel><text>Chapter 1: The Attic</text></navLabel><content src="text/ch%201.xhtml"/><navPoint><navLabel><text>Dust</text></navLabel><content src="text/ch%201.xhtml#d"/></navPoint></navPoint></navMap></ncx>`
	ex := readBytes(t, "a.epub", bookFile(t, `<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>`, []string{
		xhtml(`<h1>Table of Contents</h1><p><a href="ch%201.xhtml">Chapter 1: The Attic</a></p>`),
		xhtml(`<h2>CHAPTER 1</h2><p>Up there.</p><p><a id="d"/>It lay everywhere.</p>`),
	}, "OEBPS/toc.ncx", ncx))
	want := "heading: Table of Contents\nparagraph: Chapter 1: The Attic\nheading: CHAPTER 1\nparagraph: Up there.\nheading: Dust\nparagraph: It lay everywhere.\n"
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if ex.Blocks[2].Level != 1 || ex.Blocks[4].Level != 2 {
		t.Errorf("levels %d and %d, want 1 and 2", ex.Blocks[2].Level, ex.Blocks[4].Level)
	}
}

// TestEPUBContentsPageIsNotReadTwice: the guide names the page.
func TestEPUBContentsPageIsNotReadTwice(t *testing.T) {
	whole := bookFile(t, ``, []string{xhtml(`<p><a href="ch%201.xhtml">The Attic</a></p>`), xhtml(`<h1>The Attic</h1><p>Up there.</p>`)})
	opf := `<package><manifest><item id="a" href="text/ch%200.xhtml"/><item id="b" href="text/ch%201.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine><guide><reference type="toc" href="text/ch%200.xhtml"/></guide></package>`
	ex := readBytes(t, "a.epub", zipWith(t, whole, "OEBPS/book%20x.opf", opf))
	if got := outline(ex); got != "heading: The Attic\nparagraph: Up there.\n" {
		t.Errorf("got\n%s", got)
	}
}

func TestEPUBEndings(t *testing.T) {
	chapters := []string{xhtml(`<p>one</p>`), xhtml(`<p>two</p>`)}
	whole := bookFile(t, ``, chapters)
	lock := func(target string) string {
		return `<encryption><EncryptedData><CipherData><CipherReference URI="` + target + `"/></CipherData></EncryptedData></encryption>`
	}
	ex := readBytes(t, "a.epub", zipWith(t, whole, "META-INF/encryption.xml", lock("OEBPS/text/ch%200.xhtml")))
	expectStatus(t, ex, rag.FileUnsupported)
	if !strings.Contains(ex.Reason, "shop") {
		t.Errorf("reason %q", ex.Reason)
	}
	expectStatus(t, readBytes(t, "b.epub", zipWith(t, whole, "META-INF/encryption.xml", lock("OEBPS/fonts/a.otf"))), rag.FileIndexed)
	ex = readBytes(t, "c.epub", zipWith(t, whole, "OEBPS/text/ch 0.xhtml", ""))
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if ex.Reason != "1 of 2 chapters are missing or damaged."+partlyAdvice {
		t.Errorf("reason %q", ex.Reason)
	}
	expectText(t, ex, "two")
	expectStatus(t, readBytes(t, "d.epub", zipWith(t, whole, "OEBPS/book%20x.opf", "")), rag.FileDamaged)
	expectStatus(t, readBytes(t, "e.epub", whole[:len(whole)/2]), rag.FileDamaged)
	expectStatus(t, readBytes(t, "f.epub", zipWith(t, whole, "META-INF/container.xml", `<container`)), rag.FileIndexed)
}

func TestEPUBChapterEncodings(t *testing.T) {
	ex := readBytes(t, "a.epub", bookFile(t, ``, []string{
		"<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><html><head><title>x</title></head><body><p>Stra\xdfe</p></body></html>",
		"\xff\xfe<\x00p\x00>\x00\xe9\x00<\x00/\x00p\x00>\x00",
		xhtml(`<div style="writing-mode:vertical-rl"><p>縦書きの本</p></div><p dir="rtl">ספר</p>`),
	}))
	expectStatus(t, ex, rag.FileIndexed)
	if got, want := outline(ex), "paragraph: Straße\nparagraph: é\nparagraph: 縦書きの本\nparagraph: ספר\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestEPUBBombs(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		status rag.FileStatus
		text   string
	}{
		"elements": {strings.Repeat("<div>", 40_000) + "deep", rag.FileIndexed, "deep"},
		"entities": {`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><p>x &b; y</p>`, rag.FileIndexed, "y"},
		"blanks":   {"<p>begin</p>" + blanks, rag.FileTooLarge, ""},
		"climbing": {`<p>text</p><img src="../../../../etc/passwd"/>`, rag.FileIndexed, "text"},
	} {
		t.Run(name, func(t *testing.T) {
			ex := readBytes(t, "a.epub", bookFile(t, ``, []string{xhtml(c.body)}), ratioOf(c.body))
			expectStatus(t, ex, c.status)
			expectText(t, ex, c.text)
		})
	}
	deep := `<ncx><navMap>` + strings.Repeat(`<navPoint><navLabel><text>x</text></navLabel><content src="text/ch%200.xhtml"/>`, 30_000)
	ex := readBytes(t, "b.epub", bookFile(t, `<item id="ncx" href="toc.ncx"/>`, []string{xhtml(`<p>text</p>`)}, "OEBPS/toc.ncx", deep))
	expectStatus(t, ex, rag.FileIndexed)
	expectText(t, ex, "text")
}

func FuzzEPUB(f *testing.F) {
	f.Add(`<p id="a">x<br/></p><h1>y</h1>`, `<ncx><navPoint><navLabel><text>y</text></navLabel><content src="text/ch%200.xhtml#a"/>`)
	f.Add(`<aside epub:type="footnote"><table><tr><td><title/>`, `</navPoint><content src="#"/>`)
	f.Fuzz(func(t *testing.T, body, toc string) {
		if len(body)+len(toc) > 1<<16 {
			return
		}
		expectNoPanic(t, readBytes(t, "a.epub", bookFile(t, `<item id="ncx" href="toc.ncx"/>`, []string{body, xhtml(body)}, "OEBPS/toc.ncx", toc)))
	})
}
