//go:build browser

package desktop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/app"
)

// Page opens a page of Settings by its name in the sidebar.
func (w *world) Page(name string) {
	w.t.Helper()
	w.Press("Control+5")
	w.Click("button", name)
	w.See("Settings: " + name)
}

// Value is a setting as the program has it.
func (w *world) Value(key string) string {
	w.t.Helper()
	all, err := w.app.Settings(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, s := range all {
		if s.Key == key {
			return s.Value
		}
	}
	w.t.Fatalf("there is no setting %s", key)
	return ""
}

func TestBrowser_TheTokenIsShownAndRenewed(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Page("Programs and token")
	w.See("No other program asked for anything.")
	first, err := app.Token(w.data)
	if err != nil {
		t.Fatal(err)
	}
	w.ClickExact("button", "Show")
	w.See(first)
	w.Click("button", "New token")
	w.Click("button", "Make a new token")
	w.See("Programs with the old one are refused.")
	if next, err := app.Token(w.data); err != nil || next == first {
		t.Errorf("the token stayed: %v", err)
	}
	w.picture("programs")
	w.Quiet()
}

func TestBrowser_PrivacyAndProfileAreOnePressAway(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Page("Privacy")
	w.See("None so far. Nothing has left this computer.")
	w.picture("privacy")
	w.Click("button", "Questions") // back to the settings, at a group
	w.Click("radio", "Careful")
	w.See("What this profile changes")
	w.Click("button", "Use Careful")
	w.Gone("group", "What this profile changes")
	if got := w.Value("condense.on_failure"); got != "stop" {
		t.Errorf("the profile set %s", got)
	}
	w.Quiet()
}

func TestBrowser_TheDataPageChecksBuildsAndSaves(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	out := t.TempDir()
	w.bridge.picks = []string{out}
	w.Page("Data")
	w.Click("button", "Check it")
	w.See("The search index agrees with the documents.")
	w.Click("button", "Build anew")
	w.See("The search index was built anew.")
	w.Click("button", "Back up now")
	w.See("The backup is in " + out)
	w.Click("button", "Save diagnostics")
	w.See("The diagnostics are in " + out)
	w.picture("data")
	saved, err := filepath.Glob(filepath.Join(out, "referent-*"))
	if err != nil || len(saved) != 2 {
		t.Fatalf("saved %v, %v", saved, err)
	}
	for _, path := range saved {
		if body, err := os.ReadFile(path); err != nil || strings.HasSuffix(path, ".txt") && strings.Contains(string(body), "laundry") {
			t.Errorf("%s: %v, or it holds a text", path, err)
		}
	}
	w.Quiet()
}

func TestBrowser_AConversationComesBackFromItsFile(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Ask("When is the laundry of Quay House open?")
	w.See("Supported")
	all, err := w.app.Conversations(t.Context(), 1)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	detail, err := w.app.Conversation(t.Context(), all[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(detail)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "laundry.json")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	w.bridge.picks = []string{file}
	w.Click("button", "Import a conversation")
	w.See("laundry.json was read and is whole.")
	w.ClickExact("button", "Import")
	w.See("6 in the morning")
	if all, err = w.app.Conversations(t.Context(), 5); err != nil || len(all) != 2 {
		t.Errorf("%d conversations, %v", len(all), err)
	}
	w.Quiet()
}

func TestBrowser_AMissingFileIsExplained(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.write(t, ".gitignore", "*.note\n")
	w.write(t, "scratch.note", "Nobody needs this.")
	w.AddFolder()
	w.bridge.picks = []string{filepath.Join(w.folder, "scratch.note")}
	w.Press("Control+2")
	w.Click("button", "Why is a file missing?")
	w.See(".gitignore")
	w.picture("why")
	w.Quiet()
}
