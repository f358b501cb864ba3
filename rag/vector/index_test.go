package vector

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"referent/rag/segment/bitmap"
)

// halfError is what rounding the stored vectors to half precision can change of
// a cosine: 2^-11 of unit length.
const halfError = 1.0 / 2048

// oracle ranks by float64 cosines; it shares no code with the index.
func oracle(vectors map[int64][]float32, query []float32, allowed func(int64) bool, k int) []Hit {
	norm := func(v []float32) float64 {
		s := 0.0
		for _, x := range v {
			s += float64(x) * float64(x)
		}
		return math.Sqrt(s)
	}
	var hits []Hit
	for id, v := range vectors {
		if !allowed(id) {
			continue
		}
		s := 0.0
		for j := range v {
			s += float64(v[j]) * float64(query[j])
		}
		hits = append(hits, Hit{id, s / norm(v) / norm(query)})
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Chunk, b.Chunk)) })
	return hits[:min(k, len(hits))]
}

// topical draws vectors around a few directions, as texts are.
func topical(r *rand.Rand, topics [][]float32, d int) []float32 {
	v := make([]float32, d)
	for j := range v {
		v[j] = float32(r.NormFloat64()) + 1.5*topics[r.IntN(len(topics))][j]
	}
	return v
}

func topics(r *rand.Rand, n, d int) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, d)
		for j := range out[i] {
			out[i][j] = float32(r.NormFloat64())
		}
	}
	return out
}

func TestSearch_EqualsTheOracle(t *testing.T) {
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 11))
		d := []int{5, 32, 384}[r.IntN(3)]
		tops := topics(r, 6, d)
		vectors := map[int64][]float32{}
		var blocks []*Block
		id := int64(0)
		for range 1 + r.IntN(4) {
			chunks := make([]int64, 1+r.IntN(600))
			var rows []Row
			for i := range chunks {
				id += 1 + int64(r.IntN(2))
				chunks[i] = id
				if r.IntN(6) > 0 { // some chunks have no vector yet
					v := topical(r, tops, d)
					vectors[id] = v
					rows = append(rows, Row{id, v})
				}
			}
			b := NewBlock(chunks, d)
			for len(rows) > 0 { // in several steps, as vectors come in
				n := 1 + r.IntN(len(rows))
				var refused int
				if b, refused = b.With(rows[:n]); refused > 0 {
					t.Fatalf("%d good rows were refused", refused)
				}
				rows = rows[n:]
			}
			blocks = append(blocks, b)
		}
		x := NewIndex(blocks)
		if x.Count() != len(vectors) {
			t.Fatalf("%d vectors, want %d", x.Count(), len(vectors))
		}
		for range 10 {
			query := topical(r, tops, d)
			var allow *bitmap.Bitmap
			allowed := func(int64) bool { return true }
			if r.IntN(2) == 0 {
				allow = bitmap.New(x.base[len(blocks)])
				allowed = func(id int64) bool { return id%5 == 0 }
				for i, b := range blocks {
					for ord, id := range b.chunks {
						if allowed(id) {
							allow.Set(x.base[i] + ord)
						}
					}
				}
			}
			got, err := x.Search(context.Background(), query, allow, 25)
			if err != nil {
				t.Fatal(err)
			}
			want := oracle(vectors, query, allowed, 25)
			if len(got) != len(want) {
				t.Fatalf("%d hits, want %d", len(got), len(want))
			}
			for i := range got {
				if math.Abs(got[i].Cosine-want[i].Cosine) > halfError {
					t.Fatalf("seed %d: hit %d is %v, want %v", seed, i, got[i], want[i])
				}
			}
		}
	}
}

// Beyond the rescored head the codes decide who is judged: the best ten must
// still be the true ones, and the best hundred all but exactly.
func TestSearch_TheScanLosesNothingThatMatters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 12))
	const n, d = 12_000, 96
	tops := topics(r, 40, d)
	chunks, vectors := make([]int64, n), map[int64][]float32{}
	rows := make([]Row, n)
	for i := range chunks {
		chunks[i] = int64(i + 1)
		vectors[chunks[i]] = topical(r, tops, d)
		rows[i] = Row{chunks[i], vectors[chunks[i]]}
	}
	b, _ := NewBlock(chunks, d).With(rows)
	x := NewIndex([]*Block{b})
	for range 20 {
		query := topical(r, tops, d)
		got, err := x.Search(context.Background(), query, nil, 200)
		if err != nil {
			t.Fatal(err)
		}
		want := oracle(vectors, query, func(int64) bool { return true }, 200)
		for i := range 100 {
			if math.Abs(got[i].Cosine-want[i].Cosine) > halfError {
				t.Fatalf("hit %d is %v, want %v", i, got[i], want[i])
			}
		}
	}
}

func TestSearch_DoesNotDependOnTheLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 13))
	const n, d = 3_000, 48
	tops := topics(r, 5, d)
	var all []int64
	var rows []Row
	for i := range n {
		all = append(all, int64(i+1))
		rows = append(rows, Row{int64(i + 1), topical(r, tops, d)})
	}
	one, _ := NewBlock(all, d).With(rows)
	var odd, even []int64
	for _, id := range all {
		if id%2 == 0 {
			even = append(even, id)
		} else {
			odd = append(odd, id)
		}
	}
	split := []*Block{Regroup(even, d, []*Block{one}), Regroup(odd, d, []*Block{one})}
	for range 10 {
		query := topical(r, tops, d)
		a, err1 := NewIndex([]*Block{one}).Search(context.Background(), query, nil, 50)
		b, err2 := NewIndex(split).Search(context.Background(), query, nil, 50)
		if err1 != nil || err2 != nil || !slices.Equal(a, b) {
			t.Fatalf("two layouts disagree:\n%v\n%v", a, b)
		}
	}
}

func TestWith_RefusesWhatHasNoDirectionAndChangesNothingOld(t *testing.T) {
	old := NewBlock([]int64{1, 2, 3, 4, 5}, 2)
	nan := float32(math.NaN())
	b, refused := old.With([]Row{{1, []float32{3, 4}}, {2, []float32{0, 0}}, {3, []float32{nan, 1}}, {4, []float32{1, 2, 3}}, {9, []float32{1, 0}}})
	if refused != 4 || b.Count() != 1 || old.Count() != 0 {
		t.Fatalf("refused %d, new count %d, old count %d; want 4, 1, 0", refused, b.Count(), old.Count())
	}
	v, ok := NewIndex([]*Block{b}).Vector(1)
	if !ok || math.Abs(float64(v[0])-0.6) > halfError || math.Abs(float64(v[1])-0.8) > halfError {
		t.Fatalf("stored %v, want 0.6 0.8", v)
	}
	again, _ := b.With([]Row{{1, []float32{1, 0}}})
	if again.Count() != 1 {
		t.Fatalf("a vector that is replaced counts %d times", again.Count())
	}
	if v, _ := NewIndex([]*Block{b}).Vector(1); math.Abs(float64(v[0])-0.6) > halfError {
		t.Fatal("an older block changed")
	}
}

func TestSearch_WrongQueriesAreNamed(t *testing.T) {
	b, _ := NewBlock([]int64{1}, 2).With([]Row{{1, []float32{1, 0}}})
	x := NewIndex([]*Block{b})
	for _, q := range [][]float32{{1}, {0, 0}, {float32(math.Inf(1)), 0}} {
		if _, err := x.Search(context.Background(), q, nil, 1); !errors.Is(err, ErrDimensions) {
			t.Errorf("%v: %v", q, err)
		}
	}
	if hits, err := NewIndex(nil).Search(context.Background(), []float32{1}, nil, 1); err != nil || len(hits) != 0 {
		t.Errorf("an empty index returned %v, %v", hits, err)
	}
}

func TestCosine(t *testing.T) {
	if got := Cosine([]float32{0.6, 0.8}, []float32{1, 0}); math.Abs(got-0.6) > 1e-6 {
		t.Errorf("got %v, want 0.6", got)
	}
	if Cosine([]float32{1}, []float32{1, 0}) != 0 {
		t.Error("vectors of two lengths have no cosine")
	}
}
