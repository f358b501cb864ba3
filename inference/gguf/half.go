package gguf

import "math"

// Half returns the IEEE 754 binary16 nearest to x, ties to even. Values beyond
// its range become infinite.
func Half(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	exp := int(b>>23&0xff) - 127
	frac := b & 0x7fffff
	switch {
	case exp == 128: // infinite or not a number
		if frac != 0 {
			return sign | 0x7e00
		}
		return sign | 0x7c00
	case exp > 15:
		return sign | 0x7c00
	case exp >= -14:
		h := uint32(exp+15)<<10 | frac>>13
		return sign | uint16(roundUp(h, frac&0x1fff, 0x1000))
	case exp >= -25: // subnormal: the leading one becomes explicit
		frac |= 0x800000
		shift := uint(-exp - 1) // 14 for 2^-15, 24 for 2^-25
		rest := frac & (1<<shift - 1)
		return sign | uint16(roundUp(frac>>shift, rest, 1<<(shift-1)))
	}
	return sign
}

// roundUp rounds h by what was cut off: half is the middle of the last place.
func roundUp(h, rest, half uint32) uint32 {
	if rest > half || rest == half && h&1 == 1 {
		return h + 1 // may carry into the exponent, which is right
	}
	return h
}
