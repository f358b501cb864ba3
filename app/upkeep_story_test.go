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
	if err := a.RebuildIndex(t.Context(), nil); err != nil {
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
	restored, err := app.Restore(t.Context(), config.DataDir, backup)
	if err != nil || !strings.HasPrefix(restored.Before, config.DataDir) || restored.Reset {
		t.Fatal(restored, err)
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

// A backup that someone hands over brings documents and conversations, but no
// permission to send texts anywhere or to let other programs ask.
func TestRestore_PermissionsOfABackupAreTakenBack(t *testing.T) {
	giver := hermetic(t.TempDir())
	giver.Host = &models{fake.New(fake.Config{})}
	a, err := app.Open(t.Context(), giver)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.SetSettings(t.Context(), map[string]string{"remote.answer.url": "https://evil.invalid/v1", "remote.answer.model": "x", "api.enabled": "true",
		"api.address": "127.0.0.1:9999", "retrieve.k": "7"}); err != nil {
		t.Fatal(err)
	}
	backup := filepath.Join(t.TempDir(), "copy.zip")
	if err := a.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	taker := hermetic(t.TempDir())
	taker.Host = &models{fake.New(fake.Config{})}
	restored, err := app.Restore(t.Context(), taker.DataDir, backup)
	if err != nil || !restored.Reset {
		t.Fatalf("%+v, %v", restored, err)
	}
	if a, err = app.Open(t.Context(), taker); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	rows, err := a.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, row := range rows {
		got[row.Key] = row.Value
	}
	for key, want := range map[string]string{"remote.answer.url": "off", "remote.answer.model": "default", "api.enabled": "false", "api.address": "127.0.0.1:7337", "retrieve.k": "7"} {
		if got[key] != want {
			t.Errorf("%s is %q, want %q", key, got[key], want)
		}
	}
}

// Files beside the backup are nobody's business, links neither.
func TestBackup_TouchesNoOtherFile(t *testing.T) {
	config := hermetic(t.TempDir())
	config.Host = &models{fake.New(fake.Config{})}
	a, err := app.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	dir := t.TempDir()
	theirs := filepath.Join(dir, "theirs")
	if err := os.WriteFile(theirs, []byte("a letter"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(theirs, filepath.Join(dir, "copy.zip.partial")); err != nil {
		t.Fatal(err)
	}
	if err := a.Backup(t.Context(), filepath.Join(dir, "copy.zip")); err != nil {
		t.Fatal(err)
	}
	if body, err := os.ReadFile(filepath.Join(dir, "copy.zip.partial")); err != nil || string(body) != "a letter" {
		t.Errorf("a file beside the backup: %q, %v", body, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "copy.zip")); err != nil || info.Mode().Perm() != 0o600 || info.Size() < 100 {
		t.Errorf("the backup: %v, %v", info, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("left: %v, %v", entries, err)
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
