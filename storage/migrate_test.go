package storage

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

const (
	second = "ALTER TABLE notes ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;"
	third  = "CREATE INDEX notes_text ON notes (text);"
	fourth = "CREATE INDEX notes_pinned ON notes (pinned);"
	broken = "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT; SELECT nothing FROM nowhere;"
)

func backupsOf(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "backup", "notes-*.db"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestMigrationsRunOnceInOrderAfterABackup(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir, scripts(first))
	write(t, db, "kept")
	db.Close()
	if n := len(backupsOf(t, dir)); n != 0 {
		t.Errorf("%d backups of a new file", n)
	}
	steps := []string{first}
	for i, step := range []string{second, third, fourth} {
		steps = append(steps, step)
		db = open(t, dir, scripts(steps...))
		var version int
		var text string
		if err := db.Read.QueryRow("SELECT (SELECT user_version FROM pragma_user_version), (SELECT text FROM notes WHERE pinned = 0)").Scan(&version, &text); err != nil {
			t.Fatal(err)
		}
		if version != i+2 || text != "kept" {
			t.Errorf("version %d holds %q", version, text)
		}
		db.Close()
	}
	copies := backupsOf(t, dir)
	if len(copies) != keptBackups {
		t.Fatalf("%d backups, want %d", len(copies), keptBackups)
	}
	// The newest copy is the file as it was before the last step.
	old := open(t, t.TempDir(), scripts(first))
	old.Close()
	b, err := os.ReadFile(copies[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old.Path, b, FileMode); err != nil {
		t.Fatal(err)
	}
	restored := open(t, filepath.Dir(old.Path), scripts(first, second, third))
	var text string
	if err := restored.Read.QueryRow("SELECT text FROM notes").Scan(&text); err != nil || text != "kept" {
		t.Errorf("the backup holds %q, %v", text, err)
	}
}

// Names hold the time; a clock that went back must not make the newest copy the
// first one to go.
func TestBackupIsTheNewestWhateverTheClockSays(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir, scripts(first))
	folder := filepath.Join(dir, "backup")
	if err := os.MkdirAll(folder, FolderMode); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notes-29990101-000000.000000000.db", "notes-29990101-000000.000000001.db"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("of the future"), FileMode); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		path, err := db.Backup(t.Context(), folder)
		if err != nil {
			t.Fatal(err)
		}
		copies := backupsOf(t, dir)
		if len(copies) != keptBackups || copies[1] != path {
			t.Fatalf("%v stay, the newest is %s", copies, path)
		}
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, scripts(first)).Close()
	if _, err := Open(t.Context(), Config{Dir: dir, Name: "notes.db", Migrations: scripts(first, broken)}); err == nil {
		t.Fatal("a broken migration was accepted")
	}
	db := open(t, dir, scripts(first)) // still version 1
	var tables int
	if err := db.Read.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'more'").Scan(&tables); err != nil || tables != 0 {
		t.Errorf("%d tables of the broken step, %v", tables, err)
	}
}

func TestMigrationsCountWithoutAGap(t *testing.T) {
	for _, names := range [][]string{{"0002_a.sql"}, {"0001_a.sql", "0003_b.sql"}, {"0001_a.sql", "0001_b.sql"}, {"first.sql"}} {
		files := fstest.MapFS{}
		for _, n := range names {
			files[n] = &fstest.MapFile{Data: []byte(first)}
		}
		if _, err := Versions(files); err == nil {
			t.Errorf("%v was accepted", names)
		}
	}
	if n, err := Versions(scripts(first, second)); err != nil || n != 2 {
		t.Errorf("%d, %v", n, err)
	}
}
