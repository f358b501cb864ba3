package gguf

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// Bounds on a header. The largest seen in the wild stay far below: 256,000
// vocabulary entries in 12 MB of header, about 1,500 tensors, 60 keys.
const (
	maxHeaderBytes = 512 << 20
	maxKeys        = 1 << 16
	maxTensors     = 1 << 18
	maxNameBytes   = 1 << 12
)

// ErrNotGGUF says that the file does not begin as a GGUF file does.
var ErrNotGGUF = errors.New("gguf: no GGUF magic")

// VersionError reports a version that the library cannot read.
type VersionError uint32

// Error names the version.
func (v VersionError) Error() string { return fmt.Sprintf("gguf: version %d", uint32(v)) }

// Open reads the header of the file at path. The file is closed again.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return Read(f, st.Size())
}

// Read reads a header from r. size is the length of the whole file in bytes;
// nothing in the header is believed beyond it. Errors: ErrNotGGUF,
// VersionError, io.ErrUnexpectedEOF, or a description of what is wrong.
func Read(r io.Reader, size int64) (*File, error) {
	limit := min(size, maxHeaderBytes)
	d := &decoder{r: bufio.NewReaderSize(r, 1<<18), left: limit}
	f := &File{Size: size, Alignment: DefaultAlignment, index: map[string]int{}}
	magic := d.bytes(4)
	if d.err != nil || string(magic) != Magic {
		return nil, ErrNotGGUF
	}
	f.Version = d.u32()
	if d.err == nil && f.Version != 2 && f.Version != 3 {
		return nil, VersionError(f.Version)
	}
	tensors, keys := d.u64(), d.u64()
	if d.err == nil && (keys > maxKeys || tensors > maxTensors) {
		return nil, fmt.Errorf("gguf: %d keys and %d tensors are more than any model has", keys, tensors)
	}
	f.readKeys(d, keys)
	f.readTensors(d, tensors)
	if d.err != nil {
		return nil, fmt.Errorf("gguf: header: %w", d.err)
	}
	f.DataOffset = align(limit-d.left, f.Alignment)
	return f, nil
}

func (f *File) readKeys(d *decoder, n uint64) {
	for i := uint64(0); i < n && d.err == nil; i++ {
		name := d.text(maxNameBytes)
		value := d.value(d.u32())
		if d.err != nil {
			return
		}
		if _, twice := f.index[name]; twice {
			d.fail(fmt.Errorf("key %q appears twice", name))
			return
		}
		f.index[name] = len(f.Keys)
		f.Keys = append(f.Keys, Key{name, value})
	}
	if a := f.Value("general.alignment"); a != nil && d.err == nil {
		n, ok := toInt(a)
		if !ok || n < 1 || n > 1<<16 || n&(n-1) != 0 {
			d.fail(fmt.Errorf("alignment %v is no power of two", a))
			return
		}
		f.Alignment = n
	}
}

func (f *File) readTensors(d *decoder, n uint64) {
	for i := uint64(0); i < n && d.err == nil; i++ {
		t := Tensor{Name: d.text(maxNameBytes)}
		dims := d.u32()
		if d.err == nil && (dims == 0 || dims > 4) {
			d.fail(fmt.Errorf("tensor %q has %d dimensions", t.Name, dims))
			return
		}
		for j := uint32(0); j < dims && d.err == nil; j++ {
			t.Shape = append(t.Shape, d.u64())
		}
		t.Type = TensorType(d.u32())
		t.Offset = d.u64()
		if d.err == nil {
			f.Tensors = append(f.Tensors, t)
		}
	}
}

func align(n, to int64) int64 { return (n + to - 1) / to * to }

// decoder reads little-endian values until its first error, then only zeros.
type decoder struct {
	r    *bufio.Reader
	left int64 // bytes that the header may still take
	err  error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// bytes returns the next n bytes. Memory grows with what is really there.
func (d *decoder) bytes(n uint64) []byte {
	if d.err != nil {
		return nil
	}
	if n > uint64(d.left) {
		d.fail(io.ErrUnexpectedEOF)
		return nil
	}
	b := make([]byte, 0, min(n, 1<<20))
	for uint64(len(b)) < n {
		step := min(n-uint64(len(b)), 1<<20)
		at := len(b)
		b = append(b, make([]byte, step)...)
		if _, err := io.ReadFull(d.r, b[at:]); err != nil {
			d.fail(io.ErrUnexpectedEOF)
			return nil
		}
	}
	d.left -= int64(n)
	return b
}

// small reads up to 8 bytes without allocating.
func (d *decoder) small(n int) uint64 {
	if d.err != nil {
		return 0
	}
	if int64(n) > d.left {
		d.fail(io.ErrUnexpectedEOF)
		return 0
	}
	var buf [8]byte
	if _, err := io.ReadFull(d.r, buf[:n]); err != nil {
		d.fail(io.ErrUnexpectedEOF)
		return 0
	}
	d.left -= int64(n)
	return binary.LittleEndian.Uint64(buf[:])
}

func (d *decoder) u32() uint32 { return uint32(d.small(4)) }
func (d *decoder) u64() uint64 { return d.small(8) }

func (d *decoder) text(limit uint64) string {
	n := d.u64()
	if d.err == nil && n > limit {
		d.fail(fmt.Errorf("a text of %d bytes", n))
	}
	return string(d.bytes(n))
}

func (d *decoder) float32() float32 { return math.Float32frombits(d.u32()) }
func (d *decoder) float64() float64 { return math.Float64frombits(d.u64()) }
