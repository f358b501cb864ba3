package segment

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/lexical"
	"referent/storage/index"
)

// From the program's start to the first answer, in a library of 100,000
// passages with vectors: from files, and built anew from the texts.
func BenchmarkOpen(b *testing.B) {
	const documents, size, dims = 5_000, 20, 384
	dir := b.TempDir()
	store, err := index.Open(b.Context(), dir)
	fatal := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	fatal(err)
	defer store.Close()
	folder, err := store.AddFolder(b.Context(), index.Folder{Path: "/docs"})
	fatal(err)
	r := rand.New(rand.NewPCG(1, 51))
	zipf := rand.NewZipf(r, 1.1, 8, 200_000)
	for n := range documents {
		_, err := store.Found(b.Context(), []index.FileSeen{{Folder: folder.ID, Path: fmt.Sprintf("/docs/%d.txt", n), Size: 1, ModTime: someDay}})
		fatal(err)
		d, _, err := store.NextWaiting(b.Context())
		fatal(err)
		c := index.DocumentContent{Document: d.ID, Status: "indexed", Kind: "text", Language: "pl", Class: "fact", Text: "text"}
		var vectors []index.HashVector
		for i := range size {
			var text strings.Builder
			for range 120 {
				fmt.Fprintf(&text, "w%x ", zipf.Uint64())
			}
			v := make([]float32, dims)
			for j := range v {
				v[j] = float32(r.NormFloat64())
			}
			hash := fmt.Sprintf("%d/%d", n, i)
			c.Chunks = append(c.Chunks, index.StoredChunk{Ordinal: i, Parent: -1, ContentHash: hash, Text: text.String(), Locator: "{}", Tokens: 120})
			vectors = append(vectors, index.HashVector{ContentHash: hash, V: v})
		}
		_, _, err = store.Replace(b.Context(), c)
		fatal(err)
		fatal(store.PutVectors(b.Context(), "m", vectors))
	}
	answer := func(x *Index) {
		s := x.Snapshot()
		allow, err := s.Allowed(rag.Scope{}, nil, nil)
		fatal(err)
		hits, err := s.Lexical().Search(b.Context(), lexical.NewQuery("w3 w77 w1234", s.Languages()), allow, 10)
		fatal(err)
		if len(hits) != 10 || s.Dense().Count() != documents*size {
			b.Fatalf("%d hits, %d vectors", len(hits), s.Dense().Count())
		}
	}
	files := Files{Dir: filepath.Join(dir, "index"), Manifest: store}
	x, err := OpenStored(b.Context(), store, "m", files)
	fatal(err)
	fatal(x.Settle(b.Context()))
	fatal(x.Close())
	b.Run("files", func(b *testing.B) {
		for b.Loop() {
			x, err := OpenStored(b.Context(), store, "m", files)
			fatal(err)
			answer(x)
			fatal(x.Close())
		}
	})
	b.Run("texts", func(b *testing.B) {
		for b.Loop() {
			x, err := Open(b.Context(), store, "m")
			fatal(err)
			answer(x)
		}
	})
}
