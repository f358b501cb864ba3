package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"referent/storage"
)

// watch turns events of the file system into looks. An event only means "look
// at this path again": what is true is always asked of the disk.
type watch struct {
	l      *Library
	notify *fsnotify.Watcher // nil: the system gives none
	broken string            // why there are no live updates at all; a sentence
	alarm  *signal

	mu       sync.Mutex
	pending  map[string]*restless
	overflow bool // everything must be looked at
	began    bool
	deaf     map[int64]bool      // roots whose changes came without an event
	testing  map[int64]bool      // roots whose watch is tested by the comparison in hand
	absent   map[int64]bool      // roots that were away at the last look
	tried    map[int64]time.Time // when an offline root was last compared
	pulse    pulse
}

// restless is a path that something happened to.
type restless struct {
	looked      bool // at all, since the last event
	size        int64
	modified    time.Time
	first, last time.Time // when something happened to it
	patience    time.Duration
}

func newWatch(l *Library) *watch {
	return &watch{l: l, alarm: newSignal(), pending: map[string]*restless{}, deaf: map[int64]bool{}, testing: map[int64]bool{}, absent: map[int64]bool{}, tried: map[int64]time.Time{}}
}

func (w *watch) open() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.began = true
	n, err := fsnotify.NewWatcher()
	if err != nil {
		w.broken = watchReason(err)
		return
	}
	w.notify = n
}

func (w *watch) close() {
	if w.notify != nil {
		_ = w.notify.Close() // nothing is left to do about an error
	}
}

// mayRest: with nobody to look again, a fresh file is taken as it is.
func (w *watch) mayRest() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.began
}

func (w *watch) wake() { w.alarm.raise() }

// touch notes that something happened to a path.
func (w *watch) touch(path string) {
	now := w.l.clock.Now()
	w.mu.Lock()
	p := w.pending[path]
	if p == nil {
		p = &restless{first: now, patience: restlessTime}
		w.pending[path] = p
	}
	p.looked, p.last = false, now
	w.mu.Unlock()
	w.wake()
}

func (w *watch) reconcileAll() {
	w.mu.Lock()
	w.overflow = true
	w.mu.Unlock()
	w.wake()
}

// quiet tells whether nothing waits to be looked at.
func (w *watch) quiet() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending) == 0 && !w.overflow
}

// unable says why a root gets no live updates, before any of its folders is
// watched; empty when it does.
func (w *watch) unable(r root) string {
	if w.notify == nil {
		return w.broken
	}
	if name := storage.NetworkFileSystem(r.Path); name != "" {
		return fmt.Sprintf("The folder is on a network share (%s), which tells nothing of changes. It is checked every %d minutes.", name, int(pollAge.Minutes()))
	}
	return ""
}

// add watches one folder, before it is listed, so that nothing that happens in
// between is missed. It says why not; empty when it is watched.
func (w *watch) add(dir string) string {
	if w.notify == nil {
		return w.broken
	}
	err := w.notify.Add(dir)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || notFolder(err) {
		return "" // it went meanwhile, or the walk tells what is wrong with it
	}
	return watchReason(err)
}

// remove gives back the watches of a root that no other root needs.
func (w *watch) remove(r root) {
	if w.notify == nil {
		return
	}
	for _, dir := range w.notify.WatchList() {
		if (within(dir, r.Path) || r.SingleFile && dir == filepath.Dir(r.Path)) && !w.needed(dir) {
			_ = w.notify.Remove(dir) // it may have gone by itself
		}
	}
}

func (w *watch) needed(dir string) bool {
	for _, r := range w.l.roots.all() {
		if r.SingleFile && dir == filepath.Dir(r.Path) || !r.SingleFile && within(dir, r.Path) {
			return true
		}
	}
	return false
}

func watchReason(err error) string {
	every := fmt.Sprintf("It is checked every %d minutes.", int(pollAge.Minutes()))
	if watchLimit(err) {
		return "Live updates are off for this folder: the system watches no more folders. " + every
	}
	return "Live updates are off for this folder. " + every
}

// drain empties the system's queue of events as fast as it can: a queue that
// runs over loses events.
func (w *watch) drain(ctx context.Context) {
	if w.notify == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.notify.Events:
			if !ok {
				return
			}
			w.hears(e.Name)
			w.touch(e.Name)
		case _, ok := <-w.notify.Errors: // an overflow, or a watch that failed
			if !ok {
				return
			}
			w.reconcileAll()
		}
	}
}

// unwatch gives back the watches at path and below it. Those of a folder that
// was renamed go on under its old name, and while they last the system gives no
// new ones.
func (w *watch) unwatch(path string) {
	if w.notify == nil {
		return
	}
	for _, dir := range w.notify.WatchList() {
		if within(dir, path) {
			_ = w.notify.Remove(dir) // it may have gone by itself
		}
	}
}
