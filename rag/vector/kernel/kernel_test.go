package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// plain products in float64 and int64, one addition at a time, share nothing
// with the forms under test.
func wantFloat(query, row []float32) float64 {
	s := 0.0
	for j := range query {
		s += float64(query[j]) * float64(row[j])
	}
	return s
}

func TestFloat_EveryFormEqualsThePlainSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, d := range []int{1, 3, 31, 32, 33, 64, 100, 384, 385, 1024} {
		for _, n := range []int{1, 2, 7, 65} {
			query, rows := unit(r, 1, d), unit(r, n, d)
			for _, f := range forms {
				out := make([]float32, n)
				f.float(query, rows, out)
				for i := range out {
					if want := wantFloat(query, rows[i*d:(i+1)*d]); math.Abs(float64(out[i])-want) > 2e-6 {
						t.Fatalf("%s, %d dimensions, row %d of %d: %v, want %v", f.name, d, i, n, out[i], want)
					}
				}
			}
		}
	}
}

func TestCodes_EveryFormIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, d := range []int{1, 5, 31, 32, 33, 63, 384, 391, 1024} {
		for _, n := range []int{1, 3, 66} {
			query, rows := make([]int8, d), make([]uint8, n*d)
			for _, extreme := range []bool{false, true} {
				for j := range query {
					query[j] = int8(r.IntN(256) - 128)
					if extreme {
						query[j] = -128
					}
				}
				for j := range rows {
					rows[j] = uint8(r.IntN(256))
					if extreme {
						rows[j] = uint8(255 * (j & 1))
					}
				}
				for _, f := range forms {
					out := make([]int32, n)
					f.codes(query, rows, out)
					for i := range out {
						var want int64
						for j := range query {
							want += int64(query[j]) * (int64(rows[i*d+j]) - 128)
						}
						if int64(out[i]) != want {
							t.Fatalf("%s, %d dimensions, row %d of %d: %d, want %d", f.name, d, i, n, out[i], want)
						}
					}
				}
			}
		}
	}
}

func TestFloat_ReadsNothingBeyondAShortBlock(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Fatal("a block that is too short must not be read")
		}
	}()
	Float(make([]float32, 8), make([]float32, 15), make([]float32, 2))
}

func unit(r *rand.Rand, n, d int) []float32 {
	out := make([]float32, n*d)
	for i := range n {
		row, sum := out[i*d:(i+1)*d], 0.0
		for j := range row {
			row[j] = float32(r.NormFloat64())
			sum += float64(row[j]) * float64(row[j])
		}
		for j := range row {
			row[j] /= float32(math.Sqrt(sum))
		}
	}
	return out
}

// Throughput beside plainly reading the same bytes: a scan cannot be faster.
func BenchmarkScan(b *testing.B) {
	const n, d = 100_000, 384
	r := rand.New(rand.NewPCG(5, 6))
	rows, codes := unit(r, n, d), make([]uint8, n*d)
	for i := range codes {
		codes[i] = uint8(r.IntN(256))
	}
	query, small := unit(r, 1, d), make([]int8, d)
	for i := range small {
		small[i] = int8(r.IntN(255) - 127)
	}
	floats, ints := make([]float32, n), make([]int32, n)
	for _, f := range forms {
		b.Run(fmt.Sprintf("float/%s", f.name), func(b *testing.B) {
			b.SetBytes(n * d * 4)
			for b.Loop() {
				f.float(query, rows, floats)
			}
		})
		b.Run(fmt.Sprintf("codes/%s", f.name), func(b *testing.B) {
			b.SetBytes(n * d)
			for b.Loop() {
				f.codes(small, codes, ints)
			}
		})
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(n * d)
		target := make([]uint8, n*d)
		for b.Loop() {
			copy(target, codes)
		}
	})
}
