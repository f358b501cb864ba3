package desktop

import (
	"context"
	"time"

	"referent/app"
)

// IndexSize tells how much the data folder takes.
func (w *Window) IndexSize() (app.IndexSize, error) { return guard(w, w.use.IndexSize) }

// VerifyIndex compares the search index with the documents; Stop(id) ends it.
func (w *Window) VerifyIndex(id string) (app.IndexReport, error) {
	return guard(w, func(ctx context.Context) (app.IndexReport, error) {
		ctx, end := w.task(ctx, id)
		defer end()
		return w.use.VerifyIndex(ctx)
	})
}

// RepairIndex builds the search index anew where something is wrong.
func (w *Window) RepairIndex(id string) (app.IndexReport, error) {
	return guard(w, func(ctx context.Context) (app.IndexReport, error) {
		ctx, end := w.task(ctx, id)
		defer end()
		return w.use.RepairIndex(ctx)
	})
}

// Rebuilding is the event "rebuilding": how far RebuildIndex is.
type Rebuilding struct {
	ID    string `json:"id"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// rebuildPause is the least time between two events of one rebuild: progress is
// seen to move at most four times a second.
const rebuildPause = 250 * time.Millisecond

// RebuildIndex builds the search index anew while the old one serves.
func (w *Window) RebuildIndex(id string) error {
	return guardDo(w, func(ctx context.Context) error {
		ctx, end := w.task(ctx, id)
		defer end()
		var told time.Time
		return w.use.RebuildIndex(ctx, func(p app.IndexProgress) {
			if p.Done < p.Total && time.Since(told) < rebuildPause {
				return
			}
			told = time.Now()
			w.platform.Emit("rebuilding", Rebuilding{ID: id, Done: p.Done, Total: p.Total})
		})
	})
}

// Backup asks where the backup goes and writes it. It returns the path, empty
// when the dialog was closed.
func (w *Window) Backup(id string) (string, error) {
	return guard(w, func(ctx context.Context) (string, error) {
		path, err := w.platform.SaveFile(ctx, "referent-backup-"+time.Now().Format("2006-01-02")+".zip")
		if err != nil || path == "" {
			return "", err
		}
		ctx, end := w.task(ctx, id)
		defer end()
		return path, w.use.Backup(ctx, path)
	})
}

// PickBackup asks the person for a backup, checks it, and lays it ready for the
// next start. Picked is false when the dialog was closed.
func (w *Window) PickBackup(id string) (PickedBackup, error) {
	return guard(w, func(ctx context.Context) (PickedBackup, error) {
		paths, err := w.platform.PickFiles(ctx)
		if err != nil || len(paths) == 0 {
			return PickedBackup{}, err
		}
		ctx, end := w.task(ctx, id)
		defer end()
		plan, err := w.use.PlanRestore(ctx, paths[0])
		return PickedBackup{Picked: err == nil, Path: paths[0], Restored: plan}, err
	})
}

// PickedBackup is a backup that the next start brings back.
type PickedBackup struct {
	Picked bool   `json:"picked"`
	Path   string `json:"path"`
	app.Restored
}

// Restart closes the window and starts the program again.
func (w *Window) Restart() error {
	return guardDo(w, func(context.Context) error {
		w.mu.Lock()
		w.lost = true
		w.mu.Unlock()
		w.platform.Quit()
		return nil
	})
}
