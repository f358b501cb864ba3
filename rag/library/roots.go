package library

import (
	"context"
	"slices"
	"sync"

	"referent/storage/index"
)

// root is a folder or file that the user added.
type root struct{ index.Folder }

// rootSet is the list of roots in memory.
type rootSet struct {
	loading sync.Mutex // a list that was read earlier must not replace a later one
	mu      sync.Mutex
	list    []root
}

func (l *Library) loadRoots(ctx context.Context) error {
	l.roots.loading.Lock()
	defer l.roots.loading.Unlock()
	folders, err := l.store.Folders(ctx)
	if err != nil {
		return err
	}
	list := make([]root, len(folders))
	for i, f := range folders {
		list[i] = root{f}
	}
	l.roots.mu.Lock()
	defer l.roots.mu.Unlock()
	l.roots.list = list
	return nil
}

func (s *rootSet) all() []root {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// of returns the roots that reach a path.
func (s *rootSet) of(path string) []root {
	return slices.DeleteFunc(s.all(), func(r root) bool { return r.SingleFile && path != r.Path || !within(path, r.Path) })
}

// find returns the root with this very path.
func (s *rootSet) find(path string) (root, bool) {
	all := s.all()
	i := slices.IndexFunc(all, func(r root) bool { return r.Path == path })
	if i < 0 {
		return root{}, false
	}
	return all[i], true
}

func (s *rootSet) byID(id int64) (root, bool) {
	all := s.all()
	i := slices.IndexFunc(all, func(r root) bool { return r.ID == id })
	if i < 0 {
		return root{}, false
	}
	return all[i], true
}

// setState keeps a root's state in the store and in memory, and tells.
func (l *Library) setState(ctx context.Context, r root, state, reason string, checked bool) error {
	at := r.LastChecked
	if checked {
		at = l.clock.Now()
	} else if r.State == state && r.Reason == reason {
		return nil
	}
	if err := l.store.SetFolderState(ctx, r.ID, state, reason, at); err != nil {
		return err
	}
	l.roots.mu.Lock()
	for i := range l.roots.list {
		if f := &l.roots.list[i]; f.ID == r.ID {
			f.State, f.Reason, f.LastChecked = state, reason, at
		}
	}
	l.roots.mu.Unlock()
	l.watch.wake() // its next comparison may be due earlier
	l.work.raise() // its files may be read again
	l.changed(Event{Kind: EventFolder, Path: r.Path, Status: state, Reason: reason})
	return nil
}
