package toy

import (
	"io"
	"math"
	"math/rand/v2"

	"referent/inference/gguf"
)

// source gives the same numbers on every machine.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// matrix holds rows of equal length, row-major.
type matrix struct {
	width int
	v     []float32
}

func zeros(rows, width int) matrix { return matrix{width, make([]float32, rows*width)} }

// gauss fills a matrix with normal numbers of the given deviation.
func gauss(r *rand.Rand, rows, width int, deviation float64) matrix {
	m := zeros(rows, width)
	for i := range m.v {
		m.v[i] = float32(r.NormFloat64() * deviation)
	}
	return m
}

func (m matrix) row(i int) []float32 { return m.v[i*m.width : (i+1)*m.width] }

func (m matrix) rows() int { return len(m.v) / m.width }

// scaleTo gives v the length n.
func scaleTo(v []float32, n float64) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	f := float32(n / math.Sqrt(sum))
	for i := range v {
		v[i] *= f
	}
}

// removeFrom makes v orthogonal to the unit vector u.
func removeFrom(v, u []float32) {
	var dot float32
	for i := range v {
		dot += v[i] * u[i]
	}
	for i := range v {
		v[i] -= dot * u[i]
	}
}

func add(to, v []float32, f float32) {
	for i := range to {
		to[i] += f * v[i]
	}
}

func ones(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// addMatrix adds m as an F16 tensor.
func addMatrix(w *gguf.Writer, name string, m matrix) {
	w.Add(name, gguf.F16, []uint64{uint64(m.width), uint64(m.rows())}, halves(m.v))
}

// addFloats adds v as an F32 tensor: a vector, or a table with the given width.
func addFloats(w *gguf.Writer, name string, v []float32, width ...int) {
	shape := []uint64{uint64(len(v))}
	if len(width) > 0 {
		shape = []uint64{uint64(width[0]), uint64(len(v) / width[0])}
	}
	w.Add(name, gguf.F32, shape, gguf.Floats(v))
}

func halves(v []float32) func(io.Writer) error {
	return func(w io.Writer) error {
		b := make([]byte, 0, 2*len(v))
		for _, x := range v {
			h := gguf.Half(x)
			b = append(b, byte(h), byte(h>>8))
		}
		_, err := w.Write(b)
		return err
	}
}
