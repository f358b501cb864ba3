package index

import (
	"math"
	"reflect"
	"testing"
)

func (l *library) progress(model string) [2]int {
	l.t.Helper()
	done, total, err := l.VectorProgress(l.t.Context(), model)
	l.ok(err)
	return [2]int{done, total}
}

// A second file, a rename, a move and a second collection embed nothing again.
func TestVectorsBelongToContent(t *testing.T) {
	l := newLibrary(t)
	first := l.folder("/docs", l.collection("A", "public").ID)
	d := l.see(first.ID, "/docs/a.txt", 10)
	chunks := l.store(d.ID, "one", "two")
	if n := l.embed("m"); n != 2 {
		t.Fatalf("embedded %d, want 2", n)
	}
	if l.at(d.Path).Vectors != 2 {
		t.Errorf("the document counts %d vectors, want 2", l.at(d.Path).Vectors)
	}

	second := l.folder("/docs/inner", l.collection("B", "public").ID)
	copied := l.see(second.ID, "/docs/inner/copy.txt", 10)
	l.store(copied.ID, "one", "two")
	if n := l.embed("m"); n != 0 {
		t.Errorf("a copy embedded %d again", n)
	}

	// The move: the old path vanishes, the new one is seen.
	_, err := l.Missing(t.Context(), []string{d.Path}, day)
	l.ok(err)
	moved := l.see(second.ID, "/docs/inner/renamed.txt", 10)
	match, found, err := l.MissingByHash(t.Context(), "bytes of [one two]", 10)
	l.ok(err)
	if !found || match.ID != d.ID {
		t.Fatalf("the vanished half was not found: %+v", match)
	}
	l.ok(l.Moved(t.Context(), d.ID, moved.Path))
	now := l.at(moved.Path)
	if now.ID != d.ID || now.Status != "indexed" || now.Missing || now.Folder != second.ID || now.Vectors != 2 {
		t.Errorf("after the move %+v", now)
	}
	if got, err := l.Chunks(t.Context(), []int64{chunks[0].ID}); err != nil || len(got) != 1 || got[0].FileName != "renamed.txt" {
		t.Errorf("the chunk of the moved file: %+v, %v", got, err)
	}
	if n := l.embed("m"); n != 0 {
		t.Errorf("a move embedded %d again", n)
	}

	// The folder joins another collection.
	l.folder("/docs/inner", l.collection("C", "public").ID)
	if n := l.embed("m"); n != 0 || l.vectors() != 2 {
		t.Errorf("a second collection embedded %d again, %d vectors", n, l.vectors())
	}

	// Vectors go with the last file that has their content.
	_, err = l.RemoveFolder(t.Context(), second.ID)
	l.ok(err)
	if l.vectors() != 0 {
		t.Errorf("%d vectors without any chunk", l.vectors())
	}
}

func TestVectorsSurviveANewVersion(t *testing.T) {
	l := newLibrary(t)
	d := l.see(l.folder("/docs", 0).ID, "/docs/a.txt", 10)
	l.store(d.ID, "one", "two", "three")
	l.embed("m")
	l.store(d.ID, "three", "four", "one")
	if n, left := l.embed("m"), l.vectors(); n != 1 || left != 3 {
		t.Errorf("embedded %d, %d vectors; want 1 and 3", n, left)
	}
	if got := l.progress("m"); got != [2]int{3, 3} {
		t.Errorf("progress %v", got)
	}
}

// A new model builds its vectors beside the old ones.
func TestTwoModels(t *testing.T) {
	l := newLibrary(t)
	d := l.see(l.folder("/docs", 0).ID, "/docs/a.txt", 10)
	l.store(d.ID, "one", "two")
	l.embed("old")
	if got := l.progress("new"); got != [2]int{0, 2} {
		t.Errorf("progress of the new model %v", got)
	}
	l.embed("new")
	if l.vectors() != 4 || l.progress("old") != [2]int{2, 2} {
		t.Errorf("%d vectors, old model %v", l.vectors(), l.progress("old"))
	}
	l.ok(l.DropVectors(t.Context(), "old"))
	if l.vectors() != 2 || l.progress("new") != [2]int{2, 2} {
		t.Errorf("%d vectors left, new model %v", l.vectors(), l.progress("new"))
	}
}

func TestVectorOfVanishedContentIsDropped(t *testing.T) {
	l := newLibrary(t)
	l.ok(l.PutVectors(t.Context(), "m", []HashVector{{ContentHash: "nobody", V: []float32{1}}}))
	if l.vectors() != 0 {
		t.Error("a vector without a chunk was kept")
	}
}

func TestMissingVectorsNewestFirst(t *testing.T) {
	l := newLibrary(t)
	f := l.folder("/docs", 0)
	l.store(l.see(f.ID, "/docs/a.txt", 10).ID, "one", "two")
	l.store(l.see(f.ID, "/docs/b.txt", 10).ID, "three")
	missing, err := l.MissingVectors(t.Context(), "m", 2)
	l.ok(err)
	got := []string{missing[0].Text, missing[1].Text}
	if !reflect.DeepEqual(got, []string{"three", "two"}) {
		t.Errorf("got %v", got)
	}
}

func TestEachVector(t *testing.T) {
	l := newLibrary(t)
	d := l.see(l.folder("/docs", 0).ID, "/docs/a.txt", 10)
	chunks := l.store(d.ID, "one", "two", "one")
	l.ok(l.PutVectors(t.Context(), "m", []HashVector{{"h:one", []float32{0.5, -0.25}}, {"h:two", []float32{1, 0}}}))
	got := map[int64][]float32{}
	l.ok(l.EachVector(t.Context(), "m", func(chunk int64, v []float32) error { got[chunk] = v; return nil }))
	want := map[int64][]float32{chunks[0].ID: {0.5, -0.25}, chunks[1].ID: {1, 0}, chunks[2].ID: {0.5, -0.25}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Expected bits from IEEE 754: 1 is 0x3c00, the largest finite is 65504.
func TestHalf(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		in   float32
		bits uint16
		out  float32
	}{
		{0, 0, 0}, {1, 0x3c00, 1}, {-2, 0xc000, -2}, {65504, 0x7bff, 65504}, {65520, 0x7c00, inf}, {inf, 0x7c00, inf},
		{0.333251953125, 0x3555, 0.333251953125}, {1 + 1.0/2048, 0x3c00, 1} /* a tie goes to even */, {1 + 3.0/2048, 0x3c02, 1 + 2.0/1024},
		{1.0 / (1 << 24), 0x0001, 1.0 / (1 << 24)} /* the smallest subnormal */, {1.0 / (1 << 26), 0, 0}, {2047.9, 0x6800, 2048}, /* a carry into the exponent */
	} {
		if got := halfBits(c.in); got != c.bits {
			t.Errorf("halfBits(%v) = %#04x, want %#04x", c.in, got, c.bits)
		}
		if got := halfValue(c.bits); got != c.out {
			t.Errorf("halfValue(%#04x) = %v, want %v", c.bits, got, c.out)
		}
	}
	if got := halfValue(halfBits(float32(math.NaN()))); got == got {
		t.Errorf("NaN became %v", got)
	}
	for h := range 0x7c00 { // every finite value survives
		if got := halfBits(halfValue(uint16(h))); got != uint16(h) {
			t.Fatalf("%#04x became %#04x", h, got)
		}
	}
}
