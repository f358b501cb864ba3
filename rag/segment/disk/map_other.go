//go:build !unix

package disk

import "os"

// Mapping is the content of a file, read into memory here: a mapped file could
// be neither replaced nor deleted on Windows.
type Mapping struct{ Data []byte }

// Copy copies a part of Data.
func (m *Mapping) Copy(to, part []byte) error { copy(to, part); return nil }

// Forget does nothing: the content is the program's own memory.
func (m *Mapping) Forget() {}

func mapFile(path string, size int64) (*Mapping, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != size || size == 0 {
		return nil, ErrDamaged
	}
	return &Mapping{data}, nil
}

// SyncFolder does nothing: Windows keeps its directory changes itself.
func SyncFolder(string) error { return nil }
