package index

import (
	"fmt"
	"testing"
	"time"
)

// library is the driver of these tests: a store in a folder of its own.
type library struct {
	*Store
	t   *testing.T
	dir string
}

func newLibrary(t *testing.T) *library {
	t.Helper()
	l := &library{t: t, dir: t.TempDir()}
	l.open()
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func (l *library) open() {
	l.t.Helper()
	s, err := Open(l.t.Context(), l.dir)
	if err != nil {
		l.t.Fatal(err)
	}
	l.Store = s
}

func (l *library) reopen() {
	l.t.Helper()
	l.ok(l.Close())
	l.open()
}

func (l *library) ok(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *library) folder(path string, collection int64) Folder {
	l.t.Helper()
	f, err := l.AddFolder(l.t.Context(), Folder{Path: path, Collection: collection})
	l.ok(err)
	return f
}

func (l *library) collection(name, label string) Collection {
	l.t.Helper()
	c, err := l.CreateCollection(l.t.Context(), name, label)
	l.ok(err)
	return c
}

var day = time.Unix(1_700_000_000, 123)

// see enters a file and returns its document.
func (l *library) see(folder int64, path string, size int64) Document {
	l.t.Helper()
	_, err := l.Found(l.t.Context(), []FileSeen{{Folder: folder, Path: path, Size: size, ModTime: day}})
	l.ok(err)
	return l.at(path)
}

func (l *library) at(path string) Document {
	l.t.Helper()
	d, found, err := l.DocumentByPath(l.t.Context(), path)
	l.ok(err)
	if !found {
		l.t.Fatalf("no document at %s", path)
	}
	return d
}

// store gives a document one chunk for each text.
func (l *library) store(document int64, texts ...string) []Chunk {
	l.t.Helper()
	chunks, _, err := l.Replace(l.t.Context(), content(document, texts...))
	l.ok(err)
	return chunks
}

func content(document int64, texts ...string) DocumentContent {
	c := DocumentContent{Document: document, Status: "indexed", Kind: "text", Title: "T", Hash: fmt.Sprint("bytes of ", texts), Language: "en", Class: "fact"}
	c.Parents = []StoredParent{{Ordinal: 0, Text: "parent", Length: 6, Tokens: 1}}
	for i, text := range texts {
		c.Text += text
		c.Chunks = append(c.Chunks, StoredChunk{Ordinal: i, Parent: 0, ContentHash: "h:" + text, Header: "T", Text: text, Length: len(text), Tokens: 1})
	}
	return c
}

// found returns the texts of all chunks that a search may see.
func (l *library) found() []string {
	l.t.Helper()
	texts := []string{}
	l.ok(l.EachChunk(l.t.Context(), 0, func(c Chunk) error { texts = append(texts, c.Text); return nil }))
	return texts
}

// embed gives every missing chunk the vector {1, 0} and returns how many.
func (l *library) embed(model string) int {
	l.t.Helper()
	missing, err := l.MissingVectors(l.t.Context(), model, 1000)
	l.ok(err)
	var v []HashVector
	for _, c := range missing {
		v = append(v, HashVector{ContentHash: c.ContentHash, V: []float32{1, 0}})
	}
	l.ok(l.PutVectors(l.t.Context(), model, v))
	return len(v)
}

// vectors counts the rows at rest, whoever may see them.
func (l *library) vectors() int {
	l.t.Helper()
	var n int
	l.ok(l.db.Read.QueryRow("SELECT count(*) FROM vectors").Scan(&n))
	return n
}
