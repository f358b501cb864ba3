package index

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"io/fs"
	"time"

	"referent/storage"
)

//go:embed migrations/*.sql
var migrations embed.FS

// FileName is the name of the file in the data folder.
const FileName = "index.db"

// Store is an open index.db. Safe for concurrent use: one writer, several
// readers. Errors are *storage.Error or the context's.
type Store struct{ db *storage.DB }

// Open opens dir/index.db, makes it if it is missing and migrates it after a
// backup. Errors as storage.Open.
func Open(ctx context.Context, dir string) (*Store, error) {
	c, err := config(dir)
	if err != nil {
		return nil, err
	}
	db, err := storage.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Store{db: db}, nil
}

// config says where the file is and what makes its schema.
func config(dir string) (storage.Config, error) {
	files, err := fs.Sub(migrations, "migrations")
	return storage.Config{Dir: dir, Name: FileName, Migrations: files}, err
}

// CheckSchema refuses an index.db that a newer program wrote, without changing a
// byte of the folder. Errors as storage.CheckSchema.
func CheckSchema(ctx context.Context, dir string) error {
	c, err := config(dir)
	if err != nil {
		return err
	}
	return storage.CheckSchema(ctx, c)
}

// SchemaVersion is the schema that this program writes.
func SchemaVersion() int {
	c, err := config("")
	if err != nil {
		return 0
	}
	n, err := storage.Versions(c.Migrations)
	if err != nil {
		return 0
	}
	return n
}

// Close closes the file. Nothing may use the Store afterwards.
func (s *Store) Close() error { return s.db.Close() }

// BackupTo writes one consistent copy of the file to path, which must not exist.
func (s *Store) BackupTo(ctx context.Context, path string) error { return s.db.BackupTo(ctx, path) }

// Meta returns the value under key; empty when there is none.
func (s *Store) Meta(ctx context.Context, key string) (string, error) {
	var v string
	err := s.db.Read.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = ?", key).Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return v, storage.Explain(err)
}

// SetMeta keeps a value under key.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	return s.db.Update(ctx, func(tx *sql.Tx) error { return setMeta(ctx, tx, key, value) })
}

func setMeta(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
	return err
}

// querier is what reads: the pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// collect reads all rows of a query through scan.
func collect[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	var all []T
	err := each(ctx, q, scan, func(v T) error { all = append(all, v); return nil }, query, args...)
	return all, err
}

// each hands every row of a query to fn and ends at fn's first error.
func each[T any](ctx context.Context, q querier, scan func(*sql.Rows) (T, error), fn func(T) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return storage.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return storage.Explain(err)
		}
		if err := fn(v); err != nil {
			return err
		}
	}
	return storage.Explain(rows.Err())
}

func scanID(rows *sql.Rows) (int64, error) {
	var id int64
	err := rows.Scan(&id)
	return id, err
}

// millis and fromMillis keep times as milliseconds since 1970; 0 is the zero time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
