package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
)

// CheckSchema refuses a file whose schema is newer than the migrations of this
// program, and changes no byte of it or beside it, so that the newer program
// finds it as it left it. A file that is not there passes. Errors are *Error
// (ErrNewer, ErrDamaged, ErrReadOnly) or the context's.
func CheckSchema(ctx context.Context, c Config) error {
	known, err := Versions(c.Migrations)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return Explain(err)
	}
	version, err := schemaVersion(ctx, filepath.Join(dir, c.Name))
	if err != nil {
		return Explain(err)
	}
	if version > known {
		return &Error{Kind: ErrNewer, Message: fmt.Sprintf("The file %s was written by a newer version of Referent.", c.Name),
			Hint: "Install the newer version, or choose another data folder."}
	}
	return nil
}

// schemaVersion reads the version of a file, 0 where there is none. A file
// without WAL is opened as one that nobody changes: then SQLite makes no files
// beside it. What a WAL holds counts; reading it needs an index of it, which is
// taken away again unless it was there before.
func schemaVersion(ctx context.Context, path string) (version int, err error) {
	if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return 0, nil
	}
	q := url.Values{}
	q.Set("mode", "ro")
	if wal, err := os.Stat(path + "-wal"); err != nil || wal.Size() == 0 {
		q.Set("immutable", "1")
	} else if _, err := os.Stat(path + "-shm"); errors.Is(err, fs.ErrNotExist) {
		defer func() { _ = os.Remove(path + "-shm") }() // the writer makes it anew
	}
	db := sql.OpenDB(connector{dsn: dsn(path, q), driver: hook()})
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}
