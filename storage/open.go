package storage

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Modes of what the program keeps: for its owner only.
const (
	FolderMode fs.FileMode = 0o700
	FileMode   fs.FileMode = 0o600
)

// Config says how a file is opened.
type Config struct {
	Dir        string // data folder; made if it is missing
	Name       string // file name in Dir, such as "index.db"
	Full       bool   // synchronous=FULL: survives a power cut at every commit; else NORMAL
	Migrations fs.FS  // 0001_name.sql, 0002_name.sql, … at its top
	Readers    int    // connections of the read pool; 0: 4
}

// DB is an open SQLite file. Safe for concurrent use.
type DB struct {
	Path  string
	Read  *sql.DB // read-only pool
	write *sql.DB // one connection, every transaction IMMEDIATE
}

// Open opens or makes the file, checks where it lies, sets private modes and
// migrates it. Errors are *Error (ErrPlace, ErrNewer, ErrDamaged, ErrReadOnly,
// ErrDiskFull, ErrSQLite) or the context's.
func Open(ctx context.Context, c Config) (*DB, error) {
	if err := CheckSQLite(); err != nil {
		return nil, err
	}
	var err error
	if c.Dir, err = filepath.Abs(c.Dir); err != nil { // the address of a file has no relative form
		return nil, Explain(err)
	}
	if err := PrepareFolder(c.Dir); err != nil {
		return nil, err
	}
	if err := CheckSchema(ctx, c); err != nil { // before anything is opened for writing
		return nil, err
	}
	db := &DB{Path: filepath.Join(c.Dir, c.Name)}
	if err := createPrivate(db.Path); err != nil {
		return nil, Explain(err)
	}
	db.write = sql.OpenDB(writer(db.Path, c.Full))
	db.write.SetMaxOpenConns(1)
	db.write.SetMaxIdleConns(1)
	if err := db.write.PingContext(ctx); err != nil { // the writer first: a reader cannot make the WAL
		return nil, Explain(errors.Join(err, db.write.Close()))
	}
	if err := migrate(ctx, db, c.Migrations, filepath.Join(c.Dir, "backup")); err != nil {
		return nil, Explain(errors.Join(err, db.write.Close()))
	}
	readers := c.Readers
	if readers == 0 {
		readers = 4
	}
	db.Read = sql.OpenDB(reader(db.Path))
	db.Read.SetMaxOpenConns(readers)
	db.Read.SetMaxIdleConns(readers)
	if err := db.Read.PingContext(ctx); err != nil {
		return nil, Explain(errors.Join(err, db.Close()))
	}
	return db, nil
}

// Close ends readers, then the writer, so that the last close folds the WAL
// back into the file.
func (db *DB) Close() error {
	var err error
	if db.Read != nil {
		err = db.Read.Close()
	}
	_, optimize := db.write.Exec("PRAGMA optimize")
	return Explain(errors.Join(err, optimize, db.write.Close()))
}

// Update runs fn in one IMMEDIATE transaction and commits it, or leaves no
// trace of it. Errors are explained.
func (db *DB) Update(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := db.write.BeginTx(ctx, nil)
	return inTransaction(ctx, tx, err, fn)
}

// inTransaction runs fn in a transaction that was begun, or returns why it
// could not be.
func inTransaction(ctx context.Context, tx *sql.Tx, err error, fn func(*sql.Tx) error) error {
	if err != nil {
		return Explain(err)
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit; also runs on a panic in fn
	if err := fn(tx); err != nil {
		return Explain(err)
	}
	if err := tx.Commit(); err != nil {
		if ctx.Err() != nil { // the driver rolled back when the context ended
			return ctx.Err()
		}
		return Explain(err)
	}
	return nil
}

// UpdateDurably is Update whose commit, with all commits before it, survives a
// power cut as soon as it returns: SQLite brings the WAL to the medium at the
// commit, busy readers or not.
func (db *DB) UpdateDurably(ctx context.Context, fn func(*sql.Tx) error) error {
	conn, err := db.write.Conn(ctx)
	if err != nil {
		return Explain(err)
	}
	defer conn.Close()
	var before int
	if err := conn.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&before); err != nil {
		return Explain(err)
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA synchronous = FULL"); err != nil {
		return Explain(err)
	}
	defer func() {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA synchronous = "+strconv.Itoa(before)) // else it stays strict
	}()
	tx, err := conn.BeginTx(ctx, nil)
	return inTransaction(ctx, tx, err, fn)
}

// Checkpoint folds the WAL into the file and empties it, so that deleted text
// does not stay in the WAL. Busy readers only delay it to a later call.
func (db *DB) Checkpoint(ctx context.Context) error {
	_, err := db.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	var s sqlite3.Error
	if errors.As(err, &s) && s.Code == sqlite3.ErrBusy {
		return nil
	}
	return Explain(err)
}

// connector opens connections with one driver value of its own, so that no
// global driver name is needed. setup runs once on each connection.
type connector struct {
	dsn    string
	driver *sqlite3.SQLiteDriver
}

func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }
func (c connector) Driver() driver.Driver                        { return c.driver }

// statements is how many prepared statements a connection keeps: entering a
// file into the ledger spent more than half of its time on preparing them.
const statements = "64"

// writer's page size and vacuum mode come before WAL: afterwards SQLite ignores
// them without a word. 8 kB pages suit rows of 1 kB text and 768 B vectors.
func writer(path string, full bool) connector {
	q := url.Values{}
	q.Set("_busy_timeout", "5000")
	q.Set("_txlock", "immediate")
	q.Set("_foreign_keys", "on")
	q.Set("_secure_delete", "on")
	q.Set("_synchronous", "NORMAL")
	if full {
		q.Set("_synchronous", "FULL")
	}
	q.Set("_cache_size", "-32768") // 32 MiB
	q.Set("_stmt_cache_size", statements)
	return connector{dsn: dsn(path, q), driver: hook(
		"PRAGMA page_size = 8192",
		"PRAGMA auto_vacuum = INCREMENTAL",
		"PRAGMA journal_mode = WAL",
		"PRAGMA journal_size_limit = 67108864",
		// On macOS a plain fsync does not reach the medium; elsewhere these change nothing.
		"PRAGMA fullfsync = ON",
		"PRAGMA checkpoint_fullfsync = ON",
	)}
}

func reader(path string) connector {
	q := url.Values{}
	q.Set("mode", "ro")
	q.Set("_query_only", "1")
	q.Set("_busy_timeout", "5000")
	q.Set("_cache_size", "-8192")
	q.Set("_stmt_cache_size", statements)
	return connector{dsn: dsn(path, q), driver: hook()}
}

func hook(pragmas ...string) *sqlite3.SQLiteDriver {
	return &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		for _, p := range pragmas {
			if _, err := c.Exec(p, nil); err != nil {
				return err
			}
		}
		return nil
	}}
}

// dsn escapes the path: a question mark, a number sign or a percent sign in a
// folder's name would end or change it.
func dsn(path string, q url.Values) string {
	p := filepath.ToSlash(path)
	p = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(p)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a drive letter
	}
	return "file:" + p + "?" + q.Encode()
}

// createPrivate makes the file before SQLite does, because SQLite gives the WAL
// the mode of the file. An existing file is never opened here: closing any
// handle on it would drop SQLite's own locks on POSIX systems.
func createPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, FileMode)
	if errors.Is(err, fs.ErrExist) {
		return os.Chmod(path, FileMode)
	}
	if err != nil {
		return err
	}
	return f.Close()
}
