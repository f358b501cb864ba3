package app

import (
	"context"
	"fmt"

	"referent/rag"
)

// SetLabel implements UseCases. path is a folder, a file, or the name of a
// collection. Restricting takes the text out of every search before the call
// returns, and marks what old turns have stored of it.
func (a *App) SetLabel(ctx context.Context, path, label string) error {
	if label != string(rag.LabelPublic) && label != string(rag.LabelRestricted) {
		return &rag.Error{Code: rag.CodeInvalidSetting, Message: fmt.Sprintf("There is no label %q.", label), Hint: "Labels: public, restricted."}
	}
	hidden, err := a.label(ctx, path, rag.Label(label))
	if err == nil && len(hidden) > 0 {
		err = a.chats.MarkWithheld(ctx, hidden)
	}
	a.changed()
	return storageError(err)
}

// label finds what the path names, the cheapest first, and returns the
// documents that became restricted.
func (a *App) label(ctx context.Context, path string, label rag.Label) ([]int64, error) {
	if c, ok, err := a.index.CollectionByName(ctx, path); err != nil || ok {
		if err != nil {
			return nil, err
		}
		return a.library.SetCollectionLabel(ctx, c.ID, label)
	}
	path = absolute(path)
	folders, err := a.index.Folders(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		if f.Path == path {
			return a.library.SetFolderLabel(ctx, f.ID, label)
		}
	}
	d, err := a.document(ctx, path)
	if err != nil {
		return nil, err
	}
	return a.library.SetDocumentLabel(ctx, d.ID, label)
}
