package llama

import (
	"math"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"referent/inference"
)

// prepared is a text as an embedding model wants it, prefix included.
func prepared(p inference.Profile, kind inference.TextKind, text string) (prefix, body string) {
	prefix = p.PassagePrefix
	if kind == inference.KindQuery {
		prefix = p.QueryPrefix
	}
	return prefix, normalized(p.Normalize, clean(text))
}

func normalized(form inference.Normalization, text string) string {
	switch form {
	case inference.NormalizeNFKC:
		return strings.Join(strings.Fields(norm.NFKC.String(text)), " ")
	case inference.NormalizeStripMarks:
		// The library's own table keeps only the first part of a Korean
		// syllable, so what it would decompose is decomposed here.
		return strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(text))
	}
	return text
}

// unit scales v to length 1. A vector without a direction becomes the first
// axis, so that it stays valid.
func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if !(length > 0) || math.IsInf(length, 0) {
		clear(v)
		v[0] = 1
		return v
	}
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return v
}

// mean is the unit vector in the direction of the mean of unit vectors.
func mean(vectors [][]float32) []float32 {
	if len(vectors) == 1 {
		return vectors[0]
	}
	sum := make([]float32, len(vectors[0]))
	for _, v := range vectors {
		for i, x := range v {
			sum[i] += x
		}
	}
	return unit(sum)
}
