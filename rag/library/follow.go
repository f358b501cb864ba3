package library

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"referent/storage/index"
)

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
	if was, ok, err := w.l.store.File(ctx, roots[0].ID, path); err != nil {
		return err
	} else if ok {
		if err := w.l.arrived(ctx, was, info); err != nil {
			return err
		}
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
