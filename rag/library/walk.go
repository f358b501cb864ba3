package library

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"referent/storage/index"
)

// walk is one look at a root or at a part of it.
type walk struct {
	visit      func(dir string) // is called for each folder before it is listed
	files      []walkedFile     // that belong to the library, each once
	folders    int              // that were entered
	unreadable []string         // folders whose content is not known
	ignored    int              // files and folders
}

// walkedFile is a file as a walk met it.
type walkedFile struct {
	path string
	info fs.FileInfo
}

// walkRoot looks at everything of a root below dir, which is the root itself or
// a folder in it. Links are not followed: what they point to inside the root is
// met at its own place, and what is outside does not belong to it. The error is
// the context's or that of reading dir.
func walkRoot(ctx context.Context, r root, dir string, visit func(dir string)) (*walk, error) {
	w := &walk{visit: visit}
	rules, relative := newRules(r.Exclude), []string(nil)
	if dir != r.Path {
		at := r.Path
		for _, name := range r.relative(dir) {
			rules = rules.enter(at, relative)
			relative = append(relative, name)
			if rules.ignores(relative, true) != "" {
				return w, nil
			}
			at = filepath.Join(at, name)
		}
	}
	visit(dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	return w, w.enter(ctx, dir, relative, rules, entries)
}

func (w *walk) enter(ctx context.Context, dir string, relative []string, rules rules, entries []fs.DirEntry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.folders++
	rules = rules.enter(dir, relative)
	inside := strings.TrimSuffix(dir, string(os.PathSeparator)) + string(os.PathSeparator)
	for _, e := range entries {
		path, below := inside+e.Name(), append(relative[:len(relative):len(relative)], e.Name())
		if !e.IsDir() && !e.Type().IsRegular() {
			continue // links, pipes, devices, sockets
		}
		if rules.ignores(below, e.IsDir()) != "" {
			w.ignored++
			continue
		}
		if e.IsDir() {
			w.visit(path)
			inner, err := os.ReadDir(path)
			if err != nil {
				w.unreadable = append(w.unreadable, path)
				continue
			}
			if err := w.enter(ctx, path, below, rules, inner); err != nil {
				return err
			}
			continue
		}
		if info, err := e.Info(); err == nil { // else it vanished on the way
			w.files = append(w.files, walkedFile{path, info})
		}
	}
	return nil
}

// inQueueOrder sorts files as the queue hands them out: small and recent ones
// first.
func inQueueOrder(files []walkedFile) {
	slices.SortFunc(files, func(a, b walkedFile) int {
		return cmp.Or(cmp.Compare(index.SizeRank(a.info.Size()), index.SizeRank(b.info.Size())), b.info.ModTime().Compare(a.info.ModTime()), strings.Compare(a.path, b.path))
	})
}

// known tells whether the walk can say that path is not there.
func (w *walk) known(path string) bool {
	for _, dir := range w.unreadable {
		if within(path, dir) {
			return false
		}
	}
	return true
}

// whyIgnored says why a path of a root is left out; empty when it is not.
func whyIgnored(r root, path string, isDir bool) string {
	if r.SingleFile {
		if path != r.Path {
			return "Only the file beside it was added."
		}
		return ""
	}
	names := r.relative(path)
	rules, relative, at := newRules(r.Exclude), []string(nil), r.Path
	for i, name := range names {
		rules = rules.enter(at, relative)
		relative = append(relative, name)
		if why := rules.ignores(relative, isDir || i < len(names)-1); why != "" {
			return why
		}
		at = filepath.Join(at, name)
	}
	return ""
}

// relative is the place of a path below the root, name by name.
func (r root) relative(path string) []string {
	rest := strings.Trim(strings.TrimPrefix(path, r.Path), string(os.PathSeparator))
	if rest == "" {
		return nil
	}
	return strings.Split(rest, string(os.PathSeparator))
}
