package retrieve

import (
	"context"
	"testing"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/segment"
	"referent/storage/index"
)

// shelved stores a document as the library would, and returns its chunks.
func shelved(t *testing.T, s *index.Store, folder int64, path string, texts ...string) (int64, []index.Chunk) {
	t.Helper()
	ctx := context.Background()
	ids, err := s.Found(ctx, []index.FileSeen{{Folder: folder, Path: path, Size: 1, ModTime: time.Unix(1_700_000_000, 0)}})
	if err != nil || len(ids) != 1 {
		t.Fatalf("%v, %v", ids, err)
	}
	content := index.DocumentContent{Document: ids[0], Status: "indexed", Kind: "text", Language: "en", Hash: path}
	for i, text := range texts {
		content.Text += text + "\n"
		content.Chunks = append(content.Chunks, index.StoredChunk{Ordinal: i, Parent: -1, ContentHash: path + text, Text: text, Locator: "{}"})
	}
	chunks, _, err := s.Replace(ctx, content)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []index.HashVector
	for _, c := range chunks {
		vectors = append(vectors, index.HashVector{ContentHash: c.ContentHash, V: bag(c.Text)})
	}
	if err := s.PutVectors(ctx, "bag", vectors); err != nil {
		t.Fatal(err)
	}
	return ids[0], chunks
}

// The real store under the index: what it holds is found after Open, a label
// change takes it away, and a second Open agrees.
func TestStore_OpenSearchRestrict(t *testing.T) {
	ctx := context.Background()
	store, err := index.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	folder, err := store.AddFolder(ctx, index.Folder{Path: "/h", Label: "public"})
	if err != nil {
		t.Fatal(err)
	}
	pump, _ := shelved(t, store, folder.ID, "/h/pump.txt", "the pump has a warranty of two years", "it hums at night")
	boiler, _ := shelved(t, store, folder.ID, "/h/boiler.txt", "the boiler has no warranty")

	retrieve := func(x *segment.Index, text string) Result {
		r, err := New(Deps{Snapshot: x.Snapshot, Store: store, Embedder: func() (inference.Embedder, error) { return &bagOfWords{}, nil }}).Lookup("hybrid")
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Retrieve(ctx, Query{Texts: []string{text}})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	x, err := segment.Open(ctx, store, "bag")
	if err != nil {
		t.Fatal(err)
	}
	res := retrieve(x, "warranty of the pump")
	if len(res.Hits) != 3 || res.Hits[0].Document != pump || res.Hits[0].Trace.BM25 == nil || res.Hits[0].Trace.Dense == nil || res.Hits[0].Path != "/h/pump.txt" {
		t.Fatalf("%+v", res.Hits)
	}
	if _, err := store.SetDocumentLabel(ctx, pump, string(rag.LabelRestricted)); err != nil {
		t.Fatal(err)
	}
	columns, _, err := store.Columns(ctx, pump)
	if err != nil {
		t.Fatal(err)
	}
	x.SetColumns(columns)
	again, err := segment.Open(ctx, store, "bag")
	if err != nil {
		t.Fatal(err)
	}
	for name, y := range map[string]*segment.Index{"followed": x, "opened again": again} {
		res := retrieve(y, "warranty of the pump")
		if len(res.Hits) != 1 || res.Hits[0].Document != boiler || res.RestrictedCount != 1 {
			t.Errorf("%s: %v, %d restricted", name, documentsOf(res.Hits), res.RestrictedCount)
		}
	}
}
