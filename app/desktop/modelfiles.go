package desktop

import (
	"context"

	"referent/app"
)

// PullModel downloads a model of the catalogue, or goes on with one that was
// paused, and returns when it is there. Where it stands arrives as events
// "transfer"; each host is asked for by the event's member asks.
func (w *Window) PullModel(id string) error {
	return guardDo(w, func(ctx context.Context) error {
		return w.use.PullModel(ctx, app.PullRequest{ID: id}, func(t app.Transfer) { w.platform.Emit("transfer", t) })
	})
}

// PauseModel stops a download; what has arrived is kept.
func (w *Window) PauseModel(id string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.PauseModel(ctx, id) })
}

// PermitDownload answers the question whether a download may connect to a host.
func (w *Window) PermitDownload(id, host string, allow bool) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.PermitDownload(ctx, id, host, allow) })
}

// ImportModel takes a model file for a role. Where the copy stands arrives as
// events "transfer".
func (w *Window) ImportModel(path, role string) (app.ModelFile, error) {
	return guard(w, func(ctx context.Context) (app.ModelFile, error) {
		return w.use.ImportModel(ctx, app.ImportRequest{Path: path, Role: role}, func(t app.Transfer) { w.platform.Emit("transfer", t) })
	})
}

// RemoveModel deletes a model file of the person's own, or an unfinished download.
func (w *Window) RemoveModel(id string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.RemoveModel(ctx, id) })
}
