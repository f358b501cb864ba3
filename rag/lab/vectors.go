package lab

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// vectors is a file of embeddings by content: records of the 32 bytes of a
// SHA-256 and the vector, little-endian float32. It only grows. What a kill cut
// off at its end is overwritten.
type vectors struct {
	file   *os.File
	dims   int
	byHash map[string][]float32
}

// openVectors opens the file of one model, which is made if need be.
func openVectors(folder, model string, dims int) (*vectors, error) {
	if dims <= 0 {
		return nil, errors.New("lab: the embedding model does not tell the length of its vectors")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	name := hex.EncodeToString([]byte(model))
	f, err := os.OpenFile(filepath.Join(folder, name[:min(64, len(name))]+".vectors"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	v := &vectors{file: f, dims: dims, byHash: map[string][]float32{}}
	if err := v.read(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return v, nil
}

const hashBytes = 32

func (v *vectors) read() error {
	record := make([]byte, hashBytes+4*v.dims)
	whole := int64(0)
	for {
		_, err := io.ReadFull(v.file, record)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return err
		}
		row := make([]float32, v.dims)
		for i := range row {
			row[i] = math.Float32frombits(binary.LittleEndian.Uint32(record[hashBytes+4*i:]))
		}
		v.byHash[hex.EncodeToString(record[:hashBytes])] = row
		whole += int64(len(record))
	}
	if err := v.file.Truncate(whole); err != nil {
		return err
	}
	_, err := v.file.Seek(whole, io.SeekStart)
	return err
}

// Get returns the vector of a content, named by its SHA-256 in hex.
func (v *vectors) Get(content string) ([]float32, bool) {
	row, ok := v.byHash[content]
	return row, ok
}

// Put keeps a vector.
func (v *vectors) Put(content string, row []float32) error {
	if len(row) != v.dims {
		return fmt.Errorf("lab: a vector of %d values, not %d", len(row), v.dims)
	}
	record, err := hex.DecodeString(content)
	if err != nil || len(record) != hashBytes {
		return fmt.Errorf("lab: %q is no hash of a content", content)
	}
	for _, x := range row {
		record = binary.LittleEndian.AppendUint32(record, math.Float32bits(x))
	}
	v.byHash[content] = row
	_, err = v.file.Write(record)
	return err
}

// Close closes the file.
func (v *vectors) Close() error { return v.file.Close() }
