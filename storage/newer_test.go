package storage

import (
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hashes are the files below a folder with what is in them.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// refused opens a folder as a program that knows only the first schema, and
// expects every file to stay as it is.
func refused(t *testing.T, dir string) {
	t.Helper()
	before := hashes(t, dir)
	_, err := Open(t.Context(), Config{Dir: dir, Name: "notes.db", Migrations: scripts(first)})
	if want := "The file notes.db was written by a newer version of Referent. Install the newer version, or choose another data folder."; !errors.Is(err, ErrNewer) || err.Error() != want {
		t.Errorf("%v", err)
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("before %v\nafter  %v", before, after)
	}
}

func TestNewerSchemaIsRefusedAndNoByteChanges(t *testing.T) {
	t.Run("closed", func(t *testing.T) {
		dir := t.TempDir()
		open(t, dir, scripts(first, second)).Close()
		refused(t, dir)
	})
	t.Run("a copy that is not in WAL mode yet", func(t *testing.T) {
		db := open(t, t.TempDir(), scripts(first, second))
		dir := t.TempDir()
		if err := db.BackupTo(t.Context(), filepath.Join(dir, "notes.db")); err != nil {
			t.Fatal(err)
		}
		refused(t, dir)
	})
	t.Run("left by a crash", func(t *testing.T) {
		old := t.TempDir()
		open(t, old, scripts(first)).Close()
		db := open(t, old, scripts(first, second)) // its schema is in the WAL only
		write(t, db, "kept")
		dir := t.TempDir()
		for _, name := range []string{"notes.db", "notes.db-wal"} {
			data, err := os.ReadFile(filepath.Join(old, name))
			if err != nil {
				t.Fatal(err)
			}
			if len(data) == 0 {
				t.Fatalf("%s is empty", name)
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, FileMode); err != nil {
				t.Fatal(err)
			}
		}
		refused(t, dir)
		again := open(t, dir, scripts(first, second))
		var text string
		if err := again.Read.QueryRow("SELECT text FROM notes").Scan(&text); err != nil || text != "kept" {
			t.Errorf("the newer program finds %q, %v", text, err)
		}
	})
	t.Run("marked by hand", func(t *testing.T) {
		dir := t.TempDir()
		db := open(t, dir, scripts(first))
		if err := db.Update(t.Context(), func(tx *sql.Tx) error { _, err := tx.Exec("PRAGMA user_version = 99"); return err }); err != nil {
			t.Fatal(err)
		}
		db.Close()
		refused(t, dir)
	})
}

// A file that is no database is not changed either.
func TestDamagedFileIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.db"), []byte(strings.Repeat("not a database ", 1000)), FileMode); err != nil {
		t.Fatal(err)
	}
	before := hashes(t, dir)
	if _, err := Open(t.Context(), Config{Dir: dir, Name: "notes.db", Migrations: scripts(first)}); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
	if after := hashes(t, dir); !maps.Equal(before, after) {
		t.Errorf("before %v\nafter  %v", before, after)
	}
}
