package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
	"referent/storage"
)

// openWindow opens the folder of a configuration as a window does.
func openWindow(t *testing.T, config app.Config) (*app.App, error) {
	t.Helper()
	config.Window = true
	config.Host = &models{fake.New(fake.Config{})}
	return app.Open(t.Context(), config)
}

func TestSafeStart_AfterThreeCrashesTheWindowStartsCarefully(t *testing.T) {
	config := hermetic(t.TempDir())
	if err := os.MkdirAll(config.DataDir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		starts  string
		careful bool
	}{{"2\n", false}, {"3\n", true}} {
		if err := os.WriteFile(filepath.Join(config.DataDir, "starts"), []byte(test.starts), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := openWindow(t, config)
		if err != nil {
			t.Fatal(err)
		}
		status, err := a.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, n := range status.Notices {
			said = said || strings.Contains(n.Sentence, "3 times in a row")
		}
		if said != test.careful {
			t.Errorf("after %q: %+v", test.starts, status.Notices)
		}
		library, err := a.Library(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if paused := library.Progress.Paused; paused != test.careful {
			t.Errorf("after %q reading is paused: %v", test.starts, paused)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(config.DataDir, "starts")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the count is left after a good end: %v", err)
		}
	}
}

func TestSafeStart_ADamagedIndexCanBeSetAside(t *testing.T) {
	config := hermetic(t.TempDir())
	a, err := openWindow(t, config)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.SetSettings(t.Context(), map[string]string{"chat.engine": "blend"}); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	rubbish := strings.Repeat("this is no database ", 1000)
	if err := os.WriteFile(filepath.Join(config.DataDir, "index.db"), []byte(rubbish), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = openWindow(t, config)
	var stored *storage.Error
	if !app.IndexDamaged(err) || !errors.As(err, &stored) || stored.Hint == "" {
		t.Fatalf("a damaged index: %v", err)
	}
	if err := app.SetIndexAside(config.DataDir); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(config.DataDir, "damaged-*-index.db"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept: %q, %v", kept, err)
	}
	if body, err := os.ReadFile(kept[0]); err != nil || string(body) != rubbish {
		t.Errorf("the damaged file was changed: %v", err)
	}
	if a, err = openWindow(t, config); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	settings, err := a.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		if s.Key == "chat.engine" && s.Value != "blend" {
			t.Errorf("the settings are gone: %+v", s)
		}
	}
}

func TestSafeStart_AnotherTroubleOffersNoNewIndex(t *testing.T) {
	config := hermetic(t.TempDir())
	if err := os.WriteFile(config.DataDir, []byte("a file where the folder should be"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openWindow(t, config); err == nil || app.IndexDamaged(err) {
		t.Errorf("a file in place of the folder: %v", err)
	}
}
