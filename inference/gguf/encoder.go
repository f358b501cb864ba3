package gguf

import (
	"encoding/binary"
	"fmt"
	"io"
)

// encoder writes little-endian values until its first error. It counts, so
// that padding needs no seek.
type encoder struct {
	out io.Writer
	n   int64
	err error
}

func (e *encoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// Write lets tensor data pass through the count.
func (e *encoder) Write(b []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	n, err := e.out.Write(b)
	e.n += int64(n)
	if err != nil {
		e.fail(err)
	}
	return n, err
}

func (e *encoder) raw(b []byte)  { _, _ = e.Write(b) } // the error is kept in e
func (e *encoder) u32(v uint32)  { e.raw(binary.LittleEndian.AppendUint32(nil, v)) }
func (e *encoder) u64(v uint64)  { e.raw(binary.LittleEndian.AppendUint64(nil, v)) }
func (e *encoder) text(s string) { e.u64(uint64(len(s))); e.raw([]byte(s)) }

func (e *encoder) pad() {
	e.raw(make([]byte, align(e.n, DefaultAlignment)-e.n))
}

func (e *encoder) value(name string, v any) {
	switch v := v.(type) {
	case string:
		e.u32(typeString)
		e.text(v)
	case []string:
		e.u32(typeArray)
		e.u32(typeString)
		e.u64(uint64(len(v)))
		for _, s := range v {
			e.text(s)
		}
	case uint8, int8, uint16, int16, uint32, int32, float32, bool, uint64, int64, float64:
		e.u32(typeOf(v))
		e.numbers(v)
	case []uint8:
		e.list(typeUint8, len(v), v)
	case []int8:
		e.list(typeInt8, len(v), v)
	case []uint16:
		e.list(typeUint16, len(v), v)
	case []int16:
		e.list(typeInt16, len(v), v)
	case []uint32:
		e.list(typeUint32, len(v), v)
	case []int32:
		e.list(typeInt32, len(v), v)
	case []float32:
		e.list(typeFloat32, len(v), v)
	case []bool:
		e.list(typeBool, len(v), v)
	case []uint64:
		e.list(typeUint64, len(v), v)
	case []int64:
		e.list(typeInt64, len(v), v)
	case []float64:
		e.list(typeFloat64, len(v), v)
	default:
		e.fail(fmt.Errorf("gguf: key %q: a value of type %T", name, v))
	}
}

func (e *encoder) list(kind uint32, n int, v any) {
	e.u32(typeArray)
	e.u32(kind)
	e.u64(uint64(n))
	e.numbers(v)
}

func (e *encoder) numbers(v any) {
	if e.err != nil {
		return
	}
	if err := binary.Write(e, binary.LittleEndian, v); err != nil {
		e.fail(err)
	}
}

func typeOf(v any) uint32 {
	switch v.(type) {
	case uint8:
		return typeUint8
	case int8:
		return typeInt8
	case uint16:
		return typeUint16
	case int16:
		return typeInt16
	case uint32:
		return typeUint32
	case int32:
		return typeInt32
	case float32:
		return typeFloat32
	case bool:
		return typeBool
	case uint64:
		return typeUint64
	case int64:
		return typeInt64
	}
	return typeFloat64
}
