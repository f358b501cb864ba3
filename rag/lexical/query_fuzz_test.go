package lexical

import (
	"context"
	"testing"
)

// Whatever is typed, a search ends with hits that hold one of its words.
func FuzzQuery(f *testing.F) {
	x := index(
		Entry{Chunk: 1, Language: "en", Text: "The pump ERR_NGX_502 costs 1,234.56 on March 1, 2024"},
		Entry{Chunk: 2, Language: "zh", Text: "水泵的保修期是两年"},
		Entry{Chunk: 3, Language: "it", Text: "L'assemblea dell'edificio"},
	)
	for _, s := range []string{"pump", "水泵", `"the pump" -valve`, "dell'edificio \x00\xff", "1.234,56 2024-03-01", "\xe6\xb0水泴00\xb5", "9\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := NewQuery(text, []string{"en", "it", "zh"})
		hits, err := x.Search(context.Background(), q, nil, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			if e := x.Explain(q, h.Chunk)[0]; e.Score != h.Score || h.Score <= 0 {
				t.Fatalf("%q: chunk %d scores %v, explained as %v", text, h.Chunk, h.Score, e.Score)
			}
		}
	})
}
