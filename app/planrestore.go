package app

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"referent/inference/download"
	"referent/rag"
	"referent/storage"
)

// PlanRestore implements UseCases: the backup is checked and laid beside the
// databases now, and takes their place when the data folder is opened the next
// time. What is there then is kept, as Restore does. A second plan replaces the
// first.
func (a *App) PlanRestore(ctx context.Context, path string) (Restored, error) {
	if !a.config.Window {
		return Restored{}, &rag.Error{Code: rag.CodeNotAvailable, Message: "A Referent command holds this data folder.", Hint: "End it, then restore the backup."}
	}
	dir := a.config.DataDir
	if err := dropPlan(dir); err != nil {
		return Restored{}, storageError(storage.Explain(err))
	}
	fresh, err := os.MkdirTemp(dir, restoreCopies)
	if err != nil {
		return Restored{}, storageError(storage.Explain(err))
	}
	s := swap{dir: dir, Fresh: filepath.Base(fresh), Planned: true, Before: "before-restore-" + time.Now().UTC().Format("20060102-150405.000")}
	reset, err := a.layOut(ctx, path, fresh)
	if err == nil {
		err = s.write()
	}
	if err != nil {
		_ = os.RemoveAll(fresh) // the error says that nothing was changed
		return Restored{}, storageError(err)
	}
	return Restored{Before: s.before(), Reset: reset}, nil
}

func (a *App) layOut(ctx context.Context, path, fresh string) (reset bool, err error) {
	if err := unpack(path, fresh, download.FreeSpace); err != nil {
		return false, err
	}
	return tryOpen(ctx, fresh)
}

// dropPlan forgets a restore that was planned and not begun.
func dropPlan(dir string) error {
	s, err := readSwap(dir)
	if err != nil || s == nil || !s.Planned {
		return err
	}
	return s.end()
}
