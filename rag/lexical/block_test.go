package lexical

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A block in its encoded form says what went in: every posting of every term.
func TestBlock_HoldsEveryPosting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 31))
	const n = 70_000
	chunks, lengths := make([]int64, n), make([]uint16, n)
	for i := range chunks {
		chunks[i], lengths[i] = int64(3*i+5), uint16(r.IntN(2000))
	}
	type posting struct {
		ord   uint32
		count uint8
	}
	want := map[string][]posting{}
	e := newEncoder(chunks, lengths)
	for i, size := range []int{1, 2, 127, 128, 129, 256, 257, 5000, n, 1, 1, 1, 1, 1, 1, 1, 1, 1, 40} {
		term := fmt.Sprintf("term%02d", i)
		var ords []uint32
		var counts []uint8
		for _, ord := range r.Perm(n)[:size] {
			ords = append(ords, uint32(ord))
		}
		slices.Sort(ords)
		for _, ord := range ords {
			count := uint8(1)
			if i%2 == 1 {
				count = uint8(1 + r.IntN(255))
			}
			counts = append(counts, count)
			want[term] = append(want[term], posting{ord, count})
		}
		e.add([]byte(term), ords, counts)
	}
	b := e.finish()
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	for term, postings := range want {
		entry, ok := b.find(term)
		if !ok || entry.df != len(postings) {
			t.Fatalf("%s: %v, in %d chunks, want %d", term, ok, entry.df, len(postings))
		}
		var c cursor
		c.open(entry.list, entry.df)
		var got []posting
		for k := range c.blocks {
			c.load(k)
			for p, ord := range c.ords[:c.n] {
				got = append(got, posting{ord, c.count(p)})
			}
		}
		if !slices.Equal(got, postings) {
			t.Fatalf("%s: other postings came out", term)
		}
		c.open(entry.list, entry.df)
		for ord := 0; ord < n; ord += 1 + r.IntN(300) {
			i, has := slices.BinarySearchFunc(postings, uint32(ord), func(p posting, o uint32) int { return int(p.ord) - int(o) })
			count := uint8(0)
			if has {
				count = postings[i].count
			}
			if found := c.find(uint32(ord)); found != count {
				t.Fatalf("%s in %d: %d times, want %d", term, ord, found, count)
			}
		}
	}
	for _, absent := range []string{"", "a", "term", "term020", "zz"} {
		if _, ok := b.find(absent); ok {
			t.Errorf("%q was found", absent)
		}
	}
}

// Whatever the bytes, a block that passes Check can be searched and merged.
func FuzzBlock(f *testing.F) {
	f.Add(Build(nil).Encoded())
	f.Add(Build([]Entry{{Chunk: 1, Language: "en", Text: "the pump and the valve"}, {Chunk: 9, Language: "en", Text: "a pump"}}).Encoded())
	r := rand.New(rand.NewPCG(2, 32))
	var entries []Entry
	for i := range 300 {
		entries = append(entries, Entry{Chunk: int64(i), Language: unstemmed, Text: randomText(r)})
	}
	f.Add(Build(entries).Encoded())
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Parse(data, nil)
		if err != nil || b.Check() != nil {
			return
		}
		if b.Terms() > 0 {
			for w := b.walk(0); w.step(); {
				if e, ok := b.find(string(w.term)); !ok || e.df != w.entry.df {
					t.Fatalf("%q is in the dictionary and cannot be found", w.term)
				}
			}
		}
		if _, err := NewIndex([]*Block{b}).Search(context.Background(), NewQuery("the pump waaa", []string{"en"}), nil, 10); err != nil {
			t.Fatal(err)
		}
		if m := Merge([]*Block{b}, nil); m.Len() != b.Len() || m.Terms() != b.Terms() {
			t.Fatalf("%d chunks and %d terms became %d and %d", b.Len(), b.Terms(), m.Len(), m.Terms())
		}
	})
}
