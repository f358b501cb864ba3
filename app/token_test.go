package app

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestToken_IsMadeOnceAndPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	var wait sync.WaitGroup
	got := make([]string, 20)
	for i := range got {
		wait.Go(func() {
			var err error
			if got[i], err = Token(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, token := range got {
		if token != got[0] || len(token) != 64 {
			t.Fatalf("two first users got %q and %q", token, got[0])
		}
	}
	info, err := os.Stat(filepath.Join(dir, TokenFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	fresh, err := NewToken(dir)
	if err != nil || fresh == got[0] {
		t.Fatalf("%q %v", fresh, err)
	}
	if again, err := Token(dir); err != nil || again != fresh {
		t.Errorf("%q, want %q: %v", again, fresh, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left over: %v %v", entries, err)
	}
}

func TestToken_ABrokenFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, TokenFile), []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if token, err := Token(dir); err != nil || len(token) != 64 {
		t.Errorf("%q %v", token, err)
	}
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Token(filepath.Join(blocked, "data")); err == nil {
		t.Error("no error where no folder can be")
	}
}
