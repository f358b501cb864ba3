package worker

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"referent/inference/process"
)

func TestVectorBody(t *testing.T) {
	b, err := vectorBody([][]float32{{1, 0}, {0, 1}, {-1, 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []byte{3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0x80, 0x3f}; !bytes.Equal(b[:12], want) {
		t.Errorf("begins with % x, want % x", b[:12], want)
	}
	got, err := parseVectors(b)
	if err != nil || len(got) != 3 || !slices.Equal(got[2], []float32{-1, 0.5}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := vectorBody([][]float32{{1}, {1, 2}}); err == nil {
		t.Error("vectors of different lengths were accepted")
	}
	if got, err := parseVectors([]byte{0, 0, 0, 0, 0, 0, 0, 0}); err != nil || len(got) != 0 {
		t.Errorf("no vectors: %v, %v", got, err)
	}
}

func FuzzParseVectors(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x80, 0x3f})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := parseVectors(body)
		if err != nil {
			if !errors.Is(err, process.ErrGarbage) {
				t.Fatalf("got %v", err)
			}
			return
		}
		again, err := vectorBody(v)
		if err != nil || len(v) > 0 && !bytes.Equal(again, body) {
			t.Fatalf("% x came back as % x, %v", body, again, err)
		}
	})
}

func TestCut(t *testing.T) {
	many := make([]string, sliceTexts*2+1)
	large := strings.Repeat("x", sliceBytes-1)
	for _, c := range []struct {
		name  string
		texts []string
		want  []int
	}{
		{"none", nil, nil},
		{"one", []string{"a"}, []int{1}},
		{"many", many, []int{sliceTexts, sliceTexts, 1}},
		{"large ones alone", []string{large, "ab", "c", large, large}, []int{1, 2, 1, 1}},
	} {
		var got []int
		for _, part := range cut(c.texts) {
			got = append(got, len(part))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
