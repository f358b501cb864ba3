package desktop

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"referent/app"
	"referent/rag"
)

// runsShown bounds the run log of the window.
const runsShown = 500

// Runs lists the newest turns, failed and stopped ones too.
func (w *Window) Runs() ([]app.Run, error) {
	return guard(w, func(ctx context.Context) ([]app.Run, error) { return w.use.Runs(ctx, runsShown) })
}

// Connections lists what was connected to since the start, newest first.
func (w *Window) Connections() ([]app.Connection, error) { return guard(w, w.use.Connections) }

// Calls lists what other programs asked for, newest first.
func (w *Window) Calls() ([]app.Call, error) { return guard(w, w.use.Calls) }

// SaveText asks the person where a text goes and writes it there. It returns
// the path, empty when the dialog was closed. The name is only a proposal.
func (w *Window) SaveText(name, text string) (string, error) {
	return guard(w, func(ctx context.Context) (string, error) {
		path, err := w.platform.SaveFile(ctx, fileName(name))
		if err != nil || path == "" {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return "", notWritten(err)
		}
		return path, nil
	})
}

func notWritten(err error) error {
	e := &rag.Error{Code: rag.CodeStorageFailed, Message: "The file could not be written.", Hint: "Choose another folder.", Cause: err}
	if errors.Is(err, fs.ErrPermission) {
		e.Hint = "The system does not allow it there. Choose another folder."
	}
	return e
}

// fileName makes a title fit for a file name on every system.
func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"/\|?*`, r) {
			return ' '
		}
		return r
	}, title)
	if name = strings.Trim(strings.Join(strings.Fields(name), " "), ". "); name == "" {
		return "conversation"
	}
	return name
}
