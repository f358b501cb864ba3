package library

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"
)

// look is the one goroutine that follows up events, compares roots when it is
// time and purges what is over its grace time.
func (w *watch) look(ctx context.Context) {
	for ctx.Err() == nil {
		alarm := w.alarm.wait()
		if err := w.round(ctx); err != nil && ctx.Err() == nil {
			w.l.setTrouble(sentence(err))
		}
		fires, stop := w.l.clock.After(w.untilNext(ctx))
		select {
		case <-ctx.Done():
		case <-alarm:
		case <-fires:
		}
		stop()
	}
}

func (w *watch) untilNext(ctx context.Context) time.Duration {
	w.mu.Lock()
	busy := len(w.pending) > 0 || w.overflow
	w.mu.Unlock()
	if busy {
		return lookInterval
	}
	if n, err := w.l.store.MissingCount(ctx); err != nil || n > 0 {
		return lookInterval
	}
	w.mu.Lock()
	next := pulseAge - w.l.clock.Now().Sub(w.pulse.beaten)
	if w.notify == nil {
		next = reconcileAge
	}
	w.mu.Unlock()
	for _, r := range w.l.roots.all() {
		if r.State == "offline" {
			next = min(next, offlineInterval)
			continue
		}
		next = min(next, r.age()-w.l.clock.Now().Sub(r.LastChecked))
	}
	return max(next, lookInterval)
}

// round does everything that is due.
func (w *watch) round(ctx context.Context) error {
	w.mu.Lock()
	all := w.overflow
	w.mu.Unlock()
	for _, r := range w.l.roots.all() {
		if all || w.dueRoot(r) {
			if err := w.l.reconcile(ctx, r, r.Path); err != nil {
				return err
			}
		}
	}
	if all {
		w.mu.Lock()
		w.overflow = false
		w.mu.Unlock()
		w.l.signal.raise()
	}
	if err := w.beat(ctx); err != nil {
		return err
	}
	for _, p := range w.due() {
		if err := w.follow(ctx, p.path, p.fresh); err != nil {
			return err
		}
	}
	return w.l.purge(ctx)
}

// dueRoot tells whether a root is to be compared with the disk. An offline one
// is as soon as it is there again.
func (w *watch) dueRoot(r root) bool {
	now := w.l.clock.Now()
	if r.State != "offline" {
		return now.Sub(r.LastChecked) >= r.age()
	}
	_, err := os.Lstat(r.Path)
	w.mu.Lock()
	defer w.mu.Unlock()
	returned := err == nil && w.absent[r.ID]
	w.absent[r.ID] = err != nil
	if !returned && now.Sub(w.tried[r.ID]) < pollAge {
		return false
	}
	w.tried[r.ID] = now
	return true
}

// duePath is a path to be looked at. Fresh: something happened since the last
// look.
type duePath struct {
	path  string
	fresh bool
	gone  bool
}

// due returns the paths to be looked at. Those that are gone come first, so
// that the old half of a move is known when the new one is met.
func (w *watch) due() []duePath {
	now := w.l.clock.Now()
	w.mu.Lock()
	var paths []duePath
	for path, p := range w.pending {
		if !p.looked {
			p.looked = true
			paths = append(paths, duePath{path: path, fresh: true})
		} else if now.Sub(p.last) >= quietTime || now.Sub(p.first) >= p.patience {
			paths = append(paths, duePath{path: path})
		}
	}
	w.mu.Unlock()
	for i := range paths {
		_, err := os.Lstat(paths[i].path)
		paths[i].gone = err != nil
	}
	slices.SortFunc(paths, func(a, b duePath) int {
		if a.gone != b.gone {
			if a.gone {
				return -1
			}
			return 1
		}
		return strings.Compare(a.path, b.path)
	})
	return paths
}

func (w *watch) forget(path string) {
	w.mu.Lock()
	delete(w.pending, path)
	w.mu.Unlock()
	w.l.signal.raise()
}
