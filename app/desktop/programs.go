package desktop

import (
	"context"

	"referent/app"
)

// Serving tells how other programs reach the library, with the token.
func (w *Window) Serving() (app.Serving, error) { return guard(w, w.use.Serving) }

// RotateToken makes a new token; what other programs know is worth nothing then.
func (w *Window) RotateToken() (app.Serving, error) {
	return guard(w, func(ctx context.Context) (app.Serving, error) {
		if err := w.use.RotateToken(ctx); err != nil {
			return app.Serving{}, err
		}
		return w.use.Serving(ctx)
	})
}
