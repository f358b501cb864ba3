package extract

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"referent/rag"
)

func TestArchiveIsReadWhereItIsAllowed(t *testing.T) {
	pdf := newPDF()
	pdf.page(line(72, 700, 12, "Rent is due in March."), "")
	inner := zipOf(t, "deep.txt", "Words at the bottom.")
	content := zipOf(t, "docs/", "", "docs/rules.md", "# Keys\n\nThey hang behind the door.\n", "docs/lease.pdf", string(pdf.bytes()), "../../climbs.txt", "Only a name.",
		"__MACOSX/docs/._rules.md", "x", ".DS_Store", "x", "inner.zip", string(inner), "program.exe", "MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00")
	ex := readBytes(t, "a.zip", content)
	expectStatus(t, ex, rag.FileUnsupported)
	if ex.Text != "" || !strings.Contains(ex.Reason, "Turn on “Read ZIP archives” in the settings") {
		t.Errorf("%q", ex.Reason)
	}
	ex = readBytes(t, "a.zip", content, Options{Archives: true})
	expectStatus(t, ex, rag.FilePartlyIndexed)
	want := `heading: docs/rules.md
heading: Keys
paragraph: They hang behind the door.
heading: docs/lease.pdf
paragraph: Rent is due in March.
heading: climbs.txt
paragraph: Only a name.
heading: inner.zip
heading: deep.txt
paragraph: Words at the bottom.
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for i, section := range map[int]string{2: "docs/rules.md", 4: "docs/lease.pdf, p. 1", 9: "inner.zip, deep.txt"} {
		if l := ex.Blocks[i].Locator; l.Section != section || l.Page != 0 {
			t.Errorf("block %d stands at %v, want %s", i, l, section)
		}
	}
	if ex.Title != "a" || ex.Kind != "zip" || !strings.HasPrefix(ex.Reason, "The file “program.exe” was not read: ") {
		t.Errorf("title %q, kind %s, reason %q", ex.Title, ex.Kind, ex.Reason)
	}
	expectStatus(t, readBytes(t, "a.jar", content, Options{Archives: true}), rag.FileUnsupported)
}

func TestArchivesAreBounded(t *testing.T) {
	opts := Options{Archives: true}
	bomb := zipOf(t, "a.txt", strings.Repeat(" ", 11<<20))
	expectStatus(t, readBytes(t, "bomb.zip", bomb, opts), rag.FileTooLarge)
	many := make([]string, 0, 2*(maxFiles+2))
	for i := range maxFiles + 2 {
		many = append(many, itoa(i)+".txt", "w")
	}
	ex := readBytes(t, "many.zip", zipOf(t, many...), opts)
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if ex.Reason != "Only the first 2000 files were read."+partlyAdvice {
		t.Errorf("reason %q", ex.Reason)
	}
	nested := zipOf(t, "a.txt", "secret words")
	for range 8 {
		nested = zipOf(t, "a.zip", string(nested))
	}
	ex = readBytes(t, "nested.zip", nested, opts)
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if ex.Text != "" {
		t.Errorf("read below the cap: %q", ex.Text)
	}
}

// A file after the one that filled the document is not even unpacked: its fault
// would be told.
func TestArchiveStopsWhenTheDocumentIsFull(t *testing.T) {
	content := zipOf(t, "a.txt", strings.Repeat("word ", 50)+"\n\n"+strings.Repeat("more ", 50), "b.exe", "MZ\x00\x01", "c.exe", "MZ\x00\x01")
	ex := readBytes(t, "a.zip", content, Options{Archives: true, MaxChars: 300})
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if strings.Contains(ex.Reason, "b.exe") || strings.Contains(ex.Reason, "enclosed files") || !strings.Contains(ex.Reason, "more text than one document may have") {
		t.Errorf("reason %q", ex.Reason)
	}
}

func TestArchiveWithAPassword(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"a.txt", "b.txt"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Flags: 1})
		if err == nil {
			_, err = io.WriteString(w, "sealed")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	expectStatus(t, readBytes(t, "a.zip", b.Bytes(), Options{Archives: true}), rag.FileNeedsPassword)
}
