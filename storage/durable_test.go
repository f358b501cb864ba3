package storage

import (
	"database/sql"
	"errors"
	"testing"
)

// A durable commit is brought to the medium, also while a reader keeps the WAL
// busy; other commits go on as before.
func TestUpdateDurably_CommitsInFullAndPutsTheSettingBack(t *testing.T) {
	db := open(t, t.TempDir(), scripts(first))
	write(t, db, "old")
	reading, err := db.Read.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reading.Rollback() }()
	var n int
	if err := reading.QueryRow("SELECT count(*) FROM notes").Scan(&n); err != nil {
		t.Fatal(err)
	}
	level := func(tx *sql.Tx) (level int) {
		if err := tx.QueryRow("PRAGMA synchronous").Scan(&level); err != nil {
			t.Fatal(err)
		}
		return level
	}
	const normal, full = 1, 2 // of the PRAGMA
	failed := errors.New("failed")
	for _, end := range []error{nil, failed} {
		if err := db.UpdateDurably(t.Context(), func(tx *sql.Tx) error {
			if got := level(tx); got != full {
				t.Errorf("synchronous is %d, want %d", got, full)
			}
			if _, err := tx.Exec("INSERT INTO notes (text) VALUES ('new')"); err != nil {
				return err
			}
			return end
		}); !errors.Is(err, end) {
			t.Errorf("got %v, want %v", err, end)
		}
		if err := db.Update(t.Context(), func(tx *sql.Tx) error {
			if got := level(tx); got != normal {
				t.Errorf("synchronous stays %d, want %d", got, normal)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Read.QueryRow("SELECT count(*) FROM notes").Scan(&n); err != nil || n != 2 {
		t.Errorf("%d notes, %v; want the old one and one of the commits", n, err)
	}
}
