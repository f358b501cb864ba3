package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"referent/rag"
	"referent/storage/index"
)

// AddOptions says how a folder or file is added.
type AddOptions struct {
	Collection string   // name; made if it is missing; empty: none
	Restricted bool     // kept and readable, never given to a search or a model
	Exclude    []string // patterns as in .gitignore
	Password   string   // for protected files; kept in memory only
}

// AddFolder adds a folder with everything below it, or a file (AddFile), and
// enters what it holds into the queue. Adding it again adds nothing twice. The
// error is an *rag.Error or the store's.
func (l *Library) AddFolder(ctx context.Context, path string, opts AddOptions) (index.Folder, error) {
	return l.add(ctx, path, opts)
}

// AddFile adds one file. It is watched like a folder of its own.
func (l *Library) AddFile(ctx context.Context, path string, opts AddOptions) (index.Folder, error) {
	return l.add(ctx, path, opts)
}

func (l *Library) add(ctx context.Context, text string, opts AddOptions) (index.Folder, error) {
	path, err := CleanPath(text)
	if err != nil {
		return index.Folder{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return index.Folder{}, openError(path, err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return index.Folder{}, &rag.Error{Code: rag.CodeUnknownDocument, Message: fmt.Sprintf("%s is neither a file nor a folder.", path), Hint: "Add the file that it stands for."}
	}
	if path, err = filepath.EvalSymlinks(path); err != nil { // a root that is a link is resolved once
		return index.Folder{}, openError(path, err)
	}
	if info.IsDir() {
		if _, err := os.ReadDir(path); err != nil {
			return index.Folder{}, openError(path, err)
		}
	}
	collection, err := l.collection(ctx, opts.Collection)
	if err != nil {
		return index.Folder{}, err
	}
	label := rag.LabelPublic
	if opts.Restricted {
		label = rag.LabelRestricted
	}
	var folder index.Folder
	change := func() (err error) {
		folder, err = l.store.AddFolder(ctx, index.Folder{Path: path, Collection: collection, Label: string(label), Exclude: opts.Exclude, SingleFile: !info.IsDir()})
		return err
	}
	if _, known := l.roots.find(path); known { // what it holds may change its label or collection
		err = l.relabel(ctx, change)
	} else {
		err = change()
	}
	if err != nil {
		return folder, err
	}
	if err := l.loadRoots(ctx); err != nil {
		return folder, err
	}
	if opts.Password != "" {
		l.mu.Lock()
		l.passwords[path] = opts.Password
		l.mu.Unlock()
	}
	l.changed(Event{Kind: EventFolder, Path: path, Status: folder.State})
	r, ok := l.roots.find(path)
	if !ok {
		return folder, nil // removed at this moment
	}
	return folder, l.reconcile(ctx, r, path)
}

func openError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &rag.Error{Code: rag.CodeUnknownDocument, Message: fmt.Sprintf("There is no file or folder %s.", path), Hint: "Check the path.", Cause: err}
	case errors.Is(err, fs.ErrPermission):
		return &rag.Error{Code: rag.CodeUnknownDocument, Message: fmt.Sprintf("%s may not be read.", path), Hint: "Give yourself the right to read it.", Cause: err}
	}
	return &rag.Error{Code: rag.CodeUnknownDocument, Message: fmt.Sprintf("%s cannot be opened.", path), Hint: "Check the disk.", Cause: err}
}

// collection finds or makes a collection by name; 0 for no name.
func (l *Library) collection(ctx context.Context, name string) (int64, error) {
	if strings.TrimSpace(name) == "" {
		return 0, nil
	}
	c, ok, err := l.store.CollectionByName(ctx, name)
	if err == nil && !ok {
		c, err = l.store.CreateCollection(ctx, name, string(rag.LabelPublic))
		if errors.Is(err, index.ErrNameTaken) { // made by someone else just now
			c, _, err = l.store.CollectionByName(ctx, name)
		}
	}
	return c.ID, err
}

// Remove takes a root, or a file or folder inside one, out of the library; what
// is on the disk stays. Something inside a root is excluded from it, so that it
// does not come back. forget also erases its passages from old turns.
func (l *Library) Remove(ctx context.Context, text string, forget bool) error {
	path, err := CleanPath(text)
	if err != nil {
		return err
	}
	if _, ok := l.roots.find(path); !ok {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
	}
	var gone []int64
	if r, ok := l.roots.find(path); ok {
		gone, err = l.removeRoot(ctx, r)
	} else {
		gone, err = l.exclude(ctx, path)
	}
	if err != nil {
		return err
	}
	l.deps.Index.Remove(gone...)
	l.changed(Event{Kind: EventFolder, Path: path, Status: Removed})
	if forget && l.deps.Forget != nil {
		return l.deps.Forget(ctx, gone)
	}
	return nil
}

func (l *Library) removeRoot(ctx context.Context, r root) ([]int64, error) {
	l.scan.Lock() // a reconcile in hand would enter its files again
	defer l.scan.Unlock()
	var gone []int64
	err := l.relabel(ctx, func() (err error) { // its label may have restricted what other roots reach
		gone, err = l.store.RemoveFolder(ctx, r.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	l.watch.remove(r)
	return gone, nil
}

// exclude takes what lies at path or below it out of the roots that reach it.
func (l *Library) exclude(ctx context.Context, path string) (gone []int64, err error) {
	l.scan.Lock()
	defer l.scan.Unlock()
	files, err := l.store.FilesUnder(ctx, path)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &rag.Error{Code: rag.CodeUnknownDocument, Message: fmt.Sprintf("%s is not in the library.", path), Hint: "List the library to see what is."}
	}
	for _, r := range l.roots.all() {
		if r.SingleFile && within(r.Path, path) {
			removed, err := l.store.RemoveFolder(ctx, r.ID)
			if err != nil {
				return nil, err
			}
			gone = append(gone, removed...)
			l.watch.remove(r)
			continue
		}
		if r.SingleFile || !within(path, r.Path) {
			continue
		}
		pattern := "/" + escapePattern(strings.Join(r.relative(path), "/"))
		if err := l.store.SetFolderExclude(ctx, r.ID, append(r.Exclude, pattern)); err != nil {
			return nil, err
		}
		for _, f := range files {
			deleted, err := l.store.DropPlacement(ctx, f.Document, r.ID)
			if err != nil {
				return nil, err
			}
			if deleted {
				gone = append(gone, f.Document)
			} else if err := l.show(ctx, f.Document); err != nil {
				return nil, err
			}
		}
	}
	return gone, l.loadRoots(ctx)
}

// escapePattern makes a path a pattern that matches only itself.
func escapePattern(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// PauseFolder stops reading from one root; what was read stays searchable.
func (l *Library) PauseFolder(ctx context.Context, path string) error {
	return l.switchFolder(ctx, path, "paused", "Reading from this folder is paused.")
}

// ResumeFolder goes on and compares the root with the disk.
func (l *Library) ResumeFolder(ctx context.Context, path string) error {
	if err := l.switchFolder(ctx, path, "watching", ""); err != nil {
		return err
	}
	l.work.raise()
	l.watch.reconcileAll()
	return nil
}

func (l *Library) switchFolder(ctx context.Context, path, state, reason string) error {
	r, ok := l.roots.find(path)
	if !ok {
		return &rag.Error{Code: rag.CodeUnknownDocument, Message: fmt.Sprintf("%s is not a folder of the library.", path), Hint: "List the library to see which are."}
	}
	return l.setState(ctx, r, state, reason, false)
}
