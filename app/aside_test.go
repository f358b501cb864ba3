package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A kill before the last step leaves the damaged database under its name, so that
// the next start tells of it, and its log is away.
func TestPutBack_LeavesNoMomentWithoutADatabase(t *testing.T) {
	dir, fresh := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want map[string]string) {
		t.Helper()
		for name, text := range want {
			if got, err := os.ReadFile(filepath.Join(dir, name)); text == "" && !errors.Is(err, os.ErrNotExist) || string(got) != text {
				t.Errorf("%s holds %q (%v), want %q", name, got, err, text)
			}
		}
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		write(filepath.Join(dir, "chats.db"+end), "damaged"+end)
	}
	aside := map[string]string{"one-chats.db": "damaged", "one-chats.db-wal": "damaged-wal", "one-chats.db-shm": "damaged-shm", "chats.db-wal": "", "chats.db-shm": ""}
	// There is nothing to rename: as if the program ended there.
	if err := putBack(fresh, dir, "chats.db", "one-"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	expect(aside)
	expect(map[string]string{"chats.db": "damaged"})

	write(filepath.Join(fresh, "chats.db"), "whole")
	if err := putBack(fresh, dir, "chats.db", "two-"); err != nil {
		t.Error(err)
	}
	expect(aside)
	expect(map[string]string{"chats.db": "whole", "two-chats.db": "damaged"})
}
