package convert

import (
	"io"
	"math"

	"referent/inference/gguf"
)

// q8 returns the data of a Q8_0 tensor: blocks of 32 values, each a float16
// scale and 32 signed bytes, rounded as ggml's reference encoder rounds.
// len(v) is a multiple of 32.
func q8(v []float32) func(io.Writer) error {
	return func(w io.Writer) error {
		out := make([]byte, 0, len(v)/32*34)
		for at := 0; at < len(v); at += 32 {
			out = appendQ8Block(out, v[at:at+32])
		}
		_, err := w.Write(out)
		return err
	}
}

func appendQ8Block(out []byte, v []float32) []byte {
	var most float32
	for _, x := range v {
		most = max(most, float32(math.Abs(float64(x))))
	}
	scale := most / 127
	var inverse float32
	if scale != 0 {
		inverse = 1 / scale
	}
	h := gguf.Half(scale)
	out = append(out, byte(h), byte(h>>8))
	for _, x := range v {
		// The product is rounded to float32 first, as in C.
		out = append(out, byte(int8(math.Round(float64(float32(x*inverse))))))
	}
	return out
}
