package index

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"
)

func TestReplaceKeepsNumbersOfUnchangedChunks(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	d := l.see(f.ID, "/docs/a.txt", 10)
	before := l.store(d.ID, "one", "two", "three")
	l.ok(l.SetChunkPinned(t.Context(), before[1].ID, true))

	chunks, removed, err := l.Replace(t.Context(), content(d.ID, "new", "two", "one"))
	l.ok(err)
	if got, want := removed, []int64{before[2].ID}; !reflect.DeepEqual(got, want) {
		t.Errorf("removed %v, want %v", got, want)
	}
	if chunks[0].ID <= before[2].ID {
		t.Errorf("the new chunk has number %d, want one above %d", chunks[0].ID, before[2].ID)
	}
	if chunks[1].ID != before[1].ID || !chunks[1].Pinned || chunks[2].ID != before[0].ID {
		t.Errorf("unchanged chunks lost number or pin: %+v", chunks)
	}
	if chunks[1].Parent == before[1].Parent || chunks[1].Parent == 0 {
		t.Errorf("parent %d of an old chunk was not renewed", chunks[1].Parent)
	}
	if got := l.found(); !reflect.DeepEqual(got, []string{"one", "two", "new"}) { // by number
		t.Errorf("found %v", got)
	}
}

func TestReplaceWithTheSameTextTwice(t *testing.T) {
	l := newLibrary(t)
	d := l.see(l.folder("/docs", 0).ID, "/docs/a.txt", 10)
	before := l.store(d.ID, "same", "same", "same")
	chunks, removed, err := l.Replace(t.Context(), content(d.ID, "same"))
	l.ok(err)
	if chunks[0].ID != before[0].ID || !reflect.DeepEqual(removed, []int64{before[1].ID, before[2].ID}) {
		t.Errorf("kept %d, removed %v of %v", chunks[0].ID, removed, before)
	}
	l.embed("m")
	if l.vectors() != 1 {
		t.Errorf("%d vectors of one content", l.vectors())
	}
}

func TestReplaceIsAllOrNothing(t *testing.T) {
	l := newLibrary(t)
	d := l.see(l.folder("/docs", 0).ID, "/docs/a.txt", 10)
	l.store(d.ID, "old")
	bad := content(d.ID, "x", "y")
	bad.Chunks[1].Ordinal = 0 // breaks a rule of the schema after the first chunk went in
	if _, _, err := l.Replace(t.Context(), bad); err == nil {
		t.Fatal("two chunks with one ordinal were accepted")
	}
	if got := l.found(); !reflect.DeepEqual(got, []string{"old"}) {
		t.Errorf("found %v, want the old version", got)
	}
	if text, err := l.DocumentText(t.Context(), d.ID); err != nil || text != "old" {
		t.Errorf("text %q, %v", text, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.Replace(ctx, content(d.ID, "z")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want cancelled", err)
	}
}

func TestReplaceOfUnknownDocument(t *testing.T) {
	l := newLibrary(t)
	if _, _, err := l.Replace(t.Context(), content(77, "x")); !errors.Is(err, ErrUnknown) {
		t.Errorf("error %v, want ErrUnknown", err)
	}
}

func TestReadingBack(t *testing.T) {
	l := newLibrary(t)
	c := l.collection("Law", "public")
	f := l.folder("/docs", c.ID)
	d := l.see(f.ID, "/docs/sub/Häuser & Höfe.txt", 10)
	in := content(d.ID, "alpha", "beta")
	in.Chunks[1].Locator, in.Chunks[1].Heading, in.Chunks[1].LowRank, in.Chunks[1].Offset = `{"page":2}`, "A > B", true, 5
	stored, _, err := l.Replace(t.Context(), in)
	l.ok(err)

	got, err := l.Chunks(t.Context(), []int64{stored[1].ID, 999, stored[0].ID})
	l.ok(err)
	if len(got) != 2 || got[0].Text != "beta" || got[1].Text != "alpha" {
		t.Fatalf("Chunks keeps the order of the question: %+v", got)
	}
	want := Chunk{ID: stored[1].ID, Document: d.ID, Parent: stored[1].Parent, Ordinal: 1, ContentHash: "h:beta", Header: "T", Text: "beta", Heading: "A > B",
		Locator: `{"page":2}`, Class: "fact", Language: "en", Offset: 5, Length: 4, Tokens: 1, LowRank: true,
		Path: "/docs/sub/Häuser & Höfe.txt", Title: "T", Kind: "text", FileName: "Häuser & Höfe.txt"}
	if got[0] != want {
		t.Errorf("got  %+v\nwant %+v", got[0], want)
	}
	parents, err := l.Parents(t.Context(), []int64{stored[0].Parent})
	l.ok(err)
	if parents[stored[0].Parent].Text != "parent" {
		t.Errorf("parents %v", parents)
	}
	cols, _, err := l.Columns(t.Context(), d.ID)
	l.ok(err)
	if !reflect.DeepEqual(cols, DocumentColumns{ID: d.ID, Folder: f.ID, Collections: []int64{c.ID}, Path: d.Path, Kind: "text", Language: "en",
		Class: "fact", Label: "public", ModTime: day, Searchable: true, Chunks: 2, Revision: cols.Revision}) || cols.Revision == 0 {
		t.Errorf("columns %+v", cols)
	}
	l.ok(l.EachChunk(t.Context(), stored[0].ID, func(c Chunk) error {
		if c.ID != stored[1].ID {
			t.Errorf("chunk %d comes after %d", c.ID, stored[0].ID)
		}
		return nil
	}))
}

func TestDocumentLists(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	for _, p := range []string{"/docs/a_1.txt", "/docs/a%1.txt", "/docs/sub/b.txt", "/docs/sub0/c.txt"} {
		l.see(f.ID, p, 10)
	}
	l.ok(l.SetStatus(t.Context(), l.at("/docs/sub/b.txt").ID, "damaged", "The file is damaged."))
	for _, c := range []struct {
		name  string
		query DocumentQuery
		want  []string
	}{
		{"all, by path", DocumentQuery{}, []string{"/docs/a%1.txt", "/docs/a_1.txt", "/docs/sub/b.txt", "/docs/sub0/c.txt"}},
		{"below a folder, not beside it", DocumentQuery{PathUnder: "/docs/sub"}, []string{"/docs/sub/b.txt"}},
		{"a file", DocumentQuery{PathUnder: "/docs/a_1.txt"}, []string{"/docs/a_1.txt"}},
		{"signs of LIKE are letters", DocumentQuery{Search: "A_1"}, []string{"/docs/a_1.txt"}},
		{"status", DocumentQuery{Status: "damaged"}, []string{"/docs/sub/b.txt"}},
		{"page", DocumentQuery{Limit: 1, Offset: 1}, []string{"/docs/a_1.txt"}},
		{"another folder", DocumentQuery{Folder: f.ID + 1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			docs, err := l.Documents(t.Context(), c.query)
			l.ok(err)
			var got []string
			for _, d := range docs {
				got = append(got, d.Path)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	counts, err := l.CountsByStatus(t.Context(), f.ID)
	l.ok(err)
	if !reflect.DeepEqual(counts, map[string]int{"waiting": 3, "damaged": 1}) {
		t.Errorf("counts %v", counts)
	}
}

func TestClassChosenByTheUserOutlivesANewVersion(t *testing.T) {
	l := newLibrary(t)
	d := l.see(l.folder("/docs", 0).ID, "/docs/a.txt", 10)
	chunks := l.store(d.ID, "one", "two")
	l.ok(l.SetDocumentClass(t.Context(), d.ID, "transient", "user"))
	l.ok(l.SetChunkClass(t.Context(), chunks[1].ID, "snapshot"))
	chunks = l.store(d.ID, "one", "two", "three")
	got := []string{chunks[0].Class, chunks[1].Class, chunks[2].Class}
	if !reflect.DeepEqual(got, []string{"transient", "snapshot", "transient"}) {
		t.Errorf("classes %v", got)
	}
}

func TestTokenCountsBelongToContent(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	a := l.store(l.see(f.ID, "/docs/a.txt", 10).ID, "one", "two")
	missing, err := l.MissingTokenCounts(t.Context(), "tok", 10)
	l.ok(err)
	if len(missing) != 2 || missing[0].Text != "two" {
		t.Fatalf("missing %+v, want the newest first", missing)
	}
	l.ok(l.PutTokenCounts(t.Context(), "tok", map[int64]int{a[0].ID: 7, 12345: 9}))
	b := l.store(l.see(f.ID, "/docs/b.txt", 10).ID, "one")
	counts, err := l.TokenCounts(t.Context(), "tok", []int64{a[0].ID, a[1].ID, b[0].ID})
	l.ok(err)
	if !reflect.DeepEqual(counts, map[int64]int{a[0].ID: 7, b[0].ID: 7}) {
		t.Errorf("counts %v", counts)
	}
}

func TestMeta(t *testing.T) {
	l := newLibrary(t)
	l.ok(l.SetMeta(t.Context(), "k", "1"))
	l.ok(l.SetMeta(t.Context(), "k", "2"))
	l.reopen()
	if v, err := l.Meta(t.Context(), "k"); err != nil || v != "2" {
		t.Errorf("%q, %v", v, err)
	}
	if v, err := l.Meta(t.Context(), "none"); err != nil || v != "" {
		t.Errorf("%q, %v", v, err)
	}
}

func TestDocumentIsUpdatedNow(t *testing.T) {
	l := newLibrary(t)
	d := l.see(l.folder("/docs", 0).ID, "/docs/a.txt", 10)
	l.store(d.ID, "x")
	d = l.at(d.Path)
	if age := time.Since(d.Updated); age < -time.Minute || age > time.Minute || !d.ModTime.Equal(day) || d.Chunks != 1 {
		t.Errorf("%+v", d)
	}
}
