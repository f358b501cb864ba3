package lexical

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Zipf text of 120 words a chunk; questions take words of a random chunk, all
// of them (raw) or only rare ones (content).
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		r := rand.New(rand.NewPCG(1, 1))
		zipf := rand.NewZipf(r, 1.1, 8, 200_000)
		var blocks []*Block
		var raw, content []Query
		for first := 0; first < n; first += 10_000 {
			entries := make([]Entry, 10_000)
			for i := range entries {
				var text strings.Builder
				var common, rare []string
				for range 120 {
					k := int(zipf.Uint64())
					w := fmt.Sprintf("w%c%c%c%c", 'a'+k/17576%26, 'a'+k/676%26, 'a'+k/26%26, 'a'+k%26)
					common = append(common, w)
					if k > 150 {
						rare = append(rare, w)
					}
					text.WriteString(w + " ")
				}
				entries[i] = Entry{Chunk: int64(first + i), Language: unstemmed, Text: text.String()}
				if i%2000 == 0 && len(rare) >= 8 {
					raw = append(raw, NewQuery(strings.Join(common[:8], " "), []string{unstemmed}))
					content = append(content, NewQuery(strings.Join(rare[:8], " "), []string{unstemmed}))
				}
			}
			blocks = append(blocks, Build(entries))
		}
		x := NewIndex(blocks)
		for name, queries := range map[string][]Query{"raw8": raw, "content8": content} {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				i := 0
				for b.Loop() {
					if _, err := x.Search(context.Background(), queries[i%len(queries)], nil, 100); err != nil {
						b.Fatal(err)
					}
					i++
				}
			})
		}
	}
}
