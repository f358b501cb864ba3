package kernel

import "math"

// ToHalf rounds to half precision (IEEE 754 binary16), ties to even; what is
// too large becomes infinite. A relative error of 2^-11 changes the product of
// unit vectors by at most as much.
func ToHalf(x float32) uint16 {
	bits := math.Float32bits(x)
	sign := uint16(bits>>16) & 0x8000
	bits &= 1<<31 - 1
	switch {
	case bits < 0x38800000: // below 2^-14: a multiple of 2^-24; a carry gives the least normal value
		return sign | uint16(math.RoundToEven(float64(math.Float32frombits(bits))*(1<<24)))
	case bits >= 0x47800000: // 2^16
		return sign | 0x7c00
	}
	bits += 0xfff + bits>>13&1 // a carry out of the fraction is the next exponent, which is right
	return sign | uint16(bits>>13-(127-15)<<10)
}

// FromHalf returns the value of a finite half.
func FromHalf(h uint16) float32 {
	x := math.Float32frombits(uint32(h&0x7fff)<<13) * 0x1p112
	return math.Float32frombits(math.Float32bits(x) | uint32(h&0x8000)<<16)
}
