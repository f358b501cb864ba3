package selftest

import (
	"errors"
	"math"
	"strings"
)

// closest is the least cosine of a vector and its reference. Sixteen-bit weights
// on a processor stay above 0.9999.
const closest = 0.999

// judge compares with what is known.
func judge(got Result, gpu bool) error {
	switch {
	case gpu && got.Layers == 0:
		return errors.New("no layer of a small model got onto the graphics processor")
	case got.Text != text:
		return errors.New("a small model wrote another text than it must")
	case len(got.Vectors) != len(Texts):
		return errors.New("vectors are missing")
	}
	for i, t := range Texts {
		want, err := embedder.Vector(strings.Fields(t)...)
		if err != nil {
			return err
		}
		if c := cosine(got.Vectors[i], want); !(c >= closest) { // false for NaN too
			return errors.New("a vector is another one than it must be")
		}
	}
	return nil
}

func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}
