package library

import (
	"context"
	"io/fs"

	"referent/rag"
	"referent/storage/index"
)

// cloudReason is said of a file whose content a cloud drive keeps elsewhere.
const cloudReason = "The content of this file is not on this computer. Open it once, or make it available offline in your cloud drive, and it is read."

// arrived has a placeholder read once its content is on this computer: that
// changes neither its size nor its time.
func (l *Library) arrived(ctx context.Context, f index.FileState, info fs.FileInfo) error {
	if f.Status != string(rag.FileCloudOnly) || placeholder(f.Path, info) {
		return nil
	}
	if err := l.store.Requeue(ctx, f.Document); err != nil {
		return err
	}
	l.changed(Event{Kind: EventFile, Path: f.Path, Document: f.Document, Status: string(rag.FileWaiting)})
	l.work.raise()
	return nil
}
