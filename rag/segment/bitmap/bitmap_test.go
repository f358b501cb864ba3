package bitmap

import (
	"slices"
	"testing"
)

func TestBitmap_HoldsWhatWasSet(t *testing.T) {
	b := New(130)
	for _, i := range []int{0, 63, 64, 129} {
		b.Set(i)
	}
	var got []int
	b.Each(func(i int) { got = append(got, i) })
	if want := []int{0, 63, 64, 129}; !slices.Equal(got, want) {
		t.Fatalf("Each gave %v, want %v", got, want)
	}
	if b.Count() != 4 || b.Len() != 130 {
		t.Fatalf("Count %d Len %d, want 4 and 130", b.Count(), b.Len())
	}
	if b.Has(1) || b.Has(200) || !b.Has(129) {
		t.Fatal("Has disagrees with what was set")
	}
}

func TestBitmap_AnyLooksOnlyInsideTheRange(t *testing.T) {
	b := New(300)
	b.Set(70)
	b.Set(299)
	for _, c := range []struct {
		from, to int
		want     bool
	}{{0, 70, false}, {0, 71, true}, {70, 71, true}, {71, 299, false}, {71, 300, true}, {71, 900, true}, {5, 5, false}} {
		if got := b.Any(c.from, c.to); got != c.want {
			t.Errorf("Any(%d, %d) = %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

func TestBitmap_NilHoldsEverything(t *testing.T) {
	var b *Bitmap
	if !b.Has(7) || !b.Any(0, 1) || b.Any(3, 3) {
		t.Fatal("a nil set must hold every ordinal")
	}
}

func TestBitmap_Ranges(t *testing.T) {
	for _, r := range [][2]int{{0, 0}, {0, 1}, {5, 70}, {64, 128}, {63, 193}, {0, 200}} {
		b := New(200)
		b.SetRange(r[0], r[1])
		for i := range 200 {
			if want := i >= r[0] && i < r[1]; b.Has(i) != want {
				t.Fatalf("range %v: %d is %v", r, i, b.Has(i))
			}
		}
		c := b.Clone()
		for i := range 200 {
			c.Clear(i)
		}
		if c.Count() != 0 || b.Count() != r[1]-r[0] {
			t.Fatalf("range %v: %d in the cleared copy, %d in the set", r, c.Count(), b.Count())
		}
	}
	var none *Bitmap
	if none.Clone() != nil {
		t.Fatal("a copy of nil must be nil")
	}
}
