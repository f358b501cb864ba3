package extract

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestPDFCache_OneCompilesTheOthersWait: who comes second gets the lock when the
// first lets go of it, and finds what came with the program.
func TestPDFCache_OneCompilesTheOthersWait(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pdfium")
	unlock, err := lockPDFCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan error)
	go func() {
		second, err := lockPDFCache(dir)
		if err == nil {
			defer second()
		}
		got <- err
	}()
	select {
	case err := <-got:
		t.Fatalf("two compile at a time, %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	unlock()
	if err := <-got; err != nil {
		t.Error(err)
	}
}

func TestPDFCache_TakesWhatCameWithTheProgram(t *testing.T) {
	dir, from := t.TempDir(), t.TempDir()
	write := func(root, name, body string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(from, "wazero-v1/module", "brought")
	write(from, "wazero-v1/other", "brought")
	write(dir, "wazero-v1/other", "own")
	if err := seedPDFCache(dir, from); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"module": "brought", "other": "own"} {
		if b, err := os.ReadFile(filepath.Join(dir, "wazero-v1", name)); err != nil || string(b) != want {
			t.Errorf("%s holds %q, %v", name, b, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "wazero-v1", "*")); err != nil || len(left) != 2 {
		t.Errorf("%v, %v", left, err)
	}
	if err := seedPDFCache(dir, ""); err != nil {
		t.Error(err)
	}
}
