//go:build unix

package disk

import (
	"errors"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Mapping is the content of a file. Data is read-only and valid as long as the
// Mapping is reachable; whoever keeps a part of Data keeps the Mapping.
type Mapping struct{ Data []byte }

func mapFile(path string, size int64) (*Mapping, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != size || size == 0 { // reading beyond the end of a mapped file ends the program
		return nil, ErrDamaged
	}
	data, err := unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	m := &Mapping{data}
	runtime.AddCleanup(m, func(data []byte) { _ = unix.Munmap(data) }, data)
	return m, nil
}

// SyncFolder makes a rename survive a power cut.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, unix.EINVAL) { // some file systems cannot
		err = nil
	}
	return errors.Join(err, d.Close())
}
