package gguf

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Writer collects keys and tensors and writes them in the order in which they
// were added. It is used by one goroutine.
type Writer struct {
	keys    []Key
	tensors []pending
	offset  uint64
	err     error
}

type pending struct {
	Tensor
	size uint64
	data func(io.Writer) error
}

// Set adds a key. Value is one of the types of Key. A second value for a name
// and an unknown type are reported by WriteTo.
func (w *Writer) Set(name string, value any) {
	for _, k := range w.keys {
		if k.Name == name {
			w.fail(fmt.Errorf("gguf: key %q set twice", name))
			return
		}
	}
	w.keys = append(w.keys, Key{name, value})
}

// Add adds a tensor. shape is fastest-moving first. data is called once, by
// WriteTo, and writes exactly the tensor's bytes.
func (w *Writer) Add(name string, kind TensorType, shape []uint64, data func(io.Writer) error) {
	t := Tensor{Name: name, Type: kind, Shape: shape, Offset: w.offset}
	size, err := t.Size()
	if err != nil {
		w.fail(fmt.Errorf("gguf: %w", err))
		return
	}
	w.tensors = append(w.tensors, pending{t, size, data})
	w.offset += uint64(align(int64(size), DefaultAlignment))
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// WriteTo writes the file and returns its length in bytes. Tensor data streams
// through; only the header is held in memory.
func (w *Writer) WriteTo(out io.Writer) (int64, error) {
	e := &encoder{out: out, err: w.err}
	e.raw([]byte(Magic))
	e.u32(Version)
	e.u64(uint64(len(w.tensors)))
	e.u64(uint64(len(w.keys)))
	for _, k := range w.keys {
		e.text(k.Name)
		e.value(k.Name, k.Value)
	}
	for _, t := range w.tensors {
		e.text(t.Name)
		e.u32(uint32(len(t.Shape)))
		for _, d := range t.Shape {
			e.u64(d)
		}
		e.u32(uint32(t.Type))
		e.u64(t.Offset)
	}
	e.pad()
	for _, t := range w.tensors {
		if e.err != nil {
			break
		}
		before := e.n
		if err := t.data(e); err != nil {
			e.fail(fmt.Errorf("gguf: tensor %q: %w", t.Name, err))
		} else if wrote := uint64(e.n - before); wrote != t.size && e.err == nil {
			e.fail(fmt.Errorf("gguf: tensor %q: %d bytes instead of %d", t.Name, wrote, t.size))
		}
		e.pad()
	}
	return e.n, e.err
}

// WriteFile writes to path through a file beside it, so that path never holds
// half a model, and returns the SHA-256 of the bytes as lower-case hex.
func (w *Writer) WriteFile(path string) (hash string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	sum := sha256.New()
	buf := bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<20)
	if _, err = w.WriteTo(buf); err != nil {
		return "", err
	}
	if err = buf.Flush(); err != nil {
		return "", err
	}
	if err = f.Chmod(0o644); err != nil {
		return "", err
	}
	if err = f.Sync(); err != nil {
		return "", err
	}
	if err = f.Close(); err != nil {
		return "", err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Floats returns the data of an F32 tensor.
func Floats(v []float32) func(io.Writer) error {
	return func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, v) }
}

// Bytes returns the data of a tensor that is already encoded.
func Bytes(b []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(b); return err }
}
