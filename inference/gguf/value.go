package gguf

import (
	"fmt"
	"math"
)

// The value types of the format.
const (
	typeUint8 uint32 = iota
	typeInt8
	typeUint16
	typeInt16
	typeUint32
	typeInt32
	typeFloat32
	typeBool
	typeString
	typeArray
	typeUint64
	typeInt64
	typeFloat64
)

// value reads one value of the given type.
func (d *decoder) value(kind uint32) any {
	switch kind {
	case typeUint8:
		return uint8(d.small(1))
	case typeInt8:
		return int8(d.small(1))
	case typeUint16:
		return uint16(d.small(2))
	case typeInt16:
		return int16(d.small(2))
	case typeUint32:
		return d.u32()
	case typeInt32:
		return int32(d.u32())
	case typeFloat32:
		return d.float32()
	case typeBool:
		return d.small(1) != 0
	case typeString:
		return d.text(math.MaxInt64)
	case typeUint64:
		return d.u64()
	case typeInt64:
		return int64(d.u64())
	case typeFloat64:
		return d.float64()
	case typeArray:
		return d.array()
	}
	d.fail(fmt.Errorf("a value of unknown type %d", kind))
	return nil
}

func (d *decoder) array() any {
	kind, n := d.u32(), d.u64()
	switch kind {
	case typeUint8:
		return list(d, n, 1, func() uint8 { return uint8(d.small(1)) })
	case typeInt8:
		return list(d, n, 1, func() int8 { return int8(d.small(1)) })
	case typeUint16:
		return list(d, n, 2, func() uint16 { return uint16(d.small(2)) })
	case typeInt16:
		return list(d, n, 2, func() int16 { return int16(d.small(2)) })
	case typeUint32:
		return list(d, n, 4, d.u32)
	case typeInt32:
		return list(d, n, 4, func() int32 { return int32(d.u32()) })
	case typeFloat32:
		return list(d, n, 4, d.float32)
	case typeBool:
		return list(d, n, 1, func() bool { return d.small(1) != 0 })
	case typeString:
		return list(d, n, 8, func() string { return d.text(math.MaxInt64) })
	case typeUint64:
		return list(d, n, 8, d.u64)
	case typeInt64:
		return list(d, n, 8, func() int64 { return int64(d.u64()) })
	case typeFloat64:
		return list(d, n, 8, d.float64)
	}
	// Arrays of arrays exist in the format and in no model; the library
	// refuses them too.
	d.fail(fmt.Errorf("an array of type %d", kind))
	return nil
}

// list reads n elements of at least width bytes each. A count that the rest of
// the header cannot hold is refused before anything is allocated.
func list[T any](d *decoder, n, width uint64, next func() T) []T {
	if d.err != nil {
		return nil
	}
	if n > uint64(d.left)/width {
		d.fail(fmt.Errorf("an array of %d elements", n))
		return nil
	}
	out := make([]T, 0, min(n, 1<<16))
	for i := uint64(0); i < n && d.err == nil; i++ {
		out = append(out, next())
	}
	return out
}
