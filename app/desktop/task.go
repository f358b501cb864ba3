package desktop

import "context"

// task names a running piece of work, so that Stop(id) ends it. end is called
// once, when it has ended.
func (w *Window) task(ctx context.Context, id string) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	w.mu.Lock()
	w.turns[id] = cancel
	w.mu.Unlock()
	return ctx, func() {
		cancel()
		w.mu.Lock()
		delete(w.turns, id)
		w.mu.Unlock()
	}
}
