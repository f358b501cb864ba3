package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"referent/storage"
	"referent/storage/index"
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
	absent   map[int64]bool      // roots that were away at the last look
	tried    map[int64]time.Time // when an offline root was last compared
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
	return &watch{l: l, alarm: newSignal(), pending: map[string]*restless{}, absent: map[int64]bool{}, tried: map[int64]time.Time{}}
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
			w.touch(e.Name)
		case _, ok := <-w.notify.Errors: // an overflow, or a watch that failed
			if !ok {
				return
			}
			w.reconcileAll()
		}
	}
}

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
	next := reconcileAge
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

// follow looks at a path that something happened to. Fresh: for the first time
// since; else it has been quiet, or restless for too long.
func (w *watch) follow(ctx context.Context, path string, fresh bool) error {
	roots := w.l.roots.of(path)
	info, err := os.Lstat(path)
	switch {
	case len(roots) == 0:
		w.forget(path)
		return nil
	case errors.Is(err, fs.ErrNotExist) || notFolder(err):
		w.forget(path)
		return w.gone(ctx, roots, path)
	case err != nil: // it cannot be told
		w.forget(path)
		return nil
	case info.IsDir():
		return w.followFolder(ctx, roots, path, fresh)
	case !info.Mode().IsRegular():
		w.forget(path)
		return w.l.vanished(ctx, path) // a file became something else
	}
	return w.followFile(ctx, roots, path, info, fresh)
}

// gone: the path is not there. When a root went with it, the root is offline
// and nothing in it counts as deleted.
func (w *watch) gone(ctx context.Context, roots []root, path string) error {
	for _, r := range roots {
		if _, err := os.Lstat(r.Path); err != nil && !r.SingleFile {
			return w.l.reconcile(ctx, r, r.Path)
		}
	}
	w.unwatch(path)
	return w.l.vanished(ctx, path)
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

// followFolder looks into a new or renamed folder at once, and again when it is
// quiet: a watch that was set on it before its old name went is lost with that.
func (w *watch) followFolder(ctx context.Context, roots []root, path string, fresh bool) error {
	if !fresh {
		w.forget(path)
	}
	for _, r := range roots {
		if r.SingleFile || whyIgnored(r, path, true) != "" {
			continue
		}
		if err := w.l.reconcile(ctx, r, path); err != nil {
			return err
		}
	}
	return nil
}

func (w *watch) followFile(ctx context.Context, roots []root, path string, info fs.FileInfo, fresh bool) error {
	if name := filepath.Base(path); name == ignoreFiles[0] || name == ignoreFiles[1] {
		w.forget(path)
		for _, r := range roots {
			if err := w.l.reconcile(ctx, r, r.Path); err != nil {
				return err
			}
		}
		return nil
	}
	take, done := w.settled(path, info, fresh)
	if done {
		w.forget(path)
	}
	if !take {
		return w.comeBack(ctx, roots, path)
	}
	var seen []index.FileSeen
	for _, r := range roots {
		if whyIgnored(r, path, false) == "" {
			seen = append(seen, seenFile(r, path, info))
		}
	}
	return w.l.found(ctx, seen)
}

// settled tells whether to take a file as it is, and whether to stop looking:
// both when size and time stayed the same for the quiet time. A file that never
// rests is taken all the same, less and less often.
func (w *watch) settled(path string, info fs.FileInfo, fresh bool) (take, done bool) {
	now := w.l.clock.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.pending[path]
	if p == nil {
		return !fresh, true
	}
	if p.size != info.Size() || !p.modified.Equal(info.ModTime()) {
		p.size, p.modified, p.last = info.Size(), info.ModTime(), now
	} else if !fresh && now.Sub(p.last) >= quietTime {
		return true, true
	}
	if now.Sub(p.first) < p.patience {
		return false, false
	}
	p.first, p.patience = now, min(2*p.patience, reconcileAge)
	return true, false
}

// comeBack shows a masked file as soon as its path is there again, before it is
// quiet: an editor that saves by renaming must not make it blink for long.
func (w *watch) comeBack(ctx context.Context, roots []root, path string) error {
	was, ok, err := w.l.store.File(ctx, roots[0].ID, path)
	if err != nil || !ok || !was.Missing {
		return err
	}
	return w.l.found(ctx, []index.FileSeen{{Folder: roots[0].ID, Path: path, Size: was.Size, ModTime: was.ModTime, Inode: was.Inode}})
}
