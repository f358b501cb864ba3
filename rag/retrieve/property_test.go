package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/segment"
	"referent/storage/index"
)

// document is what the oracle knows; a chunk has the number doc·100 + ordinal.
type document struct {
	id       int64
	kind     string
	folder   string
	hidden   bool
	chunks   []index.Chunk
	embedded bool
}

func (d *document) columns() index.DocumentColumns {
	return index.DocumentColumns{ID: d.id, Kind: d.kind, Path: d.folder + "/f.txt", Language: "pl", Label: "public", Searchable: true}
}

// exhaustive scores every chunk from its words and its vector in float64. It
// shares no code with the index.
type exhaustive map[int64]*document

func (e exhaustive) scores(query string, allowed func(*document) bool) (words, near map[int64]float64) {
	var n, total float64
	df := map[string]float64{}
	each := func(fn func(*document, index.Chunk, map[string]float64, float64)) {
		for _, d := range e {
			for _, c := range d.chunks {
				tf, length := map[string]float64{}, 0.0
				for _, w := range strings.Fields(c.Text) {
					tf[w]++
					length++
				}
				fn(d, c, tf, length)
			}
		}
	}
	each(func(_ *document, _ index.Chunk, tf map[string]float64, length float64) {
		n++
		total += length
		for w := range tf {
			df[w]++
		}
	})
	asked := map[string]bool{}
	for _, w := range strings.Fields(query) {
		asked[w] = true
	}
	words, near = map[int64]float64{}, map[int64]float64{}
	each(func(d *document, c index.Chunk, tf map[string]float64, length float64) {
		if d.hidden || !allowed(d) {
			return
		}
		for w := range asked {
			if tf[w] > 0 {
				words[c.ID] += math.Log(1+(n-df[w]+0.5)/(df[w]+0.5)) * tf[w] / (tf[w] + 0.9*(0.6+0.4*length*n/total))
			}
		}
		if d.embedded {
			near[c.ID] = cosine(query, c.Text)
		}
	})
	return words, near
}

// rankOf is the best and worst rank that a score may have, given that floats
// differ a little.
func rankOf(scores map[int64]float64, score float64) (best, worst int) {
	best, worst = 1, 0
	for _, s := range scores {
		if s > score+1e-5 {
			best++
		}
		if s >= score-1e-5 {
			worst++
		}
	}
	return best, worst
}

func randomText(r *rand.Rand) string {
	words := make([]string, 2+r.IntN(25))
	for i := range words {
		n := int(math.Pow(r.Float64(), 2) * 60)
		words[i] = fmt.Sprintf("z%c%c", 'a'+n/10, 'a'+n%10)
	}
	return strings.Join(words, " ")
}

func TestHybrid_RandomHistoriesAgreeWithTheOracle(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 5))
		w, all := newWorld(t), exhaustive{}
		add := func(d *document) {
			d.chunks = nil
			for i := range 1 + r.IntN(12) {
				c := index.Chunk{ID: d.id*100 + int64(i) + 20*int64(r.IntN(2)), Document: d.id, Ordinal: i, Text: randomText(r), Language: "pl"}
				c.ContentHash = fmt.Sprint(c.ID, c.Text)
				delete(w.chunks, c.ID)
				w.chunks[c.ID] = c
				d.chunks = append(d.chunks, c)
			}
			w.index.Remove(d.id) // a chunk's id stands for one content: begin anew
			w.index.Add(d.columns(), d.chunks)
			d.hidden, d.embedded = false, r.IntN(4) > 0
			if d.embedded {
				var v []segment.ChunkVector
				for _, c := range d.chunks {
					v = append(v, segment.ChunkVector{Chunk: c.ID, V: bag(c.Text)})
				}
				if err := w.index.SetVectors("bag", v); err != nil {
					t.Fatal(err)
				}
			}
			all[d.id] = d
		}
		for step := range 120 {
			id := int64(1 + r.IntN(40))
			switch d := all[id]; {
			case d == nil || r.IntN(3) == 0:
				add(&document{id: id, kind: []string{"pdf", "text"}[r.IntN(2)], folder: []string{"/a", "/a/b", "/ab"}[r.IntN(3)]})
			case r.IntN(3) == 0:
				w.index.Remove(id)
				delete(all, id)
			case r.IntN(2) == 0:
				d.hidden = !d.hidden
				if d.hidden {
					w.index.Mask(id)
				} else {
					w.index.Unmask(id)
				}
			}
			if step%10 == 9 {
				agree(t, r, w, all)
			}
		}
	}
}

func agree(t *testing.T, r *rand.Rand, w *world, all exhaustive) {
	t.Helper()
	q := Query{Texts: []string{randomText(r)}, K: 1000, PerDocument: 1000}
	allowed := func(*document) bool { return true }
	switch r.IntN(3) {
	case 0:
		q.Scope.PathUnder = "/a"
		allowed = func(d *document) bool { return d.folder != "/ab" }
	case 1:
		q.Filters = []rag.Filter{filter(t, rag.OwnerUser, "type", "ne", "pdf")}
		allowed = func(d *document) bool { return d.kind == "text" }
	}
	words, near := all.scores(q.Texts[0], allowed)
	for name, scores := range map[string]map[int64]float64{"bm25": words, "dense": near} {
		res := w.search(name, q)
		if len(res.Hits)+len(res.Considered) != min(len(scores), loadDepth) {
			t.Fatalf("%s: %d hits, want %d", name, len(res.Hits)+len(res.Considered), min(len(scores), loadDepth))
		}
	}
	res := w.search("hybrid", q)
	q.K, q.Offset = 3, 1 // repeats are looked for down to the last hit only
	if got, want := chunksOf(w.search("hybrid", q).Hits), chunksOf(res.Hits); !slices.Equal(got, want[min(1, len(want)):min(4, len(want))]) {
		t.Fatalf("a page of three is %v, the whole %v", got, want)
	}
	for i, h := range res.Hits {
		want := 0.0
		for _, leg := range []struct {
			have   *rag.Leg
			scores map[int64]float64
		}{{h.Trace.BM25, words}, {h.Trace.Dense, near}} {
			score, ok := leg.scores[h.Chunk]
			if leg.have == nil {
				if best, _ := rankOf(leg.scores, score); ok && best < legDepth {
					t.Fatalf("chunk %d: a leg missed it at rank %d", h.Chunk, best)
				}
				continue
			}
			if !ok || math.Abs(leg.have.Score-score) > 1e-4*max(1, score) {
				t.Fatalf("chunk %d: a leg gives %v, the oracle %v (found %v)", h.Chunk, leg.have.Score, score, ok)
			}
			if best, worst := rankOf(leg.scores, score); leg.have.Rank < best || leg.have.Rank > worst {
				t.Fatalf("chunk %d: rank %d, the oracle says %d to %d", h.Chunk, leg.have.Rank, best, worst)
			}
			want += 1 / float64(60+leg.have.Rank)
		}
		if math.Abs(h.Score-want) > 1e-12 || i > 0 && h.Score > res.Hits[i-1].Score {
			t.Fatalf("chunk %d: fused %v, want %v, after %v", h.Chunk, h.Score, want, res.Hits[max(i-1, 0)].Score)
		}
	}
}

func TestHybrid_DoesNotDependOnTheOrderOfAdds(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var docs []segment.Addition
	var vectors []segment.ChunkVector
	chunks := map[int64]index.Chunk{}
	for d := range int64(90) {
		a := segment.Addition{Columns: index.DocumentColumns{ID: d + 1, Path: "/a", Language: "pl", Label: "public", Searchable: true}}
		for i := range int64(1 + r.IntN(15)) {
			c := index.Chunk{ID: d*100 + i, Document: d + 1, Ordinal: int(i), Text: randomText(r), Language: "pl"}
			c.ContentHash = fmt.Sprint(c.ID)
			chunks[c.ID] = c
			a.Chunks = append(a.Chunks, c)
			vectors = append(vectors, segment.ChunkVector{Chunk: c.ID, V: bag(c.Text)})
		}
		docs = append(docs, a)
	}
	build := func(order func(w *world)) *world {
		w := newWorld(t)
		w.chunks = chunks
		order(w)
		if err := w.index.SetVectors("bag", vectors); err != nil {
			t.Fatal(err)
		}
		return w
	}
	worlds := []*world{
		build(func(w *world) { w.index.AddAll(docs) }),
		build(func(w *world) {
			for _, d := range docs {
				w.index.Add(d.Columns, d.Chunks)
			}
		}),
		build(func(w *world) {
			mixed := slices.Clone(docs)
			r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			for i := 0; i < len(mixed); i += 7 {
				w.index.AddAll(mixed[i:min(i+7, len(mixed))])
			}
			w.index.AddAll(mixed[:30]) // and some of them again
		}),
	}
	for range 20 {
		q := Query{Texts: []string{randomText(r)}, K: 30}
		want := worlds[0].search("hybrid", q)
		for _, w := range worlds[1:] {
			if got := w.search("hybrid", q); !reflect.DeepEqual(got.Hits, want.Hits) || !reflect.DeepEqual(got.Considered, want.Considered) {
				t.Fatalf("%q: %v, then %v", q.Texts, chunksOf(want.Hits), chunksOf(got.Hits))
			}
		}
	}
}

// Zipf text at the size of a large library, for the figures of the whole path.
func BenchmarkHybrid(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			zipf := rand.NewZipf(r, 1.1, 8, 200_000)
			text := func() string {
				var s strings.Builder
				for range 120 {
					fmt.Fprintf(&s, "w%c%c%c%c ", letters(zipf.Uint64())...)
				}
				return s.String()
			}
			store := chunkMap{}
			x, err := segment.Open(context.Background(), emptySource{}, "bag")
			if err != nil {
				b.Fatal(err)
			}
			const dims = 384
			for d := range int64(n / 2000) {
				var batch []segment.Addition
				var vectors []segment.ChunkVector
				for k := range int64(100) {
					a := segment.Addition{Columns: index.DocumentColumns{ID: d*100 + k + 1, Path: "/a", Language: "en", Label: "public", Searchable: true}}
					for i := range int64(20) {
						c := index.Chunk{ID: a.Columns.ID*20 + i, Document: a.Columns.ID, Ordinal: int(i), Text: text(), Language: "en"}
						store[c.ID] = c
						a.Chunks = append(a.Chunks, c)
						v := make([]float32, dims)
						for j := range v {
							v[j] = float32(r.NormFloat64())
						}
						vectors = append(vectors, segment.ChunkVector{Chunk: c.ID, V: v})
					}
					batch = append(batch, a)
				}
				x.AddAll(batch)
				if err := x.SetVectors("bag", vectors); err != nil {
					b.Fatal(err)
				}
			}
			set := New(Deps{Snapshot: x.Snapshot, Store: store})
			queries := make([]Query, 50)
			for i := range queries {
				v := make([]float32, dims)
				for j := range v {
					v[j] = float32(r.NormFloat64())
				}
				words := strings.Fields(store[20+int64(r.IntN(n))].Text)
				queries[i] = Query{Texts: []string{strings.Join(words[:8], " ")}, Vector: v}
			}
			for _, name := range []string{"bm25", "dense", "hybrid"} {
				b.Run(name, func(b *testing.B) {
					ret, err := set.Lookup(name)
					if err != nil {
						b.Fatal(err)
					}
					i := 0
					for b.Loop() {
						if _, err := ret.Retrieve(context.Background(), queries[i%len(queries)]); err != nil {
							b.Fatal(err)
						}
						i++
					}
				})
			}
			b.Run("add20", func(b *testing.B) {
				var chunks []index.Chunk
				for i := range int64(20) {
					chunks = append(chunks, index.Chunk{ID: 1<<40 + i, Document: 1 << 40, Text: text(), Language: "en"})
				}
				for b.Loop() {
					x.Add(index.DocumentColumns{ID: 1 << 40, Path: "/b", Language: "en", Label: "public", Searchable: true}, chunks)
				}
			})
		})
	}
}

func letters(n uint64) []any {
	return []any{'a' + rune(n/17576%26), 'a' + rune(n/676%26), 'a' + rune(n/26%26), 'a' + rune(n%26)}
}

type chunkMap map[int64]index.Chunk

func (m chunkMap) Chunks(_ context.Context, ids []int64) ([]index.Chunk, error) {
	out := make([]index.Chunk, 0, len(ids))
	for _, id := range ids {
		out = append(out, m[id])
	}
	slices.SortFunc(out, func(a, b index.Chunk) int { return cmp.Compare(a.ID, b.ID) })
	return out, nil
}
