package app

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"referent/storage"
	"referent/storage/index"
)

// damagedIndex marks the error of an index that does not open because its file
// is damaged. Everything in it but the list of folders, labels and collections
// can be made again from the documents.
type damagedIndex struct{ error }

func (d damagedIndex) Unwrap() error { return d.error }

func markDamaged(err error) error {
	if errors.Is(err, storage.ErrDamaged) {
		return damagedIndex{err}
	}
	return err
}

// IndexDamaged tells whether Open failed for a damaged index, so that
// SetIndexAside helps.
func IndexDamaged(err error) bool {
	var d damagedIndex
	return errors.As(err, &d)
}

// SetIndexAside renames the files of a damaged index, so that the next Open
// begins with a new one. Nothing is deleted. It fails while the folder is open.
func SetIndexAside(dir string) error {
	lock, err := storage.LockFolder(dir)
	if err != nil {
		return err
	}
	stamp := time.Now().UTC().Format("20060102T150405Z")
	for _, end := range []string{"-wal", "-shm", ""} {
		from := filepath.Join(dir, index.FileName+end)
		to := filepath.Join(dir, "damaged-"+stamp+"-"+index.FileName+end)
		if e := os.Rename(from, to); e != nil && !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, storage.Explain(e))
		}
	}
	return errors.Join(err, lock.Close())
}
