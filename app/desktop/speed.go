package desktop

import (
	"context"

	"referent/app"
)

// FitModels tells what would go where, for this machine or a pretended one.
func (w *Window) FitModels(req app.FitRequest) (app.Fit, error) {
	return guard(w, func(ctx context.Context) (app.Fit, error) { return w.use.FitModels(ctx, req) })
}

// TestModel measures the model of a role; Stop(id) ends it.
func (w *Window) TestModel(id, role string) (app.Speed, error) {
	return guard(w, func(ctx context.Context) (app.Speed, error) {
		ctx, end := w.task(ctx, id)
		defer end()
		return w.use.TestModel(ctx, role)
	})
}

// SetRemote lets a server play a role, or ends that.
func (w *Window) SetRemote(req app.RemoteRequest) error {
	return guardDo(w, func(ctx context.Context) error { return w.use.SetRemote(ctx, req) })
}
