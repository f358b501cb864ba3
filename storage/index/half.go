package index

import (
	"encoding/binary"
	"math"
)

// Vectors are kept in half precision (IEEE 754 binary16, little-endian): two
// bytes a component, a relative error of at most 2^-11, which changes a cosine
// by less than the scan's own rounding.

func toHalf(v []float32) []byte {
	b := make([]byte, 2*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint16(b[2*i:], halfBits(x))
	}
	return b
}

func fromHalf(b []byte) []float32 {
	v := make([]float32, len(b)/2)
	for i := range v {
		v[i] = halfValue(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return v
}

// halfBits rounds to nearest, ties to even; what is too large becomes infinite.
func halfBits(x float32) uint16 {
	bits := math.Float32bits(x)
	sign := uint16(bits >> 16 & 0x8000)
	exponent := int(bits>>23&0xff) - 127 + 15
	fraction := bits & 0x7fffff
	switch {
	case exponent == 0xff-127+15: // infinity or NaN
		if fraction != 0 {
			return sign | 0x7e00
		}
		return sign | 0x7c00
	case exponent >= 31:
		return sign | 0x7c00
	case exponent <= 0: // subnormal, or too small
		if exponent < -10 {
			return sign
		}
		fraction |= 0x800000
		return sign | uint16(roundShift(fraction, uint(14-exponent)))
	}
	// A carry out of the fraction is the next exponent, which is right.
	return sign + uint16(exponent<<10) + uint16(roundShift(fraction, 13))
}

func roundShift(x uint32, n uint) uint32 {
	half := uint32(1) << (n - 1)
	rest := x & (half<<1 - 1)
	x >>= n
	if rest > half || rest == half && x&1 == 1 {
		x++
	}
	return x
}

func halfValue(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent := uint32(h >> 10 & 0x1f)
	fraction := uint32(h & 0x3ff)
	switch exponent {
	case 0:
		f := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
