package disk

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Errors of Map. Both mean that the file has to be built again.
var (
	ErrMissing = errors.New("the file is missing")
	ErrDamaged = errors.New("the file is not what was written")
)

const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
	prefix                 = "seg-" // of all names
)

// Folder is the folder of an index. Safe for concurrent use with distinct
// names.
type Folder struct{ dir string }

// Open makes the folder if it is missing and removes unfinished files.
func Open(dir string) (*Folder, error) {
	tmp := filepath.Join(dir, "tmp")
	if err := errors.Join(os.MkdirAll(dir, folderMode), os.RemoveAll(tmp), os.MkdirAll(tmp, folderMode)); err != nil {
		return nil, err
	}
	return &Folder{dir}, nil
}

// Name is the name of a segment's file of one kind, such as "bm25".
func Name(id int64, kind string) string { return fmt.Sprintf("%s%d.%s", prefix, id, kind) }

// Write writes a file from its parts and returns its size and CRC-32C. When it
// returns, the whole file is on the medium under its name.
func (f *Folder) Write(name string, parts ...[]byte) (size int64, sum uint32, err error) {
	// The folder may have been deleted while the program runs.
	if err := os.MkdirAll(filepath.Join(f.dir, "tmp"), folderMode); err != nil {
		return 0, 0, err
	}
	tmp, path := filepath.Join(f.dir, "tmp", name), filepath.Join(f.dir, name)
	defer func() {
		if err != nil {
			_ = os.Remove(tmp) // emptied at the next start otherwise
		}
	}()
	out, err := os.OpenFile(tmp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, fileMode)
	if err != nil {
		return 0, 0, err
	}
	hash := crc32.New(castagnoli)
	for _, p := range parts {
		if _, err := out.Write(p); err != nil {
			return 0, 0, errors.Join(err, out.Close())
		}
		_, _ = hash.Write(p) // never fails
		size += int64(len(p))
	}
	if err := errors.Join(out.Sync(), out.Close()); err != nil {
		return 0, 0, err
	}
	if err := os.Rename(tmp, path); err != nil {
		return 0, 0, err
	}
	return size, hash.Sum32(), SyncFolder(f.dir)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// MapUnread gives the content of a file of this size without reading it: its
// bytes may be wrong. Errors: ErrMissing, ErrDamaged.
func (f *Folder) MapUnread(name string, size int64) (*Mapping, error) {
	m, err := mapFile(filepath.Join(f.dir, name), size)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	return m, err
}

// Map gives the content of a file, or ErrMissing, or ErrDamaged where it does
// not have this size and checksum.
func (f *Folder) Map(name string, size int64, sum uint32) (*Mapping, error) {
	if err := f.Check(name, size, sum); err != nil {
		return nil, err
	}
	return f.MapUnread(name, size)
}

// Check reads a file and compares size and checksum. Nothing of it stays in
// memory: mapped pages that were read once would count as the program's.
func (f *Folder) Check(name string, size int64, sum uint32) (err error) {
	file, err := os.Open(filepath.Join(f.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrMissing
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := crc32.New(castagnoli)
	n, err := io.Copy(hash, file)
	if err != nil {
		return err
	}
	if n != size || hash.Sum32() != sum {
		return ErrDamaged
	}
	return nil
}

// Remove deletes files; one that is not there or cannot go now is left to a
// later Sweep.
func (f *Folder) Remove(names ...string) {
	for _, n := range names {
		_ = os.Remove(filepath.Join(f.dir, n))
	}
}

// Sweep deletes the files of segments that keep does not name. Files with other
// names are left alone.
func (f *Folder) Sweep(keep map[string]bool) error {
	files, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	for _, e := range files {
		if n := e.Name(); strings.HasPrefix(n, prefix) && !keep[n] {
			f.Remove(n)
		}
	}
	return nil
}

// Size is the bytes of all files in the folder.
func (f *Folder) Size() (int64, error) { return Size(f.dir) }

// Size is the bytes of all files below a folder; 0 where there is none.
func Size(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // went away meanwhile
			}
			return err
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		return nil
	})
	return total, err
}
