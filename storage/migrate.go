package storage

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Versions returns the number of migrations in files, which is the schema
// version of this program for that database.
func Versions(files fs.FS) (int, error) {
	names, err := migrationNames(files)
	return len(names), err
}

// migrationNames returns the names in order. They count from 0001 without a gap.
func migrationNames(files fs.FS) ([]string, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for i, name := range names {
		number, _, _ := strings.Cut(name, "_")
		if n, err := strconv.Atoi(number); err != nil || n != i+1 {
			return nil, fmt.Errorf("migration %q should be number %d", name, i+1)
		}
	}
	return names, nil
}

// migrate brings the file to the newest schema. Before a file that holds
// something is changed, a copy of it is made in backupDir. Each migration is
// one transaction together with the version that it sets. The file is not newer
// than the program: CheckSchema came first.
func migrate(ctx context.Context, db *DB, files fs.FS, backupDir string) error {
	names, err := migrationNames(files)
	if err != nil {
		return err
	}
	var version int
	if err := db.write.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > 0 && version < len(names) {
		if _, err := db.Backup(ctx, backupDir); err != nil {
			return err
		}
	}
	for i := version; i < len(names); i++ {
		script, err := fs.ReadFile(files, names[i])
		if err != nil {
			return err
		}
		err = db.Update(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, string(script)); err != nil {
				return fmt.Errorf("migration %s: %w", names[i], err)
			}
			_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", i+1))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
