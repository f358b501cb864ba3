package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	sqlite3 "github.com/mattn/go-sqlite3"
)

func scripts(texts ...string) fs.FS {
	files := fstest.MapFS{}
	for i, text := range texts {
		files[fmt.Sprintf("%04d_step.sql", i+1)] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

const first = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;"

func open(t *testing.T, dir string, migrations fs.FS) *DB {
	t.Helper()
	db, err := Open(t.Context(), Config{Dir: dir, Name: "notes.db", Migrations: migrations})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func write(t *testing.T, db *DB, text string) {
	t.Helper()
	err := db.Update(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO notes (text) VALUES (?)", text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestARelativeFolderIsTheOneBelowTheWorkingFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	db, err := Open(t.Context(), Config{Dir: filepath.Join("papers", "data"), Name: "x.db", Migrations: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "papers", "data", "x.db")); err != nil {
		t.Error(err)
	}
}

func TestSQLiteIsNewEnough(t *testing.T) {
	if err := CheckSQLite(); err != nil {
		t.Fatal(err)
	}
	if err := checkSQLite("3.51.3", 3051003); err != nil {
		t.Error(err)
	}
	err := checkSQLite("3.51.2", 3051002)
	if want := "This program was built with SQLite 3.51.2, which can damage its files. Build it with the SQLite that comes with it, version 3.51.3 or newer."; !errors.Is(err, ErrSQLite) || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestPragmasHoldOnEveryConnection(t *testing.T) {
	db := open(t, t.TempDir(), scripts(first))
	full, err := Open(t.Context(), Config{Dir: t.TempDir(), Name: "full.db", Full: true, Migrations: scripts(first)})
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	if _, err := db.Read.Exec("DELETE FROM notes"); err == nil {
		t.Error("the read pool writes")
	}
	ask := func(pool *sql.DB, pragma string) string {
		t.Helper()
		conn, err := pool.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() }) // held, so that the next question meets another connection
		var v string
		if err := conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct{ pragma, want string }{{"query_only", "1"}, {"busy_timeout", "5000"}, {"journal_mode", "wal"}, {"page_size", "8192"}} {
		if got := ask(db.Read, c.pragma); got != c.want {
			t.Errorf("a reader has %s = %s, want %s", c.pragma, got, c.want)
		}
	}
	for _, c := range []struct{ pragma, want, full string }{
		{"journal_mode", "wal", "wal"}, {"synchronous", "1", "2"}, {"foreign_keys", "1", "1"}, {"secure_delete", "1", "1"}, {"page_size", "8192", "8192"},
		{"auto_vacuum", "2", "2"}, {"busy_timeout", "5000", "5000"}, {"journal_size_limit", "67108864", "67108864"},
	} {
		for pool, want := range map[*sql.DB]string{db.write: c.want, full.write: c.full} {
			var got string
			if err := pool.QueryRow("PRAGMA " + c.pragma).Scan(&got); err != nil || got != want {
				t.Errorf("the writer has %s = %s, want %s (%v)", c.pragma, got, want, err)
			}
		}
	}
}

func TestPrivateModes(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "data")
	db := open(t, dir, scripts(first))
	write(t, db, "x")
	if _, err := db.Backup(t.Context(), filepath.Join(dir, "backup")); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		want := FileMode
		if e.IsDir() {
			want = FolderMode
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestOddFolderNames(t *testing.T) {
	for _, name := range []string{"with space", "100% #1?x=y&z", "Käse", "日本語", "semi;colon", "quo'te"} {
		dir := filepath.Join(t.TempDir(), name)
		db := open(t, dir, scripts(first))
		write(t, db, name)
		if _, err := os.Stat(filepath.Join(dir, "notes.db")); err != nil {
			t.Errorf("%s: the file is elsewhere: %v", name, err)
		}
	}
}

func TestUpdateIsAllOrNothing(t *testing.T) {
	db := open(t, t.TempDir(), scripts(first))
	boom := errors.New("boom")
	err := db.Update(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.Exec("INSERT INTO notes (text) VALUES ('half')"); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("%v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = db.Update(t.Context(), func(tx *sql.Tx) error {
			_, _ = tx.Exec("INSERT INTO notes (text) VALUES ('half')")
			panic("boom")
		})
	}()
	ctx, cancel := context.WithCancel(t.Context())
	err = db.Update(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO notes (text) VALUES ('half')")
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	write(t, db, "whole") // and the writer is free again
	var n int
	if err := db.Read.QueryRow("SELECT count(*) FROM notes").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestFullDisk(t *testing.T) {
	db := open(t, t.TempDir(), scripts(first))
	write(t, db, "before")
	if _, err := db.write.Exec("PRAGMA max_page_count = 6"); err != nil { // SQLite's own full disk
		t.Fatal(err)
	}
	err := db.Update(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO notes (text) VALUES (?)", strings.Repeat("x", 1<<20))
		return err
	})
	if want := "The disk is full. What was stored before is safe. Free some space, then try again."; !errors.Is(err, ErrDiskFull) || err.Error() != want {
		t.Errorf("%v", err)
	}
	var text string
	if err := db.Read.QueryRow("SELECT group_concat(text) FROM notes").Scan(&text); err != nil || text != "before" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestDamagedFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.db"), []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Config{Dir: dir, Name: "notes.db", Migrations: scripts(first)})
	if want := "A file of the data folder is damaged. Restore the newest copy from the folder “backup”; the documents themselves are untouched."; !errors.Is(err, ErrDamaged) || err.Error() != want {
		t.Errorf("%v", err)
	}
}

func TestExplain(t *testing.T) {
	if err := Explain(nil); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		in, kind error
		text     string
	}{
		{&fs.PathError{Op: "open", Path: "/x", Err: syscall.ENOSPC}, ErrDiskFull, "The disk is full. What was stored before is safe. Free some space, then try again."},
		{&fs.PathError{Op: "open", Path: "/x", Err: syscall.EROFS}, ErrReadOnly, "The data folder cannot be written. Check that the folder belongs to you and that the disk is not read-only."},
		{&fs.PathError{Op: "write", Path: "/x", Err: syscall.EDQUOT}, ErrDiskFull, "A limit on the space for this user or file is reached. What was stored before is safe. Free some space, then try again."},
		{sqlite3.Error{Code: sqlite3.ErrIoErr, SystemErrno: syscall.EFBIG}, ErrDiskFull, "A limit on the space for this user or file is reached. What was stored before is safe. Free some space, then try again."},
		{context.DeadlineExceeded, context.DeadlineExceeded, "context deadline exceeded"},
	} {
		if got := Explain(c.in); !errors.Is(got, c.kind) || got.Error() != c.text {
			t.Errorf("%v became %v", c.in, got)
		}
	}
}
