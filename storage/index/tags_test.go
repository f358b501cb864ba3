package index

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

func TestTags_AreKeptWithTheDocument(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	a, b := l.see(f.ID, "/docs/a.txt", 1), l.see(f.ID, "/docs/in/b.txt", 2)
	l.store(a.ID, "pump")
	change := func(got []int64, err error) []int64 {
		t.Helper()
		l.ok(err)
		return got
	}
	if got := change(l.AddTags(t.Context(), []int64{a.ID, b.ID}, []string{"tax", "2024"})); !slices.Equal(got, []int64{a.ID, b.ID}) {
		t.Errorf("changed: %v", got)
	}
	if got := change(l.AddTags(t.Context(), []int64{a.ID, b.ID}, []string{"tax"})); len(got) != 0 {
		t.Errorf("a tag that was there changed %v", got)
	}
	if got := change(l.RemoveTags(t.Context(), []int64{a.ID, b.ID}, []string{"2024", "never"})); !slices.Equal(got, []int64{a.ID, b.ID}) {
		t.Errorf("changed: %v", got)
	}
	change(l.AddTags(t.Context(), []int64{b.ID}, []string{"garden"}))
	expect := func(under string, want ...Tag) {
		t.Helper()
		got, err := l.Tags(t.Context(), under)
		l.ok(err)
		if !slices.Equal(got, want) {
			t.Errorf("below %q: %v, want %v", under, got, want)
		}
	}
	expect("", Tag{"garden", 1}, Tag{"tax", 2})
	expect("/docs/in", Tag{"garden", 1}, Tag{"tax", 1})
	l.store(a.ID, "another text")
	l.reopen()
	expect("/docs/a.txt", Tag{"tax", 1})
	_, err := l.SetDocumentLabel(t.Context(), a.ID, "restricted")
	l.ok(err)
	expect("/docs/a.txt")
	expect("", Tag{"garden", 1}, Tag{"tax", 1})
	_, err = l.Missing(t.Context(), []string{"/docs/in/b.txt"}, day)
	l.ok(err)
	_, err = l.PurgeMissing(t.Context(), day.AddDate(0, 0, 1))
	l.ok(err)
	var left int
	l.ok(l.db.Read.QueryRow("SELECT count(*) FROM tags WHERE document = ?", b.ID).Scan(&left))
	if left != 0 {
		t.Errorf("%d tags outlived their document", left)
	}
}

// Setting tags leaves exactly those, tells whether anything changed, and leaves
// other documents alone.
func TestTags_AreSetExactly(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	a, b := l.see(f.ID, "/docs/a.txt", 1), l.see(f.ID, "/docs/b.txt", 2)
	_, err := l.AddTags(t.Context(), []int64{a.ID, b.ID}, []string{"old", "tax"})
	l.ok(err)
	for _, step := range []struct {
		tags    []string
		changed bool
	}{{[]string{"tax", "new", "new"}, true}, {[]string{"new", "tax"}, false}, {nil, true}, {nil, false}, {[]string{"x"}, true}} {
		changed, err := l.SetTags(t.Context(), a.ID, step.tags)
		l.ok(err)
		got, err := l.DocumentTags(t.Context(), []int64{a.ID, b.ID})
		l.ok(err)
		want := slices.Compact(slices.Sorted(slices.Values(step.tags)))
		if changed != step.changed || !slices.Equal(got[a.ID], want) || !slices.Equal(got[b.ID], []string{"old", "tax"}) {
			t.Errorf("set to %v: %v, changed %t", step.tags, got, changed)
		}
	}
}

func TestNormalTag(t *testing.T) {
	for in, want := range map[string]string{"Tax": "tax", "  Two\t words ": "two words", "Cafe\u0301": "caf\u00e9", "ÄRGER": "ärger", " ": ""} {
		if got := NormalTag(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// What is read packed equals what is read row by row, also of names that no
// person would give, and of more documents than one row packs.
func TestColumns_PackedRowsSayTheSame(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", l.collection("c", "public").ID)
	paths := []string{"/docs/\x00nul\x00.txt", "/docs/new\nline", "/docs/broken\xff\xfe", "/docs/日本語.md", "/docs/'quote\"", "/docs/a b"}
	for i := range packedRows {
		paths = append(paths, fmt.Sprintf("/docs/%d.txt", i))
	}
	var seen []FileSeen
	for _, p := range paths {
		seen = append(seen, FileSeen{Folder: f.ID, Path: p, Size: 1, ModTime: day})
	}
	_, err := l.Found(t.Context(), seen)
	l.ok(err)
	odd := l.at(paths[0])
	l.store(odd.ID, "pump", "valve")
	_, err = l.AddTags(t.Context(), []int64{odd.ID}, []string{"x", "a tag"})
	l.ok(err)
	_, err = l.SetDocumentLabel(t.Context(), l.at(paths[1]).ID, "restricted")
	l.ok(err)
	_, err = l.Missing(t.Context(), []string{paths[2]}, day)
	l.ok(err)
	var all []DocumentColumns
	l.ok(l.EachDocumentColumns(t.Context(), func(c DocumentColumns) error { all = append(all, c); return nil }))
	if len(all) != len(paths) {
		t.Fatalf("%d documents, want %d", len(all), len(paths))
	}
	for i, c := range all {
		if i > 0 && c.ID <= all[i-1].ID {
			t.Fatalf("document %d comes after %d", c.ID, all[i-1].ID)
		}
		if i > 20 && i < packedRows-20 {
			continue
		}
		alone, ok, err := l.Columns(t.Context(), c.ID)
		l.ok(err)
		if !ok || !reflect.DeepEqual(c, alone) {
			t.Errorf("%+v among all, %+v alone", c, alone)
		}
	}
	if c := all[0]; c.Path != paths[0] || !c.Searchable || c.Chunks != 2 || !slices.Equal(c.Tags, []string{"a tag", "x"}) {
		t.Errorf("%+v", c)
	}
}
