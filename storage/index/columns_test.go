package index

import (
	"reflect"
	"slices"
	"testing"
)

// All documents at once and one alone tell the same, also of a file that two
// folders hold whose collections overlap.
func TestColumns_AllAtOnceAndOneAloneAgree(t *testing.T) {
	l := newLibrary(t)
	a, b := l.collection("a", "public"), l.collection("b", "public")
	outer, inner, bare := l.folder("/docs", b.ID), l.folder("/docs/in", a.ID), l.folder("/else", 0)
	l.folder("/docs/in", b.ID) // in both collections
	l.see(outer.ID, "/docs/1.txt", 1)
	l.see(inner.ID, "/docs/in/2.txt", 2)
	l.see(outer.ID, "/docs/in/2.txt", 2)
	l.see(bare.ID, "/else/3.txt", 3)
	want := map[string][]int64{"/docs/1.txt": {b.ID}, "/docs/in/2.txt": {a.ID, b.ID}, "/else/3.txt": nil}
	seen := 0
	l.ok(l.EachDocumentColumns(t.Context(), func(c DocumentColumns) error {
		seen++
		if !slices.Equal(c.Collections, want[c.Path]) {
			t.Errorf("%s is in %v, want %v", c.Path, c.Collections, want[c.Path])
		}
		alone, ok, err := l.Columns(t.Context(), c.ID)
		l.ok(err)
		if !ok || !reflect.DeepEqual(c, alone) {
			t.Errorf("%+v among all, %+v alone", c, alone)
		}
		if c.Path == "/docs/in/2.txt" && c.Folder != outer.ID {
			t.Errorf("it lies in folder %d, want the first one", c.Folder)
		}
		return nil
	}))
	if seen != 3 {
		t.Errorf("%d documents", seen)
	}
}
