package desktop

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPlace_OfTheWindowIsKept(t *testing.T) {
	dir := t.TempDir()
	first := place{Width: standardWidth, Height: standardHeight}
	if got := readPlace(dir); got != first {
		t.Errorf("a first start: %+v", got)
	}
	want := place{Width: 1000, Height: 700, X: 30, Y: 40, Maximised: true}
	if err := want.write(dir); err != nil {
		t.Fatal(err)
	}
	want.kept = true
	if got := readPlace(dir); got != want {
		t.Errorf("kept: %+v", got)
	}
	for _, odd := range []string{"", "no place", `{"width":10,"height":10}`, `{"width":"wide"}`, `[]`} {
		if err := os.WriteFile(filepath.Join(dir, placeFile), []byte(odd), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := readPlace(dir); got != first {
			t.Errorf("%q: %+v", odd, got)
		}
	}
}

func TestPlace_OnAScreenThatIsGoneIsNotUsed(t *testing.T) {
	for _, test := range []struct {
		name string
		at   place
		want bool
	}{
		{"in the middle", place{Width: 900, Height: 600, X: 500, Y: 200}, true},
		{"on a second screen that is gone", place{Width: 900, Height: 600, X: 2000, Y: 100}, false},
		{"left of everything", place{Width: 900, Height: 600, X: -850, Y: 100}, false},
		{"partly left", place{Width: 900, Height: 600, X: -300, Y: 100}, true},
		{"with its title bar above", place{Width: 900, Height: 600, X: 100, Y: -30}, false},
		{"below", place{Width: 900, Height: 600, X: 100, Y: 1000}, false},
	} {
		if got := test.at.reachable(size{1920, 1080}); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
