//go:build devtools

package desktop

import "context"

// Crash dereferences nil under the guard, as a fault in a bound method would.
// It exists only in the build that the window tests drive.
func (w *Window) Crash() error {
	return guardDo(w, func(ctx context.Context) error {
		var p *int
		*p = 1
		return nil
	})
}
