package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// keptBackups is how many copies of one file stay.
const keptBackups = 2

// Backup writes one consistent copy of the file into dir and keeps the newest
// two. It returns the path of the copy. Readers and the writer go on meanwhile.
func (db *DB) Backup(ctx context.Context, dir string) (string, error) {
	if err := os.MkdirAll(dir, FolderMode); err != nil {
		return "", Explain(err)
	}
	stem := strings.TrimSuffix(filepath.Base(db.Path), ".db")
	path := filepath.Join(dir, fmt.Sprintf("%s-%s.db", stem, time.Now().UTC().Format("20060102-150405.000000000")))
	if err := db.BackupTo(ctx, path); err != nil {
		return "", err
	}
	copies, err := filepath.Glob(filepath.Join(dir, stem+"-*.db"))
	if err != nil {
		return "", err
	}
	slices.Sort(copies) // the names hold the time
	for len(copies) > keptBackups {
		if err := os.Remove(copies[0]); err != nil {
			return "", Explain(err)
		}
		copies = copies[1:]
	}
	return path, nil
}

// BackupTo writes one consistent copy of the file to path, which must not
// exist. A failed copy is removed.
func (db *DB) BackupTo(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, FileMode) // VACUUM INTO takes an empty file, and its mode
	if err != nil {
		return Explain(err)
	}
	if err := f.Close(); err != nil {
		return Explain(err)
	}
	if _, err := db.write.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return Explain(errors.Join(err, os.Remove(path)))
	}
	return nil
}
