package extract

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"referent/rag"
)

// sampleOf is a small good file of each kind that is read from bytes.
func sampleOf(tb testing.TB) map[string][]byte {
	pdf := newPDF()
	pdf.page(line(72, 700, 12, "Some words."), "")
	return map[string][]byte{
		"a.txt": []byte("Some words.\n"), "a.md": []byte("# Some\n\nwords\n"), "a.html": []byte("<p>Some words</p>"), "a.csv": []byte("some,words\n1,2\n"),
		"a.json": []byte(`{"some":"words"}`), "a.ipynb": []byte(`{"cells":[{"cell_type":"markdown","source":"Some words"}]}`), "a.go": []byte("package words\n"),
		"a.docx": wordFile(tb, par("", "Some words")), "a.pdf": pdf.bytes(), "a.eml": mixed("Some words."), "a.mbox": []byte("From a 10:00\nSubject: x\n\nSome words.\n"),
		"a.png": pngOf(tb, 20, 20), "a.tif": tiffOf(imageSize{20, 20}),
	}
}

// movingFile is a file that is not what it was when it was opened: it ends with
// an error, or goes on.
type movingFile struct {
	content
	end  error     // instead of io.EOF; nil: io.EOF
	more io.Reader // behind its end; nil: nothing
}

func (f *movingFile) Read(b []byte) (int, error) {
	n, err := f.content.Read(b)
	if n == 0 && errors.Is(err, io.EOF) && f.more != nil {
		return f.more.Read(b)
	}
	if errors.Is(err, io.EOF) && f.end != nil {
		err = f.end
	}
	return n, err
}

func (f *movingFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.content.ReadAt(b, at)
	if errors.Is(err, io.EOF) && f.end != nil {
		err = f.end
	}
	return n, err
}

// TestFilesThatChangeWhileTheyAreRead: a status with a sentence for each kind,
// whatever the disk does meanwhile.
func TestFilesThatChangeWhileTheyAreRead(t *testing.T) {
	opts := Options{PDFCacheDir: cacheFolder("pdfium")}.withDefaults()
	broken := &os.PathError{Op: "read", Path: "a", Err: syscall.EIO}
	for name, whole := range sampleOf(t) {
		for change, src := range map[string]func() *source{
			"shrinks": func() *source {
				s := inMemory(name, whole)
				s.File = inMemory(name, whole[:len(whole)/2]).File
				return s
			},
			"vanishes": func() *source {
				s := inMemory(name, whole)
				s.File = inMemory(name, nil).File
				return s
			},
			"grows": func() *source {
				s := inMemory(name, whole)
				s.File = &movingFile{content: s.File, more: strings.NewReader(strings.Repeat("more and more\n", 10_000))}
				return s
			},
			"breaks": func() *source {
				s := inMemory(name, whole)
				s.File = &movingFile{content: inMemory(name, whole[:len(whole)/2]).File, end: broken}
				return s
			},
		} {
			_, d, err := readSource(context.Background(), src(), opts)
			status, reason := rag.FileDamaged, ""
			if err != nil {
				status, reason = asProblem(err).status, asProblem(err).reason
			} else {
				ex := d.finish()
				checkOffsets(t, ex)
				status, reason = ex.Status, ex.Reason
			}
			if !status.Final() || status != rag.FileIndexed && !strings.HasSuffix(reason, ".") {
				t.Errorf("%s %s: %s %q", name, change, status, reason)
			}
			if change == "breaks" && status == rag.FileIndexed && name != "a.docx" { // its directory is at the end, and needed first
				t.Errorf("%s was read in spite of the disk", name)
			}
		}
	}
}

// TestSparseFiles: a beginning that is right, and a hole behind it.
func TestSparseFiles(t *testing.T) {
	for name, whole := range sampleOf(t) {
		path := writeTemp(t, name, whole)
		if err := os.Truncate(path, 40<<20); err != nil {
			t.Fatal(err)
		}
		ex := readPath(t, path)
		if !ex.Status.Final() || ex.Status != rag.FileIndexed && !strings.HasSuffix(ex.Reason, ".") || len(ex.Text) > 1<<20 {
			t.Errorf("%s: %s %q, %d bytes of text", name, ex.Status, ex.Reason, len(ex.Text))
		}
	}
}

func TestPlacesThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	socket, err := net.Listen("unix", filepath.Join(dir, "s.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	pipe := filepath.Join(dir, "p.txt")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink(pipe, filepath.Join(dir, "l.txt")), os.Symlink("self.txt", filepath.Join(dir, "self.txt"))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]rag.FileStatus{"s.txt": rag.FileUnsupported, "p.txt": rag.FileUnsupported, "l.txt": rag.FileUnsupported, "self.txt": rag.FileDamaged} {
		t.Run(name, func(t *testing.T) { expectStatus(t, readPath(t, filepath.Join(dir, name)), want) })
	}
	expectStatus(t, readPath(t, "/dev/null"), rag.FileUnsupported)
	expectStatus(t, readPath(t, "/dev/zero"), rag.FileUnsupported)
}

func TestArchivesOfTooMuch(t *testing.T) {
	many := make([]string, 0, 2*(maxEntries+2))
	many = append(many, "[Content_Types].xml", wordTypes)
	for range maxEntries + 1 {
		many = append(many, "x", "")
	}
	ex := readBytes(t, "a.docx", zipOf(t, many...))
	expectStatus(t, ex, rag.FileTooLarge)
	if ex.Reason != "The document holds 10002 parts. Up to 10000 are read. Split it, or export the part that you need." {
		t.Errorf("reason %q", ex.Reason)
	}
	// Archives inside archives are not opened at all.
	inner := zipOf(t, "a.txt", "secret words")
	for range 5 {
		inner = zipOf(t, "a.zip", string(inner))
	}
	ex = readBytes(t, "a.zip", inner)
	expectStatus(t, ex, rag.FileUnsupported)
	if ex.Text != "" || ex.Reason != "Archives are not read. Turn on “Read ZIP archives” in the settings and try again, or unpack it." {
		t.Errorf("%q, text %q", ex.Reason, ex.Text)
	}
}

// TestEntitiesReachNothing: what a document type declares is neither expanded
// nor fetched.
func TestEntitiesReachNothing(t *testing.T) {
	secret := writeTemp(t, "secret.txt", []byte("the secret"))
	declared := `<!DOCTYPE x [<!ENTITY f SYSTEM "file://` + secret + `"><!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p;
<!ENTITY a "lollol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>`
	for name, content := range map[string][]byte{
		"a.docx":  wordFile(t, declared+par("", "words &f; &c;")),
		"a.html":  []byte(declared + "<html><p>words &f; &c;</p></html>"),
		"a.xhtml": []byte(`<?xml version="1.0"?>` + declared + "<html><p>words &f; &c;</p></html>"),
		"a.xml":   []byte(declared + "<p>words &f; &c;</p>"),
		"a.eml":   mixed("see the page", attached("text/html", "a.html", []byte(declared+"<p>words &f; &c;</p>"))),
	} {
		ex := readBytes(t, name, content)
		expectText(t, ex, "words")
		if strings.Contains(ex.Text, "the secret") || strings.Contains(ex.Text, "lollollol") {
			t.Errorf("%s: an entity was expanded: %q", name, ex.Text)
		}
	}
}
