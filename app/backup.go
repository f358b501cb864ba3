package app

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"referent/rag"
	"referent/storage"
)

// A backup is a zip of both databases, each as one consistent copy, and of the
// folder of the lab: runs, verdicts and own tests. The search index is not in it:
// it is built anew.

// writeBackup writes path from the copies that each database makes of itself, and
// what addLab adds.
func writeBackup(ctx context.Context, dataDir, path string, copyTo map[string]func(context.Context, string) error, addLab func(*zip.Writer) error) (err error) {
	taken := &rag.Error{Code: rag.CodeStorageFailed, Message: "There is already a file at this place.", Hint: "Choose another name for the backup."}
	if _, err := os.Lstat(path); err == nil {
		return taken
	}
	copies, err := os.MkdirTemp(dataDir, backupCopies)
	if err != nil {
		return storage.Explain(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(copies)) }()
	out, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.partial") // made with mode 0600
	if err != nil {
		return storage.Explain(err)
	}
	partial := out.Name()
	defer func() {
		if err != nil {
			_ = os.Remove(partial) // the error says that there is no backup
		}
	}()
	z := zip.NewWriter(out)
	for _, name := range databases {
		one := filepath.Join(copies, name)
		if err := copyTo[name](ctx, one); err != nil {
			return errors.Join(err, out.Close())
		}
		if err := addFile(z, one, name); err != nil {
			return errors.Join(storage.Explain(err), out.Close())
		}
	}
	if err := addLab(z); err != nil {
		return errors.Join(storage.Explain(err), out.Close())
	}
	if err := errors.Join(z.Close(), out.Sync(), out.Close()); err != nil {
		return storage.Explain(err)
	}
	err = putNew(os.Link, partial, path)
	if errors.Is(err, fs.ErrExist) {
		taken.Cause = err
		return taken
	}
	return storage.Explain(err)
}

func addFile(z *zip.Writer, path, name string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Now()})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, in)
	return err
}
