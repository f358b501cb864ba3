package vector

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"referent/rag/segment/bitmap"
	"referent/rag/vector/kernel"
)

// filled is a block of n chunks, ids 3, 6, 9 …, most of them with a vector.
func filled(t *testing.T, r *rand.Rand, n, d int) *Block {
	t.Helper()
	tops := topics(r, 12, d)
	chunks := make([]int64, n)
	var rows []Row
	for i := range chunks {
		chunks[i] = int64(3*i + 3)
		if r.IntN(9) > 0 {
			rows = append(rows, Row{chunks[i], topical(r, tops, d)})
		}
	}
	b, refused := NewBlock(chunks, d).With(rows)
	if refused > 0 {
		t.Fatal("good rows were refused")
	}
	return b
}

func parsed(t *testing.T, b *Block) *Block {
	t.Helper()
	out, err := Parse(Encode(b.chunks, b.dims, []*Block{b}), b.chunks, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEncode_GivesTheSameHitsToTheLastBit(t *testing.T) {
	for _, d := range []int{5, 48, 384} {
		for _, n := range []int{1, 33, 700, 4_500} {
			if d > 100 && n > 1000 {
				continue // the same code, slowly
			}
			r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
			b := filled(t, r, n, d)
			e := parsed(t, b)
			if e.Count() != b.Count() || e.Dimensions() != d {
				t.Fatalf("%d vectors of %d dimensions, want %d of %d", e.Count(), e.Dimensions(), b.Count(), d)
			}
			for range 5 {
				q := topical(r, topics(r, 3, d), d)
				want, err1 := NewIndex([]*Block{b}).Search(context.Background(), q, nil, 20)
				got, err2 := NewIndex([]*Block{e}).Search(context.Background(), q, nil, 20)
				if err1 != nil || err2 != nil || !slices.Equal(got, want) {
					t.Fatalf("%d of %d: %v, want %v", n, d, got, want)
				}
			}
			more, _ := e.With([]Row{{b.chunks[0], unitVector(d, 0)}})
			if v, ok := NewIndex([]*Block{more}).Vector(b.chunks[0]); !ok || v[0] != 1 {
				t.Fatalf("an encoded block did not take a vector: %v", v)
			}
			if v, ok := NewIndex([]*Block{e}).Vector(b.chunks[0]); ok && v[0] == 1 {
				t.Fatal("the encoded block itself changed")
			}
		}
	}
}

func unitVector(d, at int) []float32 {
	v := make([]float32, d)
	v[at] = 1
	return v
}

func TestParse_RefusesOtherChunksAndOtherSizes(t *testing.T) {
	b := filled(t, rand.New(rand.NewPCG(3, 3)), 100, 8)
	data := Encode(b.chunks, 8, []*Block{b})
	if _, err := Parse(data, b.chunks[1:], nil); err == nil {
		t.Error("fewer chunks were accepted")
	}
	other := slices.Clone(b.chunks)
	other[50]++
	if _, err := Parse(data, other, nil); err == nil {
		t.Error("other chunks were accepted")
	}
	for _, n := range []int{0, 3, headerBytes, len(data) - 1} {
		if _, err := Parse(data[:n], b.chunks, nil); err == nil {
			t.Errorf("%d of %d bytes were accepted", n, len(data))
		}
	}
}

func FuzzParse(f *testing.F) {
	chunks := []int64{1, 2, 5, 9}
	b, _ := NewBlock(chunks, 3).With([]Row{{2, []float32{1, 2, 3}}, {9, []float32{0, 1, 0}}})
	f.Add(Encode(chunks, 3, []*Block{b}))
	f.Add(Encode(chunks, 3, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Parse(data, chunks, nil)
		if err != nil {
			return
		}
		q := make([]float32, b.dims)
		q[0] = 1
		x := NewIndex([]*Block{b}).WithSketch(2)
		// Bytes that are no numbers cannot be compared with a question; the
		// checksum of the file is what keeps them out.
		hits, err := x.Search(context.Background(), q, nil, 4)
		if err != nil || len(hits) > b.Count() {
			t.Fatalf("%d hits among %d vectors, %v", len(hits), b.Count(), err)
		}
		seen := map[int64]bool{}
		for _, h := range hits {
			if seen[h.Chunk] || !slices.Contains(chunks, h.Chunk) {
				t.Fatalf("%v", hits)
			}
			seen[h.Chunk] = true
		}
		x.Vector(2)
	})
}

// A rotation keeps lengths and angles.
func TestRotation_IsOrthogonal(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, d := range []int{3, 8, 48, 384, 385} {
		a, b := topical(r, topics(r, 1, d), d), topical(r, topics(r, 1, d), d)
		want := [3]float64{dot(a, a), dot(b, b), dot(a, b)}
		turn := rotationOf(d)
		turn.apply(a)
		turn.apply(b)
		for i, got := range [3]float64{dot(a, a), dot(b, b), dot(a, b)} {
			if math.Abs(got-want[i]) > 1e-4*want[0] {
				t.Errorf("%d dimensions: product %d is %v, was %v", d, i, got, want[i])
			}
		}
	}
}

func dot(a, b []float32) float64 {
	s := 0.0
	for j := range a {
		s += float64(a[j]) * float64(b[j])
	}
	return s
}

// The estimate of a sketch is what its definition says, within the rounding of
// the tables: half a step for each group.
func TestSketch_EstimatesByItsDefinition(t *testing.T) {
	for _, d := range []int{16, 50, 384, 1536} {
		r := rand.New(rand.NewPCG(5, uint64(d)))
		b := parsed(t, filled(t, r, 100, d))
		q := topical(r, topics(r, 1, d), d)
		tab := newTables(q)
		sums := make([]uint16, 128)
		kernel.Sketch(tab.lut, b.sketch.signs, sums)
		turned := slices.Clone(q)
		rotationOf(d).apply(turned)
		for ord := range b.chunks {
			p := b.pages[0]
			if !p.has(ord) {
				continue
			}
			rest := make([]float32, d)
			for j, h := range p.rows[ord*d : (ord+1)*d] {
				rest[j] = kernel.FromHalf(h)
			}
			for j := range rest {
				rest[j] -= b.sketch.mean[j]
			}
			rotationOf(d).apply(rest)
			sign, square, absolute := 0.0, 0.0, 0.0
			for j, x := range rest {
				square += float64(x) * float64(x)
				absolute += math.Abs(float64(x))
				if x >= 0 {
					sign += float64(turned[j])
				} else {
					sign -= float64(turned[j])
				}
			}
			want := square / absolute * sign
			got := float64(b.sketch.factors[ord] * (tab.unit*float32(sums[ord]) + tab.base))
			slack := float64(b.sketch.factors[ord]*tab.unit) * float64(groupsOf(d)) / 2
			if math.Abs(got-want) > slack+1e-4 {
				t.Fatalf("%d dimensions, row %d: estimate %v, want %v within %v", d, ord, got, want, slack)
			}
		}
	}
}

func TestCalibrate_FindsADepthThatKeepsTheNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	const d = 64
	b := parsed(t, filled(t, r, 6_000, d))
	x := NewIndex([]*Block{b})
	depth, err := x.Calibrate(context.Background())
	if err != nil || depth == 0 {
		t.Fatalf("depth %d, %v", depth, err)
	}
	deep := x.WithSketch(depth)
	tops := topics(r, 12, d)
	found, all := 0, 0
	for range 50 { // queries that are not stored
		q := topical(r, tops, d)
		want, err1 := x.Search(context.Background(), q, nil, 10)
		got, err2 := deep.Search(context.Background(), q, nil, 10)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for _, h := range want {
			all++
			if slices.Contains(got, h) {
				found++
			}
		}
	}
	if float64(found) < 0.97*float64(all) { // other queries than it was measured with
		t.Errorf("at depth %d %d of %d nearest were found", depth, found, all)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Calibrate(ctx); err == nil {
		t.Error("a cancelled calibration gave a depth")
	}
}

// Filters and hidden chunks hold for sketches too, also when blocks without a
// sketch stand beside.
func TestSketch_FindsOnlyWhatIsAllowed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	const d = 32
	a := parsed(t, filled(t, r, 6_000, d))
	live := bitmap.New(len(a.chunks))
	for i := range a.chunks {
		if i%3 > 0 {
			live.Set(i)
		}
	}
	chunks, rows := []int64{1, 2, 4}, []Row{}
	for _, id := range chunks {
		rows = append(rows, Row{id, topical(r, topics(r, 1, d), d)})
	}
	small, _ := NewBlock(chunks, d).With(rows)
	x := NewIndex([]*Block{small, a.Only(live)}).WithSketch(2_500) // less than half of what is allowed, else codes are read
	allow := bitmap.New(3 + len(a.chunks))
	allowed := map[int64]bool{}
	for i := range 3 + len(a.chunks) {
		if i < 3 || i%7 == 0 {
			continue
		}
		allow.Set(i)
		if live.Has(i - 3) {
			allowed[a.chunks[i-3]] = true
		}
	}
	hits, err := x.Search(context.Background(), rows[0].V, allow, 500)
	if err != nil || len(hits) != 500 {
		t.Fatalf("%d hits, %v", len(hits), err)
	}
	for _, h := range hits {
		if !allowed[h.Chunk] {
			t.Fatalf("chunk %d is not allowed", h.Chunk)
		}
	}
	if hits, err = x.Search(context.Background(), rows[1].V, nil, 1); err != nil || len(hits) != 1 || hits[0].Chunk != 2 {
		t.Fatalf("a block without a sketch is passed over: %v, %v", hits, err)
	}
	if _, ok := x.Vector(a.chunks[0]); ok {
		t.Fatal(fmt.Sprint("the vector of a hidden chunk was given: ", a.chunks[0]))
	}
}
