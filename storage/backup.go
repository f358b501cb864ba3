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

// backupTime is the form of the time in the name of a copy; names sort by it.
const backupTime = "20060102-150405.000000000"

// Backup writes one consistent copy of the file into dir and keeps the newest
// two. It returns the path of the copy. Readers and the writer go on meanwhile.
// A copy counts as newer than all that are there, whatever the clock says.
func (db *DB) Backup(ctx context.Context, dir string) (string, error) {
	if err := os.MkdirAll(dir, FolderMode); err != nil {
		return "", Explain(err)
	}
	stem := strings.TrimSuffix(filepath.Base(db.Path), ".db")
	copies, err := backups(dir, stem)
	if err != nil {
		return "", err
	}
	at := time.Now().UTC()
	if n := len(copies); n > 0 {
		last := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(copies[n-1]), stem+"-"), ".db")
		if newest, err := time.Parse(backupTime, last); err == nil && !at.After(newest) { // the clock went back
			at = newest.Add(time.Nanosecond)
		}
	}
	path := filepath.Join(dir, fmt.Sprintf("%s-%s.db", stem, at.Format(backupTime)))
	if err := db.BackupTo(ctx, path); err != nil {
		return "", err
	}
	copies = append(copies, path)
	for len(copies) > keptBackups {
		if err := os.Remove(copies[0]); err != nil {
			return "", Explain(err)
		}
		copies = copies[1:]
	}
	return path, nil
}

// backups lists the copies of a file, the oldest first.
func backups(dir, stem string) ([]string, error) {
	copies, err := filepath.Glob(filepath.Join(escapeGlob(dir), stem+"-*.db"))
	slices.Sort(copies)
	return copies, err
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
