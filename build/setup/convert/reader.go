package convert

import (
	"encoding/binary"
	"io"
	"math"
)

// reader takes little-endian values off a byte slice until its first error.
type reader struct {
	b   []byte
	err error
}

// take returns the next n bytes, or nil and an error if they are not there.
func (r *reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n < 0 || n > len(r.b) {
		r.err = io.ErrUnexpectedEOF
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) unsigned(n int) uint64 {
	var buf [8]byte
	copy(buf[:], r.take(n))
	return binary.LittleEndian.Uint64(buf[:])
}

func (r *reader) u8() uint8      { return uint8(r.unsigned(1)) }
func (r *reader) u16() uint16    { return uint16(r.unsigned(2)) }
func (r *reader) u32() uint32    { return uint32(r.unsigned(4)) }
func (r *reader) u64() uint64    { return r.unsigned(8) }
func (r *reader) int() int       { return int(int32(r.u32())) }
func (r *reader) float() float32 { return math.Float32frombits(r.u32()) }
