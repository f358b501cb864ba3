package desktop

import (
	"context"

	"referent/app"
	"referent/rag"
)

// Library returns folders, collections and progress.
func (w *Window) Library() (app.Library, error) { return guard(w, w.use.Library) }

// Files returns a page of the ledger.
func (w *Window) Files(query app.FilesRequest) (app.Files, error) {
	return guard(w, func(ctx context.Context) (app.Files, error) { return w.use.Files(ctx, query) })
}

// AddOptions says how paths are added.
type AddOptions struct {
	Collection string `json:"collection"`
	Restricted bool   `json:"restricted"`
}

// Add adds folders and files.
func (w *Window) Add(paths []string, options AddOptions) (app.AddResult, error) {
	return guard(w, func(ctx context.Context) (app.AddResult, error) {
		return w.use.Add(ctx, app.AddRequest{Paths: paths, Collection: options.Collection, Restricted: options.Restricted})
	})
}

// PickFiles asks the person for files; none when the dialog was closed.
func (w *Window) PickFiles() ([]string, error) {
	return guard(w, func(ctx context.Context) ([]string, error) {
		paths, err := w.platform.PickFiles(ctx)
		return append([]string{}, paths...), err
	})
}

// PickFolder asks the person for a folder.
func (w *Window) PickFolder() ([]string, error) {
	return guard(w, func(ctx context.Context) ([]string, error) {
		path, err := w.platform.PickFolder(ctx)
		if err != nil || path == "" {
			return []string{}, err
		}
		return []string{path}, nil
	})
}

// Remove takes a folder or file out of the library.
func (w *Window) Remove(path string, forget bool) error {
	return guardDo(w, func(ctx context.Context) error {
		return w.use.Remove(ctx, app.RemoveRequest{Paths: []string{path}, Forget: forget})
	})
}

// Retry reads a file again.
func (w *Window) Retry(path string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.Retry(ctx, path) })
}

// Unlock reads a protected file with its password.
func (w *Window) Unlock(req app.UnlockRequest) (app.Unlocked, error) {
	return guard(w, func(ctx context.Context) (app.Unlocked, error) { return w.use.Unlock(ctx, req) })
}

// SetTags gives a file exactly these tags.
func (w *Window) SetTags(path string, tags []string) error {
	return guardDo(w, func(ctx context.Context) error {
		return w.use.SetTags(ctx, app.TagsChange{Path: path, Tags: tags})
	})
}

// Encodings lists what can be set for a file.
func (w *Window) Encodings() []app.Encoding { return app.Encodings() }

// SetEncoding sets the encoding of a file and reads it again; empty: it is found
// out.
func (w *Window) SetEncoding(path, encoding string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.SetEncoding(ctx, path, encoding) })
}

// IngestReport says where the time of the newest run of reading went.
func (w *Window) IngestReport() (app.IngestReport, error) { return guard(w, w.use.IngestReport) }

// PlanRecut says what it would cost to read the files anew that an earlier
// version of the program has read.
func (w *Window) PlanRecut() (app.RecutPlan, error) { return guard(w, w.use.PlanRecut) }

// Recut begins to read them anew.
func (w *Window) Recut() error { return guardDo(w, w.use.Recut) }

// PlanEmbedder says what a change of the search model would cost.
func (w *Window) PlanEmbedder() (app.EmbedPlan, error) { return guard(w, w.use.PlanEmbedder) }

// BuildEmbedder builds the index of another search model and returns when it has
// taken over. Where it stands arrives as events "embedder".
func (w *Window) BuildEmbedder() error {
	return guardDo(w, func(ctx context.Context) error {
		return w.use.BuildEmbedder(ctx, func(p app.EmbedPlan) { w.platform.Emit("embedder", p) })
	})
}

// StopEmbedder ends the building; what is made stays for the next time.
func (w *Window) StopEmbedder() error { return guardDo(w, w.use.StopEmbedder) }

// SetPassageClass corrects the class of one passage; empty: its file's again.
func (w *Window) SetPassageClass(chunk int64, class string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.SetPassageClass(ctx, chunk, class) })
}

// Pause stops reading files.
func (w *Window) Pause() error {
	return guardDo(w, func(ctx context.Context) error { return w.use.SetPaused(ctx, true) })
}

// Resume goes on reading files.
func (w *Window) Resume() error {
	return guardDo(w, func(ctx context.Context) error { return w.use.SetPaused(ctx, false) })
}

// SetLabel makes a folder, file or collection public or restricted.
func (w *Window) SetLabel(path, label string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.SetLabel(ctx, path, label) })
}

// SetClass corrects how long a file's text is taken to hold.
func (w *Window) SetClass(path, class string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.SetClass(ctx, path, class) })
}

// Pin puts a passage before others of its kind, or ends that.
func (w *Window) Pin(chunk int64, pinned bool) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.Pin(ctx, chunk, pinned) })
}

// CreateCollection makes an empty collection, public or restricted.
func (w *Window) CreateCollection(name, label string) (app.Collection, error) {
	return guard(w, func(ctx context.Context) (app.Collection, error) { return w.use.CreateCollection(ctx, name, label) })
}

// RenameCollection changes the name of a collection.
func (w *Window) RenameCollection(name, to string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.RenameCollection(ctx, name, to) })
}

// DeleteCollection takes a collection away; its files stay in the library.
func (w *Window) DeleteCollection(name string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.DeleteCollection(ctx, name) })
}

// DocumentText returns the stored text of a document.
func (w *Window) DocumentText(id int64) (app.DocumentText, error) {
	return guard(w, func(ctx context.Context) (app.DocumentText, error) { return w.use.DocumentText(ctx, id) })
}

// Passage returns a chunk with what stands around it.
func (w *Window) Passage(chunk int64) (app.Passage, error) {
	return guard(w, func(ctx context.Context) (app.Passage, error) { return w.use.Passage(ctx, chunk) })
}

// Open opens a file of the library in its program.
func (w *Window) Open(path string) error { return w.openPath(path, false) }

// Reveal shows a file of the library in its folder.
func (w *Window) Reveal(path string) error { return w.openPath(path, true) }

// openPath opens only what the library holds, whatever the page asks for.
func (w *Window) openPath(path string, reveal bool) error {
	return guardDo(w, func(ctx context.Context) error {
		known, err := w.holds(ctx, path)
		if err != nil {
			return err
		}
		if !known {
			return &rag.Error{Code: rag.CodeUnknownDocument, Message: "This file is not in the library.", Hint: "Add its folder first."}
		}
		return w.platform.OpenPath(path, reveal)
	})
}

func (w *Window) holds(ctx context.Context, path string) (bool, error) {
	library, err := w.use.Library(ctx)
	if err != nil {
		return false, err
	}
	for _, f := range library.Folders {
		if f.Path == path {
			return true, nil
		}
	}
	found, err := w.use.Files(ctx, app.FilesRequest{Search: path, Limit: 50})
	if err != nil {
		return false, err
	}
	for _, f := range found.Files {
		if f.Path == path {
			return true, nil
		}
	}
	return false, nil
}
