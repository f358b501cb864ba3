package app

import (
	"archive/zip"
	"compress/flate"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"referent/app/setting"
	"referent/inference/download"
	"referent/rag"
	"referent/storage"
	"referent/storage/chats"
	"referent/storage/index"
)

// Restored is the result of Restore.
type Restored struct {
	Before string `json:"before"` // folder that holds what was there
	Reset  bool   `json:"reset"`  // the backup let texts leave the computer or other programs ask; that is off again
}

// Restore puts the databases and the lab of a backup in the place of those in a
// data folder, which nobody may be using; a backup without a lab leaves it alone.
// What was there is kept in the folder "backup" of the data folder. Settings that
// permit a connection go back to their defaults: a permission is given on this
// computer. A file that is no whole backup changes nothing, and neither does an
// error. A restore that is cut short is completed at the next start.
func Restore(ctx context.Context, dataDir, path string) (_ Restored, err error) {
	lock, err := storage.LockFolder(dataDir)
	if err != nil {
		return Restored{}, storageError(err)
	}
	defer lock.Close()
	if err := settle(ctx, dataDir); err != nil {
		return Restored{}, storageError(err)
	}
	fresh, err := os.MkdirTemp(dataDir, restoreCopies)
	if err != nil {
		return Restored{}, storageError(storage.Explain(err))
	}
	defer func() {
		if !unsettled(dataDir) { // else the next start needs it
			err = errors.Join(err, os.RemoveAll(fresh))
		}
	}()
	if err := unpack(path, fresh, download.FreeSpace); err != nil {
		return Restored{}, err
	}
	reset, err := tryOpen(ctx, fresh)
	if err != nil {
		return Restored{}, storageError(err)
	}
	s := swap{dir: dataDir, Fresh: filepath.Base(fresh), Before: "before-restore-" + time.Now().UTC().Format("20060102-150405.000")}
	if err := s.run(ctx); err != nil {
		return Restored{}, storageError(storage.Explain(err))
	}
	return Restored{Before: s.before(), Reset: reset}, nil
}

func noBackup(cause error) error {
	return &rag.Error{Code: rag.CodeStorageFailed, Message: "This file is not a whole backup of Referent.", Hint: "Nothing was changed. Choose another file.", Cause: cause}
}

// unpack takes the two databases and the lab out of a backup, and nothing else.
// free tells the bytes that a folder has room for; what would not fit is not begun.
func unpack(path, dir string, free func(dir string) (int64, error)) error {
	z, err := zip.OpenReader(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &rag.Error{Code: rag.CodeStorageFailed, Message: "There is no file at this place.", Hint: "Nothing was changed. Check the name.", Cause: err}
	}
	if err != nil {
		return noBackup(err)
	}
	defer z.Close()
	room, err := free(dir)
	if err != nil {
		return storageError(storage.Explain(err))
	}
	for _, name := range databases {
		in, err := z.Open(name)
		if err != nil {
			return noBackup(err)
		}
		size, err := unpackFile(in, filepath.Join(dir, name), room)
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
		room -= size
	}
	return unpackLab(z, dir, room)
}

// unpackFile writes one file of at most room bytes and returns its size.
func unpackFile(in fs.File, path string, room int64) (int64, error) {
	info, err := in.Stat()
	if err != nil {
		return 0, noBackup(err)
	}
	size := info.Size() // as the archive says
	if size < 0 || size > room {
		return 0, &rag.Error{Code: rag.CodeStorageFailed, Message: "The backup does not fit on the disk of the data folder.", Hint: "Nothing was changed. Free some space, or choose another file."}
	}
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, storage.FileMode)
	if err != nil {
		return 0, storageError(storage.Explain(err))
	}
	n, err := io.Copy(out, io.LimitReader(in, size+1))
	var corrupt flate.CorruptInputError
	switch err := errors.Join(err, out.Sync(), out.Close()); {
	case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &corrupt):
		return 0, noBackup(err)
	case err != nil:
		return 0, storageError(storage.Explain(err))
	case n != size:
		return 0, noBackup(nil)
	}
	return n, nil
}

// tryOpen opens both databases, which brings older ones up to date, reads the
// library whole and takes permissions back; reset tells whether there were any.
func tryOpen(ctx context.Context, dir string) (reset bool, err error) {
	library, err := index.Open(ctx, dir)
	if err != nil {
		return false, err
	}
	damage, err := library.IntegrityCheck(ctx)
	if err = errors.Join(err, library.Close()); err != nil {
		return false, err
	}
	if len(damage) > 0 {
		return false, &rag.Error{Code: rag.CodeStorageFailed, Message: "The library in this backup is damaged.", Hint: "Nothing was changed. Choose an older backup."}
	}
	conversations, err := chats.Open(ctx, dir)
	if err != nil {
		return false, err
	}
	reset, err = takeBack(ctx, conversations)
	return reset, errors.Join(err, conversations.Close())
}

// takeBack resets the settings that permit connections, and tells whether one
// of them was not at its default.
func takeBack(ctx context.Context, conversations *chats.Store) (reset bool, err error) {
	stored, err := conversations.Settings(ctx)
	if err != nil {
		return false, err
	}
	defaults := map[string]string{}
	for _, row := range setting.Table {
		defaults[row.Key] = row.Default
	}
	for key, value := range stored {
		if !strings.HasPrefix(key, "remote.") && !strings.HasPrefix(key, "api.") {
			continue
		}
		reset = reset || value != defaults[key]
		if err := conversations.ResetSetting(ctx, key); err != nil {
			return false, err
		}
	}
	return reset, nil
}
