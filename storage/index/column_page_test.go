package index

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// columns reads all columns, from pages where they are kept.
func (l *library) columns() []DocumentColumns {
	l.t.Helper()
	var all []DocumentColumns
	l.ok(l.EachDocumentColumns(l.t.Context(), func(c DocumentColumns) error { all = append(all, c); return nil }))
	return all
}

func (l *library) pages() int {
	l.t.Helper()
	var n int
	l.ok(l.db.Read.QueryRow("SELECT count(*) FROM column_pages").Scan(&n))
	return n
}

// expectColumns compares what pages say with every document alone.
func (l *library) expectColumns(after string) {
	l.t.Helper()
	all := l.columns()
	var documents int
	l.ok(l.db.Read.QueryRow("SELECT count(*) FROM documents").Scan(&documents))
	if len(all) != documents {
		l.t.Fatalf("after %s: %d documents, want %d", after, len(all), documents)
	}
	for i, c := range all {
		if i > 0 && all[i-1].ID >= c.ID {
			l.t.Fatalf("after %s: document %d comes after %d", after, c.ID, all[i-1].ID)
		}
		alone, ok, err := l.Columns(l.t.Context(), c.ID)
		l.ok(err)
		if !ok || !reflect.DeepEqual(c, alone) {
			l.t.Fatalf("after %s: %+v in its page, %+v alone", after, c, alone)
		}
	}
}

// Whatever changes a document, its folders, collections or tags, pages never say
// anything that is no longer true; what is not touched stays kept.
func TestColumnPages_AreNeverOutOfDate(t *testing.T) {
	l := newLibrary(t)
	ctx := t.Context()
	public, secret := l.collection("public", "public"), l.collection("secret", "restricted")
	outer, inner := l.folder("/docs", public.ID), l.folder("/docs/in", 0)
	pick := func(r *rand.Rand) Document {
		ids := l.columns()
		return l.at(ids[r.IntN(len(ids))].Path)
	}
	for i := range 30 {
		l.see(outer.ID, fmt.Sprintf("/docs/%d.txt", i), int64(i))
	}
	r := rand.New(rand.NewPCG(11, 4))
	moment := day
	fresh := 0
	changes := []struct {
		name string
		do   func() error
	}{
		{"a new file", func() error {
			fresh++
			l.see(inner.ID, fmt.Sprintf("/docs/in/new-%d.txt", fresh), 1)
			return nil
		}},
		{"a file in a second folder", func() error { l.see(inner.ID, pick(r).Path, 9); return nil }},
		{"a text", func() error { l.store(pick(r).ID, "pump", fmt.Sprint("valve ", r.IntN(9))); return nil }},
		{"a tag", func() error {
			_, err := l.AddTags(ctx, []int64{pick(r).ID}, []string{fmt.Sprint("t", r.IntN(4))})
			return err
		}},
		{"no tag", func() error { _, err := l.RemoveTags(ctx, []int64{pick(r).ID}, []string{"t1", "t2"}); return err }},
		{"a label", func() error {
			_, err := l.SetDocumentLabel(ctx, pick(r).ID, []string{"public", "restricted"}[r.IntN(2)])
			return err
		}},
		{"a class", func() error { return l.SetDocumentClass(ctx, pick(r).ID, []string{"fact", "news"}[r.IntN(2)], "user") }},
		{"a folder's label", func() error {
			_, err := l.SetFolderLabel(ctx, inner.ID, []string{"public", "restricted"}[r.IntN(2)])
			return err
		}},
		{"another collection", func() error {
			_, err := l.SetFolderCollection(ctx, inner.ID, []int64{public.ID, secret.ID}[r.IntN(2)])
			return err
		}},
		{"a collection's label", func() error {
			_, err := l.SetCollectionLabel(ctx, secret.ID, []string{"public", "restricted"}[r.IntN(2)])
			return err
		}},
		{"a vanished file", func() error { _, err := l.Missing(ctx, []string{pick(r).Path}, moment); return err }},
		{"a purge", func() error { moment = moment.AddDate(0, 0, 1); _, err := l.PurgeMissing(ctx, moment); return err }},
	}
	for range 150 {
		l.ok(l.PackColumns(ctx))
		l.expectColumns("packing")
		if l.pages() != 1 {
			t.Fatalf("%d pages", l.pages())
		}
		c := changes[r.IntN(len(changes))]
		l.ok(c.do())
		l.expectColumns(c.name)
	}
	l.ok(l.PackColumns(ctx))
	_, err := l.RemoveFolder(ctx, outer.ID)
	l.ok(err)
	l.expectColumns("a removed folder")
	l.ok(l.PackColumns(ctx))
	l.ok(l.DeleteCollection(ctx, secret.ID))
	l.expectColumns("a removed collection")
}

// A change makes one page be read anew and not the others; a page that is
// damaged, or of another form, is read like one that is not kept.
func TestColumnPages_OnlyWhatChangedIsReadAnew(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	var seen []FileSeen
	for i := range 2*pageDocuments + 10 {
		seen = append(seen, FileSeen{Folder: f.ID, Path: fmt.Sprintf("/docs/%d.txt", i), Size: 1, ModTime: day})
	}
	_, err := l.Found(t.Context(), seen)
	l.ok(err)
	plain := l.columns()
	l.ok(l.PackColumns(t.Context()))
	if l.pages() != 3 {
		t.Fatalf("%d pages, want 3", l.pages())
	}
	if !reflect.DeepEqual(l.columns(), plain) {
		t.Error("pages say something else than the documents")
	}
	_, err = l.AddTags(t.Context(), []int64{plain[1500].ID}, []string{"x"})
	l.ok(err)
	if l.pages() != 2 {
		t.Fatalf("%d pages, want 2", l.pages())
	}
	plain[1500].Tags = []string{"x"}
	if !reflect.DeepEqual(l.columns(), plain) {
		t.Error("the documents of a page that is not kept are others")
	}
	l.ok(l.PackColumns(t.Context()))
	for _, harm := range []string{
		"UPDATE column_pages SET documents = CAST(x'02' || substr(documents, 2) AS BLOB) WHERE page = 0",
		"UPDATE column_pages SET documents = substr(documents, 1, 500) WHERE page = 1",
		"UPDATE column_pages SET documents = CAST(substr(documents, 1, 200) || x'7f' || substr(documents, 202) AS BLOB) WHERE page = 2",
		"UPDATE column_pages SET documents = x''",
	} {
		l.ok(l.db.Update(t.Context(), func(tx *sql.Tx) error { _, err := tx.Exec(harm); return err }))
		if !reflect.DeepEqual(l.columns(), plain) {
			t.Errorf("after %s the documents are others", harm)
		}
	}
	l.ok(l.UnpackColumns(t.Context()))
	if l.pages() != 0 || !reflect.DeepEqual(l.columns(), plain) {
		t.Error("without pages the documents are others")
	}
}

// Any bytes are read without a fault, and what is written is read back.
func FuzzColumnPage(f *testing.F) {
	whole := []DocumentColumns{
		{ID: 7, Folder: 2, Collections: []int64{1, 3}, Tags: []string{"a", "b"}, Path: "/docs/日本.txt", Kind: "text", Language: "de", Class: "fact", Label: labelPublic, ModTime: day, Searchable: true, Chunks: 3, Revision: 9},
		{ID: 8, Collections: []int64{}, Path: "", Label: labelRestricted, ModTime: day},
	}
	encoded := encodeColumns(whole)
	f.Add(encoded[:len(encoded)-4])
	f.Add([]byte{pageForm, 0, 0, 0})
	if back, err := decodeColumns(encoded, nil); err != nil || !reflect.DeepEqual(back, whole) {
		f.Fatalf("%+v, %v", back, err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := decodeColumns(sign(slices.Clone(data)), nil)
		if err != nil {
			return
		}
		again, err := decodeColumns(encodeColumns(all), make([]DocumentColumns, 1))
		if err != nil || !slices.EqualFunc(all, again, func(a, b DocumentColumns) bool { return reflect.DeepEqual(a, b) }) {
			t.Errorf("%+v became %+v, %v", all, again, err)
		}
	})
}

// What a start reads of 50,000 documents: from their pages, and without them.
func BenchmarkColumns(b *testing.B) {
	s, err := Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	f, err := s.AddFolder(b.Context(), Folder{Path: "/library"})
	if err != nil {
		b.Fatal(err)
	}
	const documents = 50_000
	for from := 0; from < documents; from += 5000 {
		var seen []FileSeen
		for i := range 5000 {
			seen = append(seen, FileSeen{Folder: f.ID, Path: fmt.Sprintf("/library/of a person/%07d.txt", from+i), Size: 1, ModTime: day})
		}
		if _, err := s.Found(b.Context(), seen); err != nil {
			b.Fatal(err)
		}
	}
	for _, way := range []struct {
		name    string
		prepare func(context.Context) error
	}{{"packed rows", s.UnpackColumns}, {"pages", s.PackColumns}} {
		b.Run(way.name, func(b *testing.B) {
			if err := way.prepare(b.Context()); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				n := 0
				if err := s.EachDocumentColumns(b.Context(), func(DocumentColumns) error { n++; return nil }); err != nil || n != documents {
					b.Fatal(n, err)
				}
			}
		})
	}
}
