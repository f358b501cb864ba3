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
	"referent/storage/chats"
	"referent/storage/index"
)

// A backup is a zip of both databases, each as one consistent copy. The search
// index is not in it: it is built anew.

// writeBackup writes path from the copies that each database makes of itself.
func writeBackup(ctx context.Context, dataDir, path string, databases map[string]func(context.Context, string) error) (err error) {
	if _, err := os.Lstat(path); err == nil {
		return &rag.Error{Code: rag.CodeStorageFailed, Message: "There is already a file at this place.", Hint: "Choose another name for the backup."}
	}
	copies, err := os.MkdirTemp(dataDir, "backup-")
	if err != nil {
		return storage.Explain(err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(copies)) }()
	partial := path + ".partial"
	out, err := os.OpenFile(partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, storage.FileMode)
	if err != nil {
		return storage.Explain(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(partial) // the error says that there is no backup
		}
	}()
	z := zip.NewWriter(out)
	for _, name := range []string{index.FileName, chats.FileName} {
		one := filepath.Join(copies, name)
		if err := databases[name](ctx, one); err != nil {
			return errors.Join(err, out.Close())
		}
		if err := addFile(z, one, name); err != nil {
			return errors.Join(storage.Explain(err), out.Close())
		}
	}
	if err := errors.Join(z.Close(), out.Sync(), out.Close()); err != nil {
		return storage.Explain(err)
	}
	return storage.Explain(os.Rename(partial, path))
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

// Restore puts the databases of a backup in the place of those in a data
// folder, which nobody may be using. What was there is moved to the folder
// "backup" of the data folder, whose path is returned. A file that is no whole
// backup changes nothing.
func Restore(ctx context.Context, dataDir, path string) (before string, err error) {
	lock, err := storage.LockFolder(dataDir)
	if err != nil {
		return "", storageError(err)
	}
	defer lock.Close()
	fresh, err := os.MkdirTemp(dataDir, "restore-")
	if err != nil {
		return "", storageError(storage.Explain(err))
	}
	defer func() { err = errors.Join(err, os.RemoveAll(fresh)) }()
	if err := unpack(path, fresh); err != nil {
		return "", err
	}
	if err := tryOpen(ctx, fresh); err != nil {
		return "", storageError(err)
	}
	before = filepath.Join(dataDir, "backup", "before-restore-"+time.Now().UTC().Format("20060102-150405.000"))
	if err := os.MkdirAll(before, storage.FolderMode); err != nil {
		return "", storageError(storage.Explain(err))
	}
	for _, name := range []string{index.FileName, chats.FileName} {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if err := os.Rename(filepath.Join(dataDir, name+suffix), filepath.Join(before, name+suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return before, storageError(storage.Explain(err))
			}
		}
		if err := os.Rename(filepath.Join(fresh, name), filepath.Join(dataDir, name)); err != nil {
			return before, storageError(storage.Explain(err))
		}
	}
	return before, storageError(storage.Explain(os.RemoveAll(filepath.Join(dataDir, indexFolder))))
}

// unpack takes the two databases out of a backup, and nothing else.
func unpack(path, dir string) error {
	noBackup := func(cause error) error {
		return &rag.Error{Code: rag.CodeStorageFailed, Message: "This file is not a whole backup of Referent.", Hint: "Nothing was changed. Choose another file.", Cause: cause}
	}
	z, err := zip.OpenReader(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &rag.Error{Code: rag.CodeStorageFailed, Message: "There is no file at this place.", Hint: "Nothing was changed. Check the name.", Cause: err}
	}
	if err != nil {
		return noBackup(err)
	}
	defer z.Close()
	for _, name := range []string{index.FileName, chats.FileName} {
		in, err := z.Open(name)
		if err != nil {
			return noBackup(err)
		}
		out, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, storage.FileMode)
		if err != nil {
			return errors.Join(storage.Explain(err), in.Close())
		}
		_, err = io.Copy(out, in)
		switch err := errors.Join(err, out.Sync(), out.Close(), in.Close()); {
		case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF):
			return noBackup(err)
		case err != nil:
			return storageError(storage.Explain(err))
		}
	}
	return nil
}

// tryOpen opens both databases, which brings older ones up to date, and reads
// the library whole.
func tryOpen(ctx context.Context, dir string) error {
	library, err := index.Open(ctx, dir)
	if err != nil {
		return err
	}
	damage, err := library.IntegrityCheck(ctx)
	if err = errors.Join(err, library.Close()); err != nil {
		return err
	}
	if len(damage) > 0 {
		return &rag.Error{Code: rag.CodeStorageFailed, Message: "The library in this backup is damaged.", Hint: "Nothing was changed. Choose an older backup."}
	}
	conversations, err := chats.Open(ctx, dir)
	if err != nil {
		return err
	}
	return conversations.Close()
}
