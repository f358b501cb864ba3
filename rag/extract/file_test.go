package extract

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"referent/rag"
)

func TestKinds(t *testing.T) {
	ole := func(stream string) []byte {
		return append(append(append([]byte{}, oleMagic...), make([]byte, 504)...), utf16LE(stream)...)
	}
	for _, c := range []struct {
		name    string
		content []byte
		kind    string
		status  rag.FileStatus
	}{
		{"a.txt", []byte("text"), "text", rag.FileIndexed},
		{"README", []byte("text"), "text", rag.FileIndexed},
		{"empty.txt", nil, "text", rag.FileIndexed},
		{"a.xyz", []byte("plain words\n"), "text", rag.FileIndexed},
		{"page", []byte("<!DOCTYPE html><p>hi"), "html", rag.FileIndexed},
		{"Makefile", []byte("all:\n\tgo build\n"), "code", rag.FileIndexed},
		{"a.py", []byte("print(1)\n"), "code", rag.FileIndexed},
		{"run", []byte("#!/bin/sh\necho\n"), "code", rag.FileIndexed},
		{"a.pdf", []byte("words"), "pdf", rag.FileDamaged},
		{"a.docx", []byte("words"), "docx", rag.FileDamaged},
		{"cut.docx", []byte("PK\x03\x04 then nothing"), "docx", rag.FileDamaged},
		{"a.png", pngOf(t, 20, 20), "image", rag.FileNeedsOCR},
		{"cut.jpg", []byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01"), "image", rag.FileDamaged},
		{"a.wav", []byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00"), "audio", rag.FileUnsupported},
		{"a.exe", []byte("MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00\xb8\x00\x00"), "binary", rag.FileUnsupported},
		{"a.rtf", []byte(`{\rtf1 hello}`), "rtf", rag.FileIndexed},
		{"b.rtf", []byte("words"), "rtf", rag.FileDamaged},
		{"a.eml", []byte("Subject: x\n\nbody"), "email", rag.FileIndexed},
		{"mbox", []byte("From a@b Mon\nSubject: x\n\nbody"), "email", rag.FileIndexed},
		{"a.doc", ole("WordDocument"), "doc", rag.FileUnsupported},
		{"a.xls", ole("Workbook"), "xls", rag.FileUnsupported},
		{"a.ppt", ole("PowerPoint Document"), "ppt", rag.FileUnsupported},
		{"a.msg", ole("__properties_version1.0"), "msg", rag.FileUnsupported},
		{"a.docx", ole("EncryptedPackage"), "docx", rag.FileNeedsPassword},
		{"a.xlsx", ole("EncryptedPackage"), "xlsx", rag.FileNeedsPassword},
		{"a.pptx", zipOf(t, "[Content_Types].xml", "presentationml"), "pptx", rag.FileDamaged},
		{"slides", slideFile(t, []string{shapeOf("title", "One")}), "pptx", rag.FileIndexed}, // its types name Word too
		{"a.xlsx", zipOf(t, "[Content_Types].xml", "spreadsheetml"), "xlsx", rag.FileDamaged},
		{"cells", sheetFileOf(t, nil, []testSheet{{"S", "", "<sheetData/>", ""}}), "xlsx", rag.FileIndexed},
		{"a.odt", zipOf(t, "mimetype", "application/vnd.oasis.opendocument.text"), "odt", rag.FileDamaged},
		{"words", odfFile(t, "text-template", "<text:p>x</text:p>"), "odt", rag.FileIndexed},
		{"cells", odfFile(t, "spreadsheet", ""), "ods", rag.FileIndexed},
		{"slides", odfFile(t, "presentation", ""), "odp", rag.FileIndexed},
		{"a.odb", odfFile(t, "database", ""), "odf", rag.FileUnsupported},
		{"a.epub", zipOf(t, "mimetype", "application/epub+zip"), "epub", rag.FileDamaged},
		{"book", bookFile(t, "", []string{xhtml("<p>x</p>")}), "epub", rag.FileIndexed},
		{"a.zip", zipOf(t, "a.txt", "x"), "zip", rag.FileUnsupported},
	} {
		t.Run(c.name+" "+c.kind, func(t *testing.T) {
			ex := readBytes(t, c.name, c.content)
			expectStatus(t, ex, c.status)
			if ex.Kind != c.kind {
				t.Errorf("kind %s, want %s", ex.Kind, c.kind)
			}
		})
	}
}

func TestWhatIsNoFileEndsInAStatus(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	expectStatus(t, readPath(t, pipe), rag.FileUnsupported)
	expectStatus(t, readPath(t, dir), rag.FileUnsupported)
	expectStatus(t, readPath(t, "/dev/zero"), rag.FileUnsupported)
	expectStatus(t, readPath(t, filepath.Join(dir, "gone.txt")), rag.FileDamaged)
	odd := filepath.Join(dir, "na\xffme.txt")
	if err := os.WriteFile(odd, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if ex := readPath(t, odd); ex.Title != "na\uFFFDme" {
		t.Errorf("title %q", ex.Title)
	}
}

func TestNoPermissionIsAStatus(t *testing.T) {
	p := asProblem(&os.PathError{Op: "open", Path: "x", Err: syscall.EACCES})
	if p.status != rag.FileNoPermission || !strings.HasSuffix(p.reason, ".") {
		t.Errorf("%s %q", p.status, p.reason)
	}
}

func TestSparseAndLargeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sparse.txt")
	if err := os.WriteFile(path, []byte("begin"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 2<<30); err != nil {
		t.Fatal(err)
	}
	expectStatus(t, readPath(t, path), rag.FileTooLarge)
	expectStatus(t, readBytes(t, "a.txt", []byte(strings.Repeat("word ", 100)), Options{MaxBytes: 100}), rag.FileTooLarge)
	ex := readBytes(t, "a.txt", []byte(strings.Repeat("A line of text.\n\n", 100)), Options{MaxChars: 200})
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if n := len([]rune(ex.Text)); n > 200 || n < 150 {
		t.Errorf("%d characters, want up to 200", n)
	}
}

func TestACancelledContextIsTheOnlyError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := File(ctx, "anything", Options{}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestAPanicIsDamage(t *testing.T) {
	textReaders["test"] = func(context.Context, *source, Options, *document) error { panic("reader") }
	byExtension[".panic"] = "test"
	t.Cleanup(func() { delete(textReaders, "test"); delete(byExtension, ".panic") })
	expectStatus(t, readBytes(t, "a.panic", []byte("x")), rag.FileDamaged)
}

func TestTextLines(t *testing.T) {
	ex := readBytes(t, "a.txt", []byte("one\r\ntwo\r\n\r\n\r\nthree\u00ad\u200b  \n"))
	if got := outline(ex); got != "paragraph: one\\ntwo\nparagraph: three\n" {
		t.Errorf("got\n%s", got)
	}
	for i, want := range [][2]int{{1, 2}, {5, 5}} {
		if l := ex.Blocks[i].Locator; l.LineFrom != want[0] || l.LineTo != want[1] {
			t.Errorf("block %d: lines %d to %d, want %v", i, l.LineFrom, l.LineTo, want)
		}
	}
	long := readBytes(t, "b.txt", []byte(strings.Repeat("line\n", 450)))
	if n := len(long.Blocks); n != 3 || long.Blocks[2].Locator.LineFrom != 401 {
		t.Errorf("%d blocks, the last from line %d", n, long.Blocks[n-1].Locator.LineFrom)
	}
}

func TestLanguages(t *testing.T) {
	for lang, text := range sentencesIn {
		want := map[string]string{"tw": "zh"}[lang]
		if want == "" {
			want = lang
		}
		if got := language(text); got != want {
			t.Errorf("%s: %q", lang, got)
		}
	}
	if got := language("The board of the cooperative decides, and that is it."); got != "en" {
		t.Errorf("en: %q", got)
	}
	if got := language("AX-4711 77 22"); got != "" {
		t.Errorf("no language: %q", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("gr\xfc\xdfe"))
	f.Add([]byte("\xff\xfea\x00"))
	f.Add([]byte("~{:OWw~}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		ex := readBytes(t, "a.txt", b)
		if ex.Status == "" {
			t.Error("no status")
		}
	})
}
