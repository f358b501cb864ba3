package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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

func TestHalf_EveryFormEqualsThePlainSum(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, d := range []int{1, 3, 15, 31, 32, 33, 100, 384, 385} {
		for _, n := range []int{1, 2, 7} {
			query, rows := unit(r, 1, d), make([]uint16, n*d)
			for j, v := range unit(r, n, d) {
				rows[j] = ToHalf(v * float32(math.Pow(2, float64(-r.IntN(20))))) // some are subnormal
			}
			for _, f := range forms {
				out := make([]float32, n)
				f.half(query, rows, out)
				for i := range out {
					want := 0.0
					for j := range query {
						want += float64(query[j]) * halfValue(rows[i*d+j])
					}
					if math.Abs(float64(out[i])-want) > 2e-6 {
						t.Fatalf("%s, %d dimensions, row %d of %d: %v, want %v", f.name, d, i, n, out[i], want)
					}
				}
			}
		}
	}
}

// halfValue reads a half by its definition: sign, 5 bits of exponent, 10 of
// fraction.
func halfValue(h uint16) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	if exponent == 0 {
		return sign * fraction * math.Pow(2, -24)
	}
	return sign * (1 + fraction/1024) * math.Pow(2, float64(exponent-15))
}

func TestHalf_EveryValueComesBackAndOthersGoToTheNearest(t *testing.T) {
	for h := range uint16(0x7c00) {
		if v := FromHalf(h); float64(v) != halfValue(h) || ToHalf(v) != h || ToHalf(-v) != h|0x8000 {
			t.Fatalf("%#x is %v and comes back as %#x", h, v, ToHalf(v))
		}
		if h+1 == 0x7c00 {
			continue
		}
		below, above := halfValue(h), halfValue(h+1)
		middle := float32((below + above) / 2)
		if got := ToHalf(middle); got != h+h&1 {
			t.Fatalf("the middle above %#x became %#x, not the even one", h, got)
		}
		if got := ToHalf(math.Nextafter32(middle, 0)); got != h {
			t.Fatalf("just below the middle above %#x became %#x", h, got)
		}
	}
	if ToHalf(65536) != 0x7c00 || ToHalf(float32(math.Inf(-1))) != 0xfc00 {
		t.Error("what is too large must become infinite")
	}
}

func TestSketch_EveryFormIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, groups := range []int{4, 8, 96, 100, 256} {
		for _, n := range []int{1, 3} {
			lut, blocks := make([]uint8, 16*groups), make([]uint8, n*groups*16)
			for j := range lut {
				lut[j] = uint8(r.IntN(256))
			}
			for _, extreme := range []bool{false, true} {
				for j := range blocks {
					blocks[j] = uint8(r.IntN(256))
				}
				if extreme {
					for j := range lut {
						lut[j] = 255
					}
				}
				want := make([]uint16, 32*n)
				for v := range want {
					sum := 0
					for g := range groups {
						c := blocks[(v/32*groups+g)*16+v%16]
						if v%32 >= 16 {
							c >>= 4
						}
						sum += int(lut[16*g+int(c&15)])
					}
					want[v] = uint16(sum)
				}
				for _, f := range forms {
					out := make([]uint16, len(want))
					f.sketch(lut, blocks, out)
					if !slices.Equal(out, want) {
						t.Fatalf("%s, %d groups, %d blocks: %v, want %v", f.name, groups, n, out, want)
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
	halves := make([]uint16, n*d)
	for i, v := range rows {
		halves[i] = ToHalf(v)
	}
	lut, sums := make([]uint8, d*4), make([]uint16, n)
	for _, f := range forms {
		b.Run(fmt.Sprintf("half/%s", f.name), func(b *testing.B) {
			b.SetBytes(n * d * 2)
			for b.Loop() {
				f.half(query, halves, floats)
			}
		})
		b.Run(fmt.Sprintf("sketch/%s", f.name), func(b *testing.B) {
			b.SetBytes(n * d / 8)
			for b.Loop() {
				f.sketch(lut, codes[:n*d/8], sums)
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
