package desktop

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"referent/app"
	"referent/rag"
)

// PickedConversation is a file that was read and is not taken in yet. Picked is
// false when the dialog was closed.
type PickedConversation struct {
	Picked bool   `json:"picked"`
	File   string `json:"file"`
	app.Imported
}

// PickConversation asks the person for an exported conversation and tells what
// it holds. The page never names a file itself.
func (w *Window) PickConversation() (PickedConversation, error) {
	return guard(w, func(ctx context.Context) (PickedConversation, error) {
		paths, err := w.platform.PickFiles(ctx)
		if err != nil || len(paths) == 0 {
			return PickedConversation{}, err
		}
		body, err := readBounded(paths[0], app.ImportBytes+1)
		if err != nil {
			return PickedConversation{}, err
		}
		_, about, err := app.ReadConversation(body)
		if err != nil {
			return PickedConversation{}, err
		}
		w.mu.Lock()
		w.picked = string(body)
		w.mu.Unlock()
		return PickedConversation{Picked: true, File: filepath.Base(paths[0]), Imported: about}, nil
	})
}

// ImportConversation takes in the conversation that was picked last.
func (w *Window) ImportConversation() (app.Conversation, error) {
	return guard(w, func(ctx context.Context) (app.Conversation, error) {
		w.mu.Lock()
		text := w.picked
		w.picked = ""
		w.mu.Unlock()
		return w.use.ImportConversation(ctx, text)
	})
}

// readBounded reads at most so many bytes of a file.
func readBounded(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, notRead(err)
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return nil, notRead(err)
	}
	return body, nil
}

func notRead(err error) error {
	return &rag.Error{Code: rag.CodeStorageFailed, Message: "The file could not be read.", Hint: "Check that it is still there and may be opened.", Cause: err}
}
