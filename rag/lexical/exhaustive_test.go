package lexical

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"referent/rag/segment/bitmap"
)

// exhaustive scores every posting of every word, one after the other, without
// bounds, windows or a heap.
func (x *Index) exhaustive(q Query, allow *bitmap.Bitmap, k int) []Hit {
	scored, _ := x.plan(q)
	sums := map[int64]uint64{}
	for i, b := range x.blocks {
		for _, w := range scored {
			group := map[int]uint32{}
			for _, v := range w.Variants {
				e, ok := b.find(v)
				if !ok {
					continue
				}
				var c cursor
				c.open(e.list, e.df)
				for n := range c.blocks {
					c.load(n)
					for p, ord := range c.ords[:c.n] {
						fraction := x.norm.exact(int(c.count(p)), int(b.length(int(ord))))
						group[int(ord)] = max(group[int(ord)], contribution(float32(w.idf*unit), fraction))
					}
				}
			}
			for ord, add := range group {
				if allow.Has(x.base[i]+ord) && b.live.Has(ord) {
					sums[b.chunks[ord]] += uint64(add)
				}
			}
		}
	}
	var hits []Hit
	for chunk, sum := range sums {
		hits = append(hits, Hit{chunk, float64(sum) / unit})
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk)) })
	return hits[:min(k, len(hits))]
}

// Blocks of several windows, common and rare words, variants that compete,
// hidden chunks, filters and averages that moved since a block was sealed:
// pruning changes no hit and no bit of a score.
func TestSearch_PrunedEqualsExhaustive(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 21))
		var blocks []*Block
		id := int64(0)
		for n := range 3 {
			entries := make([]Entry, []int{9_000, 3_000, 40}[n])
			length := 4 + 12*n // the shared average lies above that of the first block and below that of the last
			for i := range entries {
				id++
				words := make([]string, 1+r.IntN(length))
				for k := range words {
					words[k] = word(int(r.ExpFloat64()*40) % 600)
				}
				entries[i] = Entry{Chunk: id, Language: unstemmed, Text: strings.Join(words, " ")}
			}
			b := Build(entries)
			if n == 1 {
				live := bitmap.New(b.Len())
				for i := range b.Len() {
					if r.IntN(4) > 0 {
						live.Set(i)
					}
				}
				b = b.Only(live)
			}
			if err := b.Check(); err != nil {
				t.Fatal(err)
			}
			blocks = append(blocks, b)
		}
		x := NewIndex(blocks)
		for n := range 120 {
			var q Query
			for range 1 + r.IntN(10) {
				g := NewQuery(word(int(r.ExpFloat64()*60)%600), []string{unstemmed}).Groups[0]
				if r.IntN(4) == 0 {
					g.Variants = append(g.Variants, word(r.IntN(80)))
				}
				q.Groups = append(q.Groups, g)
			}
			var allow *bitmap.Bitmap
			if share := r.IntN(4); share > 0 {
				allow = bitmap.New(x.Chunks())
				for i := range x.Chunks() {
					if i/50%(2*share*share) == 0 {
						allow.Set(i)
					}
				}
			}
			k := []int{1, 10, 100, 20_000}[n%4]
			got, err := x.Search(context.Background(), q, allow, k)
			if err != nil {
				t.Fatal(err)
			}
			if want := x.exhaustive(q, allow, k); !slices.Equal(got, want) {
				t.Fatalf("seed %d, query %d, k %d: pruned and exhaustive differ: %d and %d hits%s", seed, n, k, len(got), len(want), firstDifference(got, want))
			}
		}
	}
}

func firstDifference(a, b []Hit) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("; hit %d is %v and %v", i, a[i], b[i])
		}
	}
	return ""
}

// Explain takes apart exactly what Search added up.
func TestExplain_AddsUpToTheScoreOfTheSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 22))
	entries := make([]Entry, 2_000)
	for i := range entries {
		entries[i] = Entry{Chunk: int64(i + 1), Language: unstemmed, Text: randomText(r), Title: word(r.IntN(50))}
	}
	x := NewIndex([]*Block{Build(entries[:700]), Build(entries[700:])})
	for range 20 {
		q := NewQuery(randomText(r), []string{unstemmed})
		hits, err := x.Search(context.Background(), q, nil, 30)
		if err != nil || len(hits) == 0 {
			t.Fatal(hits, err)
		}
		ids := make([]int64, len(hits))
		for i, h := range hits {
			ids[i] = h.Chunk
		}
		for i, e := range x.Explain(q, ids...) {
			if e.Score != hits[i].Score {
				t.Fatalf("chunk %d scores %v, explained as %v", ids[i], hits[i].Score, e.Score)
			}
		}
	}
}
