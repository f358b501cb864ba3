package app_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
)

// A library of two documents is checked, measured, built anew, backed up, and
// brought back after it was lost.
func TestStory_IndexAndBackup(t *testing.T) {
	docs := t.TempDir()
	for name, text := range map[string]string{"garden.txt": "The compost is turned in March.", "house.txt": "The boiler hums in the cellar."} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := hermetic(t.TempDir())
	config.Host = &models{fake.New(fake.Config{})}
	open := func() *app.App {
		t.Helper()
		a, err := app.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	closed := func(a *app.App) {
		t.Helper()
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(a *app.App, word string) {
		t.Helper()
		found, err := a.Search(t.Context(), app.AskRequest{Question: word, Retriever: "bm25"})
		if err != nil || len(found.Hits) != 1 || !strings.Contains(found.Hits[0].Text, word) {
			t.Fatalf("%s: %d hits, %v", word, len(found.Hits), err)
		}
	}
	a := open()
	if _, err := a.Add(t.Context(), app.AddRequest{Paths: []string{docs}}); err != nil {
		t.Fatal(err)
	}
	if err := a.Sync(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	expect(a, "compost")
	report, err := a.VerifyIndex(t.Context())
	if err != nil || len(report.Problems) > 0 {
		t.Fatalf("verify: %+v, %v", report, err)
	}
	if err := a.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if report, err = a.RepairIndex(t.Context()); err != nil || len(report.Problems) > 0 || report.Repaired {
		t.Fatalf("repair of a whole index: %+v, %v", report, err)
	}
	expect(a, "boiler")
	size, err := a.IndexSize(t.Context())
	if err != nil || size.Chunks != 2 || size.Library == 0 || size.Conversations == 0 {
		t.Fatalf("size: %+v, %v", size, err)
	}
	backup := filepath.Join(t.TempDir(), "copy.zip")
	if err := a.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := a.Backup(t.Context(), backup); err == nil {
		t.Error("a second backup overwrote the first")
	}
	if err := a.Backup(t.Context(), "copy.zip"); err == nil {
		t.Error("a backup went to a place that depends on who runs")
	}
	closed(a)

	for _, name := range []string{"index.db", "chats.db"} {
		if err := os.Remove(filepath.Join(config.DataDir, name)); err != nil {
			t.Fatal(err)
		}
	}
	broken := filepath.Join(t.TempDir(), "broken.zip")
	whole, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	for what, body := range map[string][]byte{"half": whole[:len(whole)/2], "text": []byte("hello"), "other": otherZip(t)} {
		if err := os.WriteFile(broken, body, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := app.Restore(t.Context(), config.DataDir, broken); err == nil || !strings.Contains(err.Error(), "not a whole backup") {
			t.Errorf("%s: %v", what, err)
		}
	}
	before, err := app.Restore(t.Context(), config.DataDir, backup)
	if err != nil || !strings.HasPrefix(before, config.DataDir) {
		t.Fatal(before, err)
	}
	a = open()
	expect(a, "compost")
	if _, err := app.Restore(t.Context(), config.DataDir, filepath.Join(docs, "none.zip")); err == nil {
		t.Error("a file that is not there was restored")
	}
	closed(a)
	left, err := filepath.Glob(filepath.Join(config.DataDir, "*-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func otherZip(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	if _, err := z.Create("index.db"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
