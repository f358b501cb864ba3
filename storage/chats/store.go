package chats

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
const FileName = "chats.db"

// Kinds of refusal that callers tell apart with errors.Is.
var (
	ErrUnknownConversation = errors.New("there is no such conversation")
	ErrInvalid             = errors.New("the value is not valid")
)

func unknownConversation() error {
	return &storage.Error{Kind: ErrUnknownConversation, Message: "There is no such conversation.", Hint: "It may have been deleted."}
}

// Store is an open chats.db. Safe for concurrent use: one writer, several
// readers. Errors are *storage.Error or the context's.
type Store struct{ db *storage.DB }

// Open opens dir/chats.db, makes it if it is missing and migrates it after a
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
	return storage.Config{Dir: dir, Name: FileName, Full: true, Migrations: files}, err
}

// CheckSchema refuses a chats.db that a newer program wrote, without changing a
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

// IntegrityCheck asks SQLite to read the whole file and returns what it found
// wrong; none when all is well.
func (s *Store) IntegrityCheck(ctx context.Context) ([]string, error) {
	return storage.IntegrityCheck(ctx, s.db)
}

// query hands every row of a query on the read pool to each.
func (s *Store) query(ctx context.Context, each func(*sql.Rows) error, query string, args ...any) error {
	return queryOn(ctx, s.db.Read, each, query, args...)
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func queryOn(ctx context.Context, q querier, each func(*sql.Rows) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return storage.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return storage.Explain(err)
		}
	}
	return storage.Explain(rows.Err())
}

// now is the time as it will be read back.
func now() time.Time { return time.UnixMilli(time.Now().UnixMilli()) }

// orNull stores an absent text as null.
func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
