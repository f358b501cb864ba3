package desktop

import (
	"context"

	"referent/app"
)

// Runtimes lists what models can run on, installed or not.
func (w *Window) Runtimes() ([]app.RuntimeFolder, error) {
	return guard(w, func(ctx context.Context) ([]app.RuntimeFolder, error) { return w.use.Runtimes(ctx) })
}

// InstallRuntime puts an optional runtime in place from files that the person
// has. Where it stands arrives as events "transfer"; Stop(id) ends it.
func (w *Window) InstallRuntime(id string, req app.InstallRuntimeRequest) (app.RuntimeFolder, error) {
	return guard(w, func(ctx context.Context) (app.RuntimeFolder, error) {
		ctx, end := w.task(ctx, id)
		defer end()
		return w.use.InstallRuntime(ctx, req, func(t app.Transfer) { w.platform.Emit("transfer", t) })
	})
}

// PullRuntime downloads an optional runtime and installs it. PauseModel and
// PermitDownload answer to the ID of its events "transfer".
func (w *Window) PullRuntime(req app.PullRuntimeRequest) (app.RuntimeFolder, error) {
	return guard(w, func(ctx context.Context) (app.RuntimeFolder, error) {
		req.Granted = false // the person is asked for each host
		return w.use.PullRuntime(ctx, req, func(t app.Transfer) { w.platform.Emit("transfer", t) })
	})
}

// RemoveRuntime takes an optional runtime away, or what was downloaded of it.
func (w *Window) RemoveRuntime(name string) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.RemoveRuntime(ctx, name) })
}

// CheckRuntime lets a small model run on a runtime; Stop(id) ends it.
func (w *Window) CheckRuntime(id, name string) (app.RuntimeCheck, error) {
	return guard(w, func(ctx context.Context) (app.RuntimeCheck, error) {
		ctx, end := w.task(ctx, id)
		defer end()
		return w.use.CheckRuntime(ctx, name)
	})
}
