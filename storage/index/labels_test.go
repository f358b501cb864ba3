package index

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

// nothingVisible checks every door through which a search could see chunks.
func (l *library) nothingVisible(chunks []Chunk) {
	l.t.Helper()
	ids, parents := []int64{}, []int64{}
	for _, c := range chunks {
		ids, parents = append(ids, c.ID), append(parents, c.Parent)
	}
	ctx := l.t.Context()
	if got := l.found(); len(got) > 0 {
		l.t.Errorf("EachChunk gives %v", got)
	}
	if got, err := l.Chunks(ctx, ids); err != nil || len(got) > 0 {
		l.t.Errorf("Chunks gives %v, %v", got, err)
	}
	if got, err := l.Parents(ctx, parents); err != nil || len(got) > 0 {
		l.t.Errorf("Parents gives %v, %v", got, err)
	}
	if got, err := l.MissingVectors(ctx, "other", 10); err != nil || len(got) > 0 {
		l.t.Errorf("MissingVectors gives %v, %v", got, err)
	}
	if got, err := l.MissingTokenCounts(ctx, "other", 10); err != nil || len(got) > 0 {
		l.t.Errorf("MissingTokenCounts gives %v, %v", got, err)
	}
	l.ok(l.EachVector(ctx, "m", func(chunk int64, _ []float32) error { l.t.Errorf("EachVector gives %d", chunk); return nil }))
	if got := l.progress("m"); got != [2]int{0, 0} {
		l.t.Errorf("VectorProgress counts %v", got)
	}
}

func TestRestrictedByEveryKindOfLabel(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(l *library, c Collection, f Folder, d Document, label string) ([]int64, error)
	}{
		{"document", func(l *library, _ Collection, _ Folder, d Document, label string) ([]int64, error) {
			return l.SetDocumentLabel(l.t.Context(), d.ID, label)
		}},
		{"folder", func(l *library, _ Collection, f Folder, _ Document, label string) ([]int64, error) {
			return l.SetFolderLabel(l.t.Context(), f.ID, label)
		}},
		{"collection", func(l *library, c Collection, _ Folder, _ Document, label string) ([]int64, error) {
			return l.SetCollectionLabel(l.t.Context(), c.ID, label)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLibrary(t)
			collection := l.collection("A", "public")
			f := l.folder("/docs", collection.ID)
			d := l.see(f.ID, "/docs/a.txt", 10)
			chunks := l.store(d.ID, "one", "two")
			l.embed("m")

			removed, err := c.set(l, collection, f, d, "restricted")
			l.ok(err)
			if !reflect.DeepEqual(removed, []int64{chunks[0].ID, chunks[1].ID}) {
				t.Errorf("removed %v", removed)
			}
			l.nothingVisible(chunks)
			if l.vectors() != 0 {
				t.Errorf("%d vectors at rest", l.vectors())
			}
			if n, err := l.RestrictedCount(t.Context()); err != nil || n != 1 {
				t.Errorf("RestrictedCount %d, %v", n, err)
			}
			got := l.at(d.Path)
			if got.Label != "restricted" || got.Chunks != 2 || got.Vectors != 0 {
				t.Errorf("the document is listed as %+v", got)
			}
			if text, err := l.DocumentText(t.Context(), d.ID); err != nil || text != "onetwo" {
				t.Errorf("its owner reads %q, %v", text, err)
			}
			if cols, _, err := l.Columns(t.Context(), d.ID); err != nil || cols.Searchable || cols.Label != "restricted" {
				t.Errorf("columns %+v, %v", cols, err)
			}

			removed, err = c.set(l, collection, f, d, "public")
			l.ok(err)
			if len(removed) != 0 || len(l.found()) != 2 || l.embed("m") != 2 {
				t.Errorf("public again: removed %v, found %v", removed, l.found())
			}
		})
	}
}

func TestRestrictingKeepsVectorsThatAPublicFileNeeds(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	secret := l.see(f.ID, "/docs/secret.txt", 10)
	l.store(secret.ID, "shared", "own")
	l.store(l.see(f.ID, "/docs/open.txt", 10).ID, "shared")
	l.embed("m")
	_, err := l.SetDocumentLabel(t.Context(), secret.ID, "restricted")
	l.ok(err)
	if l.vectors() != 1 || l.progress("m") != [2]int{1, 1} {
		t.Errorf("%d vectors, progress %v; want the shared one", l.vectors(), l.progress("m"))
	}
}

func TestRestrictedFromTheStart(t *testing.T) {
	l := newLibrary(t)
	f, err := l.AddFolder(t.Context(), Folder{Path: "/secret", Label: "restricted"})
	l.ok(err)
	d := l.see(f.ID, "/secret/a.txt", 10)
	chunks := l.store(d.ID, "one")
	if chunks != nil {
		t.Errorf("Replace hands out %v", chunks)
	}
	l.ok(l.PutVectors(t.Context(), "m", []HashVector{{"h:one", []float32{1}}}))
	l.ok(l.PutTokenCounts(t.Context(), "tok", map[int64]int{1: 3}))
	if l.vectors() != 0 {
		t.Error("a vector of restricted content was stored")
	}
	l.nothingVisible([]Chunk{{ID: 1, Parent: 1}})
}

// A file that a public and a restricted folder reach is restricted until the
// restricted one lets it go.
func TestStrictestOfTwoFolders(t *testing.T) {
	l := newLibrary(t)
	outer := l.folder("/docs", 0)
	d := l.see(outer.ID, "/docs/in/a.txt", 10)
	l.store(d.ID, "one")
	inner, err := l.AddFolder(t.Context(), Folder{Path: "/docs/in", Label: "restricted"})
	l.ok(err)
	l.see(inner.ID, "/docs/in/a.txt", 10)
	if got := l.found(); len(got) != 0 {
		t.Errorf("found %v", got)
	}
	gone, err := l.RemoveFolder(t.Context(), inner.ID)
	l.ok(err)
	if len(gone) != 0 || len(l.found()) != 1 {
		t.Errorf("gone %v, found %v", gone, l.found())
	}
}

func TestRestrictedCollectionTakesItsFolders(t *testing.T) {
	l := newLibrary(t)
	secret := l.collection("Secret", "restricted")
	f := l.folder("/docs", 0)
	chunks := l.store(l.see(f.ID, "/docs/a.txt", 10).ID, "one")
	removed, err := l.SetFolderCollection(t.Context(), f.ID, secret.ID)
	l.ok(err)
	if !reflect.DeepEqual(removed, []int64{chunks[0].ID}) {
		t.Errorf("removed %v", removed)
	}
	l.ok(l.DeleteCollection(t.Context(), secret.ID))
	if len(l.found()) != 1 {
		t.Error("still hidden after the collection went away")
	}
}

// The vector's bytes are gone from the file and the WAL, not only from the table.
func TestRestrictedVectorLeavesNoBytes(t *testing.T) {
	l := newLibrary(t)
	d := l.see(l.folder("/docs", 0).ID, "/docs/a.txt", 10)
	l.store(d.ID, "one")
	marker := []float32{1.5, -1.5, 1.25, -1.25, 1.75, -1.75, 1.125, -1.125}
	l.ok(l.PutVectors(t.Context(), "m", []HashVector{{"h:one", marker}}))
	_, err := l.SetDocumentLabel(t.Context(), d.ID, "restricted")
	l.ok(err)
	l.ok(l.Close())
	defer l.open()
	for _, name := range []string{FileName, FileName + "-wal"} {
		b, err := os.ReadFile(l.dir + "/" + name)
		if err == nil && strings.Contains(string(b), string(toHalf(marker))) {
			t.Errorf("%s holds the vector", name)
		}
	}
}

func TestCollections(t *testing.T) {
	l := newLibrary(t)
	a := l.collection(" Alpha ", "")
	if a.Name != "Alpha" || a.Label != "public" {
		t.Errorf("%+v", a)
	}
	for _, c := range []struct {
		name string
		err  error
		want error
		text string
	}{
		{"twice", func() error { _, err := l.CreateCollection(t.Context(), "Alpha", ""); return err }(), ErrNameTaken, `There is a collection "Alpha" already. Choose another name.`},
		{"empty", func() error { _, err := l.CreateCollection(t.Context(), " ", ""); return err }(), ErrInvalid, "A collection needs a name."},
		{"label", func() error { _, err := l.CreateCollection(t.Context(), "B", "secret"); return err }(), ErrInvalid, `There is no label "secret". Labels: public, restricted.`},
		{"unknown", l.RenameCollection(t.Context(), 99, "C"), ErrUnknown, "That is no longer in the library. Refresh the list."},
	} {
		if !errors.Is(c.err, c.want) || c.err.Error() != c.text {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
	l.ok(l.RenameCollection(t.Context(), a.ID, "Beta"))
	got, found, err := l.CollectionByName(t.Context(), "Beta")
	if err != nil || !found || got.ID != a.ID || !got.Created.Equal(a.Created) {
		t.Errorf("%+v %v %v", got, found, err)
	}
	if _, err := l.AddFolder(t.Context(), Folder{Path: "/x", Collection: 99}); !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown collection: %v", err)
	}
}

// The labels of many documents in one call; what is not in the library has none.
func TestLabels(t *testing.T) {
	l := newLibrary(t)
	open, vault := l.folder("/docs", 0), l.folder("/vault", 0)
	a, b, c := l.see(open.ID, "/docs/a.txt", 10), l.see(vault.ID, "/vault/b.txt", 10), l.see(open.ID, "/docs/c.txt", 10)
	_, err := l.SetFolderLabel(t.Context(), vault.ID, "restricted")
	l.ok(err)
	_, err = l.Missing(t.Context(), []string{"/docs/c.txt"}, time.UnixMilli(1000))
	l.ok(err)
	got, err := l.Labels(t.Context(), []int64{a.ID, b.ID, c.ID, a.ID, 999})
	l.ok(err)
	want := map[int64]DocumentLabel{a.ID: {Label: "public"}, b.ID: {Label: "restricted"}, c.ID: {Label: "public", Missing: true}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// Content is restricted while no public document holds it too.
func TestRestrictedContent(t *testing.T) {
	l := newLibrary(t)
	open, vault := l.folder("/docs", 0), l.folder("/vault", 0)
	both := l.store(l.see(open.ID, "/docs/a.txt", 10).ID, "shared", "open")
	hidden := l.store(l.see(vault.ID, "/vault/b.txt", 10).ID, "shared", "secret")
	hashes := []string{both[0].ContentHash, both[1].ContentHash, hidden[1].ContentHash, "nowhere", ""}
	for label, want := range map[string][]string{"public": nil, "restricted": {hidden[1].ContentHash}} {
		_, err := l.SetFolderLabel(t.Context(), vault.ID, label)
		l.ok(err)
		if got, err := l.RestrictedContent(t.Context(), hashes); err != nil || !reflect.DeepEqual(got, want) || both[0].ContentHash != hidden[0].ContentHash {
			t.Errorf("%s: %q, %v, want %q", label, got, err, want)
		}
	}
}
