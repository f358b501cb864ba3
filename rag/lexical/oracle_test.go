package lexical

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"referent/rag/segment/bitmap"
)

// unstemmed is a language without a stemmer, so that the words of the oracle
// are the terms of the index.
const unstemmed = "pl"

// corpus is the oracle: BM25 in float64 from the words themselves. It shares
// no code with the index.
type corpus struct {
	texts map[int64][]string
}

func (c corpus) search(query string, allowed func(int64) bool, k int) []Hit {
	n, total := float64(len(c.texts)), 0
	df := map[string]float64{}
	for _, words := range c.texts {
		total += len(words)
		seen := map[string]bool{}
		for _, w := range words {
			if !seen[w] {
				seen[w] = true
				df[w]++
			}
		}
	}
	asked := map[string]bool{}
	for _, w := range strings.Fields(query) {
		asked[w] = true
	}
	var hits []Hit
	for id, words := range c.texts {
		if !allowed(id) {
			continue
		}
		score := 0.0
		for w := range asked {
			tf := 0.0
			for _, have := range words {
				if have == w {
					tf++
				}
			}
			if tf > 0 {
				idf := math.Log(1 + (n-df[w]+0.5)/(df[w]+0.5))
				score += idf * tf / (tf + 0.9*(1-0.4+0.4*float64(len(words))*n/float64(total)))
			}
		}
		if score > 0 {
			hits = append(hits, Hit{id, score})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Chunk, b.Chunk)) })
	return hits[:min(k, len(hits))]
}

func randomText(r *rand.Rand) string {
	words := make([]string, 3+r.IntN(60))
	for i := range words {
		words[i] = word(int(math.Pow(r.Float64(), 3) * 400)) // some words are common
	}
	return strings.Join(words, " ")
}

func word(i int) string { return fmt.Sprintf("w%c%c%c", 'a'+i/100, 'a'+i/10%10, 'a'+i%10) }

// same compares lists by score, and by chunk where the score decides.
func same(t *testing.T, what string, got, want []Hit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d hits, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Abs(got[i].Score-want[i].Score) > 1e-4*math.Max(1, want[i].Score) {
			t.Fatalf("%s: hit %d scores %v, want %v", what, i, got[i], want[i])
		}
		clear := (i == 0 || want[i-1].Score-want[i].Score > 1e-3) && (i+1 == len(want) || want[i].Score-want[i+1].Score > 1e-3)
		if clear && got[i].Chunk != want[i].Chunk {
			t.Fatalf("%s: hit %d is chunk %d, want %d", what, i, got[i].Chunk, want[i].Chunk)
		}
	}
}

// Random corpora in random blocks, with removals, merges and filters, against
// the oracle.
func TestSearch_EqualsTheOracle(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 7))
		c := corpus{texts: map[int64][]string{}}
		var blocks []*Block
		id := int64(0)
		for range 1 + r.IntN(6) {
			var entries []Entry
			for range 1 + r.IntN(60) {
				id += 1 + int64(r.IntN(3))
				text := randomText(r)
				c.texts[id] = strings.Fields(text)
				entries = append(entries, Entry{Chunk: id, Language: unstemmed, Text: text})
			}
			r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
			blocks = append(blocks, Build(entries))
		}
		dropped := map[int64]bool{}
		for chunk := range c.texts {
			if r.IntN(5) == 0 {
				dropped[chunk] = true
				delete(c.texts, chunk)
			}
		}
		drop := func(chunk int64) bool { return dropped[chunk] }
		r.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		half := len(blocks) / 2
		layout := []*Block{Merge(blocks[:half], drop)}
		for _, b := range blocks[half:] {
			layout = append(layout, Merge([]*Block{b}, drop))
		}
		x, one := NewIndex(layout), NewIndex([]*Block{Merge(blocks, drop)})
		if x.Chunks() != len(c.texts) || one.Chunks() != len(c.texts) {
			t.Fatalf("%d and %d chunks, want %d", x.Chunks(), one.Chunks(), len(c.texts))
		}
		for range 30 {
			query := strings.Join(strings.Fields(randomText(r))[:1+r.IntN(3)], " ")
			q := NewQuery(query, []string{unstemmed})
			var allow *bitmap.Bitmap
			allowed := func(int64) bool { return true }
			if r.IntN(2) == 0 {
				allow = bitmap.New(x.Chunks())
				allowed = func(id int64) bool { return id%3 != 0 }
				base := 0
				for _, b := range layout {
					for ord, id := range b.Chunks() {
						if allowed(id) {
							allow.Set(base + ord)
						}
					}
					base += b.Len()
				}
			}
			k := 1 + r.IntN(20)
			got, err := x.Search(context.Background(), q, allow, k)
			if err != nil {
				t.Fatal(err)
			}
			same(t, fmt.Sprintf("seed %d, %q", seed, query), got, c.search(query, allowed, k))
			if allow == nil {
				other, err := one.Search(context.Background(), q, nil, k)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got, other) { // to the last bit, whatever the layout
					t.Fatalf("seed %d, %q: another layout gives %v, not %v", seed, query, other, got)
				}
			}
		}
	}
}
