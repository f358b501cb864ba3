//go:build window

package desktop

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The shipped window on a folder whose conversations are damaged: the way out
// asks, a no changes nothing, and after a yes the program starts again with new
// ones. What was damaged is kept.
func TestWindow_DamagedConversationsAreSetAside(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	rubbish := strings.Repeat("this is no database ", 1000)
	path := filepath.Join(data, "chats.db")
	if err := errors.Join(os.MkdirAll(data, 0o700), os.WriteFile(path, []byte(rubbish), 0o600)); err != nil {
		t.Fatal(err)
	}
	s := launch(t, nil, data, quick, nil)
	s.See("Referent cannot open your library")
	s.See("It is the file with your conversations and settings.")
	s.Picture("trouble")
	s.Click("button", "Begin without conversations")
	s.See("every setting has its default")
	s.Picture("trouble-asks")
	s.Click("dialog[open] button", "Cancel")
	waitFor(t, "the dialog to close", func() bool { return s.evaluate(`document.querySelector('dialog[open]') === null`) == true })
	if body, err := os.ReadFile(path); err != nil || string(body) != rubbish {
		t.Fatalf("a no changed the file: %v", err)
	}
	s.Click("button", "Begin without conversations")
	s.Click("dialog[open] button", "Set aside and begin")
	waitFor(t, "the damaged file under its new name", func() bool {
		kept, err := filepath.Glob(filepath.Join(data, "damaged-*-chats.db"))
		if err != nil || len(kept) != 1 {
			return false
		}
		body, err := os.ReadFile(kept[0])
		return err == nil && string(body) == rubbish
	})
	s.inspect()
	s.See("Ask your own documents")
	s.Quit()
}
