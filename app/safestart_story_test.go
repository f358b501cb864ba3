package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/app"
	"referent/inference/fake"
	"referent/rag"
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

const rubbish = "this is no database, and long enough to be read as one: it fills more than the header of a file of SQLite does "

// damage writes rubbish over databases.
func damage(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		for _, end := range []string{"-wal", "-shm"} {
			if err := os.Remove(filepath.Join(dir, name+end)); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat(rubbish, 200)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// refused opens a folder that is damaged and returns how.
func refused(t *testing.T, config app.Config) app.Damage {
	t.Helper()
	_, err := openWindow(t, config)
	var stored *storage.Error
	if !errors.As(err, &stored) || stored.Hint == "" {
		t.Fatalf("a damaged folder: %v", err)
	}
	return app.DamageOf(err)
}

// keptAside fails unless a damaged file is there under another name, unchanged.
func keptAside(t *testing.T, dir, name string) {
	t.Helper()
	kept, err := filepath.Glob(filepath.Join(dir, "damaged-*-"+name))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept: %q, %v", kept, err)
	}
	if body, err := os.ReadFile(kept[0]); err != nil || string(body) != strings.Repeat(rubbish, 200) {
		t.Errorf("the damaged file was changed: %v", err)
	}
}

// withEngine makes a data folder whose settings and folders can be told.
func withEngine(t *testing.T, config app.Config, engine string) {
	t.Helper()
	a, err := openWindow(t, config)
	if err != nil {
		t.Fatal(err)
	}
	docs := t.TempDir()
	if _, err := a.Add(t.Context(), app.AddRequest{Paths: []string{docs}}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.SetSettings(t.Context(), map[string]string{"chat.engine": engine}), a.Close()); err != nil {
		t.Fatal(err)
	}
}

// holds opens a folder and compares what its databases hold.
func holds(t *testing.T, config app.Config, engine string, folders int) {
	t.Helper()
	a, err := openWindow(t, config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	library, err := a.Library(t.Context())
	if err != nil || len(library.Folders) != folders {
		t.Errorf("%d folders, %v; not %d", len(library.Folders), err, folders)
	}
	settings, err := a.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		if s.Key == "chat.engine" && s.Value != engine {
			t.Errorf("the engine is %q, not %q", s.Value, engine)
		}
	}
}

func TestSafeStart_DamagedFilesCanBeSetAside(t *testing.T) {
	for _, test := range []struct {
		names   []string
		want    app.Damage
		engine  string
		folders int
	}{
		{[]string{"index.db"}, app.Damage{Index: true}, "blend", 0},
		{[]string{"chats.db"}, app.Damage{Conversations: true}, "expand", 1},
		{[]string{"index.db", "chats.db"}, app.Damage{Index: true, Conversations: true}, "expand", 0},
	} {
		config := hermetic(t.TempDir())
		withEngine(t, config, "blend")
		damage(t, config.DataDir, test.names...)
		if got := refused(t, config); got != test.want {
			t.Fatalf("%q: %+v", test.names, got)
		}
		if app.HasCopies(config.DataDir, test.want) {
			t.Errorf("%q: a copy is offered where there is none", test.names)
		}
		if err := app.SetAside(config.DataDir, test.want); err != nil {
			t.Fatal(err)
		}
		for _, name := range test.names {
			keptAside(t, config.DataDir, name)
		}
		holds(t, config, test.engine, test.folders)
	}
}

func TestSafeStart_TheNewestWholeCopyComesBack(t *testing.T) {
	for _, test := range []struct {
		names  []string
		damage app.Damage
	}{
		{[]string{"index.db"}, app.Damage{Index: true}},
		{[]string{"chats.db"}, app.Damage{Conversations: true}},
		{[]string{"index.db", "chats.db"}, app.Damage{Index: true, Conversations: true}},
	} {
		config := hermetic(t.TempDir())
		withEngine(t, config, "blend")
		backup := filepath.Join(config.DataDir, "backup")
		if err := os.MkdirAll(filepath.Join(backup, "before-restore-1"), 0o700); err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		copies := func(name string) []string { // the newest is damaged too, the next is whole, the last is of another time
			stem := strings.TrimSuffix(name, ".db")
			return []string{filepath.Join(backup, stem+"-20260301-120000.000000000.db"), filepath.Join(backup, "before-restore-1", name), filepath.Join(backup, stem+"-20260101-120000.000000000.db")}
		}
		for _, name := range test.names {
			sound, err := os.ReadFile(filepath.Join(config.DataDir, name))
			if err != nil {
				t.Fatal(err)
			}
			for i, body := range [][]byte{[]byte(strings.Repeat(rubbish, 200)), sound, nil} {
				path := copies(name)[i]
				if err := errors.Join(os.WriteFile(path, body, 0o600), os.Chtimes(path, now, now.Add(-time.Duration(i)*time.Hour))); err != nil {
					t.Fatal(err)
				}
			}
		}
		damage(t, config.DataDir, test.names...)
		got := refused(t, config)
		found, err := app.FindCopy(t.Context(), config.DataDir, got)
		if err != nil || !app.HasCopies(config.DataDir, got) || found.At.Sub(now.Add(-time.Hour)).Abs() > time.Second {
			t.Errorf("%q: the copy is of %v, %v", test.names, found.At, err)
		}
		for i, name := range found.Names() { // what is found is the whole one, by its name
			if sorted := slices.Sorted(slices.Values(test.names)); name != filepath.Join("before-restore-1", sorted[i]) {
				t.Errorf("%q: %q is named", test.names, name)
			}
		}
		if err := app.GoBack(t.Context(), config.DataDir, got, found); err != nil {
			t.Fatal(err)
		}
		for _, name := range test.names {
			keptAside(t, config.DataDir, name)
			for _, path := range copies(name) {
				if _, err := os.Stat(path); err != nil {
					t.Errorf("a copy is gone: %v", err)
				}
			}
		}
		holds(t, config, "blend", 1)
	}
}

func TestSafeStart_WhereNoCopyIsWholeNothingIsChanged(t *testing.T) {
	config := hermetic(t.TempDir())
	withEngine(t, config, "blend")
	backup := filepath.Join(config.DataDir, "backup")
	if err := errors.Join(os.MkdirAll(backup, 0o700), os.WriteFile(filepath.Join(backup, "chats-20260101-120000.000000000.db"), []byte(strings.Repeat(rubbish, 200)), 0o600)); err != nil {
		t.Fatal(err)
	}
	damage(t, config.DataDir, "chats.db")
	list := func() string {
		names, err := filepath.Glob(filepath.Join(config.DataDir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return filepath.Base(name) == "lock" })
		return strings.Join(names, "\n")
	}
	before := list()
	var known *rag.Error
	if _, err := app.FindCopy(t.Context(), config.DataDir, refused(t, config)); !errors.As(err, &known) || known.Hint == "" {
		t.Errorf("no copy is whole: %v", err)
	}
	if after := list(); after != before {
		t.Errorf("the folder held\n%s\nand holds\n%s", before, after)
	}
}

// The copy that was named is taken or none is: not an older one in its place.
func TestSafeStart_NoOtherCopyIsTakenThanTheOneThatWasNamed(t *testing.T) {
	config := hermetic(t.TempDir())
	withEngine(t, config, "blend")
	backup := filepath.Join(config.DataDir, "backup")
	sound, err := os.ReadFile(filepath.Join(config.DataDir, "chats.db"))
	if err := errors.Join(err, os.MkdirAll(backup, 0o700)); err != nil {
		t.Fatal(err)
	}
	named, older := filepath.Join(backup, "chats-20260301-120000.000000000.db"), filepath.Join(backup, "chats-20260101-120000.000000000.db")
	long := time.Now().Add(-time.Hour)
	if err := errors.Join(os.WriteFile(named, sound, 0o600), os.WriteFile(older, sound, 0o600), os.Chtimes(older, long, long)); err != nil {
		t.Fatal(err)
	}
	damage(t, config.DataDir, "chats.db")
	got := refused(t, config)
	found, err := app.FindCopy(t.Context(), config.DataDir, got)
	if err != nil || !slices.Equal(found.Names(), []string{filepath.Base(named)}) {
		t.Fatalf("found %q, %v", found.Names(), err)
	}
	if err := os.WriteFile(named, []byte(strings.Repeat(rubbish, 200)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := app.GoBack(t.Context(), config.DataDir, got, found); err == nil {
		t.Error("another copy was taken")
	}
	if refused(t, config) != got {
		t.Error("the damaged file was replaced")
	}
	again, err := app.FindCopy(t.Context(), config.DataDir, got)
	if err != nil || !slices.Equal(again.Names(), []string{filepath.Base(older)}) {
		t.Errorf("found anew %q, %v", again.Names(), err)
	}
}

func TestSafeStart_ADamagedFolderTakesABackup(t *testing.T) {
	config := hermetic(t.TempDir())
	withEngine(t, config, "blend")
	a, err := openWindow(t, config)
	if err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(t.TempDir(), "saved.zip")
	if err := errors.Join(a.Backup(t.Context(), saved), a.Close()); err != nil {
		t.Fatal(err)
	}
	damage(t, config.DataDir, "index.db", "chats.db")
	restored, err := app.Restore(t.Context(), config.DataDir, saved)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"index.db", "chats.db"} {
		if body, err := os.ReadFile(filepath.Join(restored.Before, name)); err != nil || string(body) != strings.Repeat(rubbish, 200) {
			t.Errorf("the damaged %s is not kept: %v", name, err)
		}
	}
	holds(t, config, "blend", 1)
}

func TestSafeStart_AnotherTroubleIsNoDamage(t *testing.T) {
	config := hermetic(t.TempDir())
	if err := os.WriteFile(config.DataDir, []byte("a file where the folder should be"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openWindow(t, config); err == nil || app.DamageOf(err).Any() {
		t.Errorf("a file in place of the folder: %v", err)
	}
}
