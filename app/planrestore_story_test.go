package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
	"referent/inference/fake"
)

// A backup that is chosen while the window is open comes back at the next start,
// and what was asked since then is kept aside.
func TestStory_ABackupComesBackAtTheNextStart(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.config.Window = true
	s.Restart()
	s.AddFolder(map[string]string{"garden.txt": "The compost is turned in March."})
	s.Ask("When is the compost turned?")
	s.Set(map[string]string{"api.enabled": "true"})
	backup := filepath.Join(t.TempDir(), "copy.zip")
	if err := s.app.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	s.conversation = nil
	s.Ask("Who turns the compost?")
	s.ExpectConversations(2)

	broken := filepath.Join(t.TempDir(), "broken.zip")
	if err := os.WriteFile(broken, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.app.PlanRestore(t.Context(), broken); err == nil || !strings.Contains(err.Error(), "not a whole backup") {
		t.Fatalf("a broken file was planned: %v", err)
	}
	for range 2 { // a second plan replaces the first
		plan, err := s.app.PlanRestore(t.Context(), backup)
		if err != nil || !plan.Reset || !strings.HasPrefix(plan.Before, s.config.DataDir) {
			t.Fatalf("%+v, %v", plan, err)
		}
	}
	s.ExpectConversations(2) // nothing has happened yet
	s.Restart()
	s.ExpectConversations(1)
	if got := s.value("api.enabled").Value; got != "false" {
		t.Errorf("the permission came back with the backup: %s", got)
	}
	kept, err := filepath.Glob(filepath.Join(s.config.DataDir, "backup", "before-restore-*", "chats.db"))
	if err != nil || len(kept) != 1 {
		t.Errorf("kept aside: %v, %v", kept, err)
	}
	s.Restart() // and only once
	s.ExpectConversations(1)
	left, err := filepath.Glob(filepath.Join(s.config.DataDir, "restor*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestStory_ACommandPlansNoRestore(t *testing.T) {
	s := newStory(t, fake.Config{})
	if _, err := s.app.PlanRestore(t.Context(), "/nowhere.zip"); err == nil || !strings.Contains(err.Error(), "command holds this data folder") {
		t.Errorf("got %v", err)
	}
}

// The index that is built anew tells how far it is, document by document.
func TestStory_ARebuildTellsHowFarItIs(t *testing.T) {
	s := newStory(t, fake.Config{})
	s.AddFolder(map[string]string{"a.txt": "The compost is turned in March.", "b.txt": "The boiler hums.", "c.txt": "The gate is green."})
	var told []app.IndexProgress
	if err := s.app.RebuildIndex(t.Context(), func(p app.IndexProgress) { told = append(told, p) }); err != nil {
		t.Fatal(err)
	}
	want := []app.IndexProgress{{Done: 0, Total: 3}, {Done: 1, Total: 3}, {Done: 2, Total: 3}, {Done: 3, Total: 3}}
	if len(told) != len(want) {
		t.Fatalf("told %v", told)
	}
	for i := range want {
		if told[i] != want[i] {
			t.Errorf("told %v, want %v", told[i], want[i])
		}
	}
}
