package inference

import "context"

type progressKey struct{}

// WithProgress returns a context whose work calls fn each time it went on
// without having anything to show yet: a step of a prompt was evaluated, a
// batch of an embedding was done. A supervisor tells long work from a hang by
// it. fn must be quick and safe for any goroutine.
func WithProgress(ctx context.Context, fn func()) context.Context {
	return context.WithValue(ctx, progressKey{}, fn)
}

// Progress calls the function of WithProgress, if there is one. A Host calls
// it after each step of a prompt and each batch of an embedding.
func Progress(ctx context.Context) {
	if fn, ok := ctx.Value(progressKey{}).(func()); ok {
		fn()
	}
}
