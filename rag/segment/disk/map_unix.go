//go:build unix

package disk

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Mapping is the content of a file. Data is read-only and valid as long as the
// Mapping is reachable; whoever keeps a part of Data keeps the Mapping.
type Mapping struct {
	Data []byte
	file *os.File
}

// Copy reads a part of Data into to, which has its length, from the file itself:
// a mapped page, with fifteen neighbours, counts as the program's memory once it
// was touched. The error is ErrDamaged.
func (m *Mapping) Copy(to, part []byte) error {
	at := int64(uintptr(unsafe.Pointer(unsafe.SliceData(part))) - uintptr(unsafe.Pointer(unsafe.SliceData(m.Data))))
	if _, err := m.file.ReadAt(to, at); err != nil {
		return errors.Join(ErrDamaged, err)
	}
	return nil
}

// Forget makes the pages that were touched count as the program's no longer. They
// are read again when they are.
func (m *Mapping) Forget() { _ = unix.Madvise(m.Data, unix.MADV_DONTNEED) } // a hint

func mapFile(path string, size int64) (*Mapping, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	data, err := mapOpen(file, size)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	m := &Mapping{data, file} // the file is closed when it is no longer reachable
	runtime.AddCleanup(m, func(data []byte) { _ = unix.Munmap(data) }, data)
	return m, nil
}

func mapOpen(file *os.File, size int64) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() != size || size == 0 { // reading beyond the end of a mapped file ends the program
		return nil, ErrDamaged
	}
	return unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
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
