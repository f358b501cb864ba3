package gguf

import (
	"fmt"
	"math"
)

// Magic is the first four bytes of a file.
const Magic = "GGUF"

// Version is what Writer writes. Read accepts 2 and 3, which differ only in
// an endianness that nobody uses.
const Version = 3

// DefaultAlignment is the alignment of tensor data, in bytes, unless the key
// general.alignment says otherwise.
const DefaultAlignment = 32

// Key is one key/value pair. Value holds one of the Go types uint8, int8,
// uint16, int16, uint32, int32, float32, bool, string, uint64, int64, float64,
// or a slice of one of them.
type Key struct {
	Name  string
	Value any
}

// Tensor is one row of the tensor table.
type Tensor struct {
	Name   string
	Type   TensorType
	Shape  []uint64 // 1 to 4 dimensions, fastest-moving first
	Offset uint64   // bytes from File.DataOffset
}

// Elements returns the number of elements, or an error if it does not fit.
func (t Tensor) Elements() (uint64, error) {
	n := uint64(1)
	for _, d := range t.Shape {
		if d != 0 && n > math.MaxInt64/d {
			return 0, fmt.Errorf("tensor %q: too many elements", t.Name)
		}
		n *= d
	}
	return n, nil
}

// Size returns the bytes that the tensor takes in the data section, without
// padding. An unknown type or a row that is no whole number of blocks is an
// error.
func (t Tensor) Size() (uint64, error) {
	b, ok := t.Type.block()
	if !ok {
		return 0, fmt.Errorf("tensor %q: unknown type %d", t.Name, t.Type)
	}
	n, err := t.Elements()
	if err != nil {
		return 0, err
	}
	if len(t.Shape) == 0 || t.Shape[0]%b.elements != 0 {
		return 0, fmt.Errorf("tensor %q: a row of type %s needs a multiple of %d elements", t.Name, t.Type, b.elements)
	}
	blocks := n / b.elements
	if blocks > math.MaxInt64/b.bytes {
		return 0, fmt.Errorf("tensor %q: too large", t.Name)
	}
	return blocks * b.bytes, nil
}

// File is the header of a GGUF file. It is not changed after Read and may be
// read from any goroutine.
type File struct {
	Version    uint32
	Keys       []Key    // in file order
	Tensors    []Tensor // in file order
	Alignment  int64    // bytes
	DataOffset int64    // bytes from the start of the file to the tensor data
	Size       int64    // bytes of the whole file
	index      map[string]int
}

// Value returns the value of a key, or nil.
func (f *File) Value(name string) any {
	i, ok := f.index[name]
	if !ok {
		return nil
	}
	return f.Keys[i].Value
}

// String returns the text of a key, or "" if it is absent or no text.
func (f *File) String(name string) string {
	s, _ := f.Value(name).(string)
	return s
}

// Strings returns the list of texts of a key, or nil.
func (f *File) Strings(name string) []string {
	s, _ := f.Value(name).([]string)
	return s
}

// Int returns a whole number of any width. ok is false if the key is absent,
// holds something else, or the number does not fit.
func (f *File) Int(name string) (n int64, ok bool) { return toInt(f.Value(name)) }

func toInt(v any) (int64, bool) {
	switch v := v.(type) {
	case uint8:
		return int64(v), true
	case int8:
		return int64(v), true
	case uint16:
		return int64(v), true
	case int16:
		return int64(v), true
	case uint32:
		return int64(v), true
	case int32:
		return int64(v), true
	case int64:
		return v, true
	case uint64:
		return int64(v), v <= math.MaxInt64
	}
	return 0, false
}
