package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/rag"
	"referent/rag/extract"
)

// TestEveryKindIsRead writes one file of each kind: the readers find the first
// and the last sentence of each, and the same files are written again.
func TestEveryKindIsRead(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := write(dir, len(kinds)); err != nil {
			t.Fatal(err)
		}
	}
	for i, k := range kinds {
		paths, err := filepath.Glob(filepath.Join(first, "00", "*."+k.ending))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%s: %v, %v", k.ending, paths, err)
		}
		body, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		if again, err := os.ReadFile(filepath.Join(second, "00", filepath.Base(paths[0]))); err != nil || string(again) != string(body) {
			t.Errorf("%s differs between two runs, %v", k.ending, err)
		}
		if k.ending == "pdf" {
			continue // read by the command, which has the compiled module
		}
		ex, err := extract.File(t.Context(), paths[0], extract.Options{})
		l := newLetter(uint64(i))
		text := strings.Join(strings.Fields(ex.Text), " ")
		if err != nil || ex.Status != rag.FileIndexed || !strings.Contains(text, l.paragraphs[0]) || !strings.Contains(text, l.paragraphs[len(l.paragraphs)-1]) {
			t.Errorf("%s: %s %q, %v: %.200q", k.ending, ex.Status, ex.Reason, err, ex.Text)
		}
	}
}
