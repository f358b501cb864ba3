package vector

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
)

// disk stands for a mapped file.
type disk struct {
	copied, forgotten int
	fail              error
}

func (d *disk) Copy(to, part []byte) error { d.copied++; copy(to, part); return d.fail }
func (d *disk) Forget()                    { d.forgotten++ }

// Rows that are read from their file instead of its pages say the same; what
// cannot be read is an error of the search.
func TestSearch_ReadsSingleRowsFromTheirFile(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	const d = 48
	plain := parsed(t, filled(t, r, 6_000, d))
	file := &disk{}
	b, err := Parse(plain.data, plain.chunks, file)
	if err != nil {
		t.Fatal(err)
	}
	mapped, read := NewIndex([]*Block{b}), NewIndex([]*Block{b})
	read.copies = 1
	tops := topics(r, 6, d)
	for _, depth := range []int{0, 900} {
		for range 5 {
			q := topical(r, tops, d)
			want, err1 := mapped.WithSketch(depth).Search(context.Background(), q, nil, 20)
			before := file.copied
			got, err2 := read.WithSketch(depth).Search(context.Background(), q, nil, 20)
			if err1 != nil || err2 != nil || !reflect.DeepEqual(got, want) || len(got) != 20 {
				t.Fatalf("depth %d: %v, %v; %v, %v", depth, got, err2, want, err1)
			}
			if n := file.copied - before; n < depth+leastRescored {
				t.Errorf("depth %d: %d rows were read from the file", depth, n)
			}
			v, ok1 := read.Vector(got[0].Chunk)
			w, ok2 := mapped.Vector(got[0].Chunk)
			if !ok1 || !ok2 || !reflect.DeepEqual(v, w) {
				t.Error("a vector differs")
			}
		}
	}
	if read.Forget(); file.forgotten != 1 {
		t.Errorf("%d times forgotten", file.forgotten)
	}
	file.fail = errors.New("gone")
	for _, depth := range []int{0, 900} {
		if _, err := read.WithSketch(depth).Search(context.Background(), topical(r, tops, d), nil, 5); !errors.Is(err, file.fail) {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
	if _, ok := read.Vector(plain.chunks[0]); ok {
		t.Error("a vector that cannot be read was given")
	}
}
