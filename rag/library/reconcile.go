package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"referent/rag"
	"referent/storage/index"
)

// foundBatch is how many files enter the ledger in one transaction.
const foundBatch = 200

// maxEvents is how many files are told of one by one.
const maxEvents = 50

// reconcile compares a root, or the part of it below dir, with the ledger: new
// and changed files wait to be read, vanished ones are masked, ignored ones
// leave. A root that is away becomes offline and keeps everything. The error is
// the store's or the context's.
func (l *Library) reconcile(ctx context.Context, r root, dir string) error {
	l.scan.Lock()
	defer l.scan.Unlock()
	r, ok := l.roots.byID(r.ID)
	if !ok {
		return nil // it was removed meanwhile
	}
	polling := ""
	watching := l.watch.mayRest()
	if watching {
		polling = l.watch.unable(r)
		l.watch.beginTest(r, dir)
	}
	seen, err := look(ctx, r, dir, func(dir string) {
		if watching && polling == "" {
			polling = l.watch.add(dir)
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		if dir != r.Path { // it went while we came
			return l.vanished(ctx, dir)
		}
		return l.goOffline(ctx, r, offlineReason(r, err))
	}
	known, err := l.knownFiles(ctx, r, dir)
	if err != nil {
		return err
	}
	if suddenlyEmpty(r, dir, seen, known) {
		return l.goOffline(ctx, r, "The folder is empty now. What was read from it is kept. If its disk is not connected, connect it; if you emptied it, remove it from the library.")
	}
	if err := l.compare(ctx, r, seen, known); err != nil {
		return err
	}
	if polling == "" {
		polling = l.watch.endTest(r)
	}
	if dir == r.Path {
		l.mu.Lock()
		l.ignored[r.ID] = seen.ignored
		l.mu.Unlock()
	}
	switch {
	case r.State == "paused":
		return l.setState(ctx, r, r.State, r.Reason, dir == r.Path)
	case polling != "":
		return l.setState(ctx, r, "polling", polling, dir == r.Path)
	case dir == r.Path:
		return l.setState(ctx, r, "watching", "", true)
	}
	return nil
}

// look walks a folder root, or stats a single file.
func look(ctx context.Context, r root, dir string, visit func(dir string)) (*walk, error) {
	if !r.SingleFile {
		return walkRoot(ctx, r, dir, visit)
	}
	visit(filepath.Dir(r.Path)) // folders only: a file that is replaced loses its watch
	w := &walk{}
	info, err := os.Lstat(r.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return w, nil // a file that went is gone, not offline
	}
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() {
		w.files = append(w.files, walkedFile{r.Path, info})
	}
	return w, nil
}

func (l *Library) knownFiles(ctx context.Context, r root, dir string) (map[string]index.FileState, error) {
	known := map[string]index.FileState{}
	err := l.store.EachFile(ctx, r.ID, func(f index.FileState) error {
		if within(f.Path, dir) {
			known[f.Path] = f
		}
		return nil
	})
	return known, err
}

// suddenlyEmpty: nothing at all is in a root that held files: more likely a
// disk that is not mounted than a person who deleted everything.
func suddenlyEmpty(r root, dir string, seen *walk, known map[string]index.FileState) bool {
	if r.SingleFile || dir != r.Path || len(seen.files) > 0 || seen.ignored > 0 || seen.folders > 1 || len(seen.unreadable) > 0 {
		return false
	}
	for _, f := range known {
		if !f.Missing {
			return true
		}
	}
	return false
}

// compare brings the ledger in step with what a walk has seen. What the walk has
// met leaves known.
func (l *Library) compare(ctx context.Context, r root, seen *walk, known map[string]index.FileState) error {
	var differs []walkedFile
	for _, file := range seen.files {
		f, ok := known[file.path]
		if !ok || f.Missing || f.Size != file.info.Size() || !f.ModTime.Equal(file.info.ModTime()) {
			differs = append(differs, file)
		} else if err := l.arrived(ctx, f, file.info); err != nil {
			return err
		}
		delete(known, file.path)
	}
	if err := l.enter(ctx, r, differs); err != nil {
		return err
	}
	return l.leave(ctx, r, seen, known)
}

// enter takes new and changed files of a root into the ledger, in batches.
func (l *Library) enter(ctx context.Context, r root, files []walkedFile) error {
	var batch []index.FileSeen
	flush := func() error {
		err := l.found(ctx, batch)
		batch = batch[:0]
		return err
	}
	now := l.clock.Now()
	inQueueOrder(files)
	for _, file := range files {
		path, info := file.path, file.info
		if now.Sub(info.ModTime()) < quietTime && l.watch.mayRest() { // still being written, perhaps
			l.watch.touch(path)
			continue
		}
		l.watch.missed(r, path)
		if batch = append(batch, seenFile(r, path, info)); len(batch) == foundBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// leave handles what the ledger holds and the walk did not meet: it vanished,
// or it is ignored now.
func (l *Library) leave(ctx context.Context, r root, seen *walk, unmet map[string]index.FileState) error {
	var gone []string
	for _, path := range slices.Sorted(maps.Keys(unmet)) {
		f := unmet[path]
		if f.Missing || !seen.known(path) {
			continue
		}
		info, err := os.Lstat(path)
		switch {
		case err == nil && info.Mode().IsRegular() && whyIgnored(r, path, false) != "":
			if err := l.drop(ctx, r, f); err != nil {
				return err
			}
		case err == nil && info.Mode().IsRegular(), err != nil && !errors.Is(err, fs.ErrNotExist) && !notFolder(err):
			// It came back just now, or it cannot be told: the next look says.
		default:
			l.watch.missed(r, path)
			gone = append(gone, path)
		}
	}
	return l.mask(ctx, gone)
}

// found enters files into the ledger and shows those that had vanished.
func (l *Library) found(ctx context.Context, files []index.FileSeen) error {
	if len(files) == 0 {
		return nil
	}
	changed, shown, err := l.store.Enter(ctx, files)
	if err != nil {
		return err
	}
	for _, id := range shown {
		if err := l.show(ctx, id); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		l.signal.raise()
		l.work.raise() // one that came back may have waited when it went
		return nil
	}
	l.tellEach(len(changed), func(i int) Event {
		e := Event{Kind: EventFile, Document: changed[i], Status: string(rag.FileWaiting)}
		if d, ok, err := l.store.Document(ctx, changed[i]); err == nil && ok {
			e.Path, e.Status = d.Path, d.Status
		}
		return e
	})
	l.work.raise()
	return nil
}

// tellEach tells of each of n files, or once of many: a listener asks for the
// list then.
func (l *Library) tellEach(n int, event func(i int) Event) {
	if n > maxEvents {
		l.changed(Event{Kind: EventProgress})
		return
	}
	for i := range n {
		l.changed(event(i))
	}
}

func seenFile(r root, path string, info fs.FileInfo) index.FileSeen {
	return index.FileSeen{Folder: r.ID, Path: path, Size: info.Size(), ModTime: info.ModTime(), Inode: inode(info)}
}

// mask hides files whose path vanished, from every search, at once.
func (l *Library) mask(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	l.publish.Lock()
	gone, err := l.store.Missing(ctx, paths, l.clock.Now())
	l.deps.Index.Mask(gone...)
	l.publish.Unlock()
	if err != nil {
		return err
	}
	l.tellEach(len(paths), func(i int) Event { return Event{Kind: EventFile, Path: paths[i], Status: Removed} })
	l.watch.wake()
	return nil
}

// vanished masks everything at path or below it that is really gone, or is no
// file any more.
func (l *Library) vanished(ctx context.Context, path string) error {
	files, err := l.store.FilesUnder(ctx, path)
	if err != nil {
		return err
	}
	var gone []string
	for _, f := range files {
		info, err := os.Lstat(f.Path)
		if errors.Is(err, fs.ErrNotExist) || notFolder(err) || err == nil && !info.Mode().IsRegular() {
			gone = append(gone, f.Path)
		}
	}
	return l.mask(ctx, gone)
}

// drop lets go of a file that a root no longer reaches.
func (l *Library) drop(ctx context.Context, r root, f index.FileState) error {
	deleted, err := l.store.DropPlacement(ctx, f.Document, r.ID)
	if err != nil {
		return err
	}
	if !deleted {
		return l.show(ctx, f.Document)
	}
	l.deps.Index.Remove(f.Document)
	l.changed(Event{Kind: EventFile, Path: f.Path, Document: f.Document, Status: Removed})
	return nil
}

// goOffline keeps the index of a root that is away, also of files that seemed
// to vanish one by one while it went.
func (l *Library) goOffline(ctx context.Context, r root, reason string) error {
	back, err := l.store.FoundAgain(ctx, r.ID)
	if err != nil {
		return err
	}
	for _, id := range back {
		if err := l.show(ctx, id); err != nil {
			return err
		}
	}
	return l.setState(ctx, r, "offline", reason, false)
}

func offlineReason(r root, err error) string {
	what := "The folder"
	if r.SingleFile {
		what = "The file"
	}
	if errors.Is(err, fs.ErrPermission) {
		return what + " may not be read. What was read before is kept. Give yourself the right to read it."
	}
	return fmt.Sprintf("%s %s is not there. What was read before is kept. Connect its disk, or remove it from the library.", what, r.Path)
}

// purge deletes what vanished before the grace time, unless its root is away.
func (l *Library) purge(ctx context.Context) error {
	n, err := l.store.MissingCount(ctx)
	if err != nil || n == 0 {
		return err
	}
	for _, r := range l.roots.all() {
		if _, err := os.Lstat(r.Path); err != nil && !r.SingleFile && r.State != "offline" {
			if err := l.goOffline(ctx, r, offlineReason(r, err)); err != nil {
				return err
			}
		}
	}
	gone, err := l.store.PurgeMissing(ctx, l.clock.Now().Add(-graceTime))
	if err != nil {
		return err
	}
	if len(gone) > 0 {
		l.deps.Index.Remove(gone...)
		l.changed(Event{Kind: EventProgress})
	}
	return nil
}

// show brings what the search sees of a document in step with the store, from
// its columns to its vectors.
func (l *Library) show(ctx context.Context, id int64) error {
	l.publish.Lock()
	defer l.publish.Unlock()
	cols, ok, err := l.store.Columns(ctx, id)
	if err != nil {
		return err
	}
	if !ok {
		l.deps.Index.Remove(id)
		return nil
	}
	if cols.Label == string(rag.LabelRestricted) {
		l.deps.Index.SetColumns(cols)
		return nil
	}
	if !cols.Searchable {
		l.deps.Index.Mask(id)
		return nil
	}
	chunks, err := l.store.DocumentChunks(ctx, id)
	if err != nil {
		return err
	}
	l.deps.Index.Add(cols, chunks)
	l.deps.Index.Unmask(id)
	return l.showVectors(ctx, id)
}

// age is how often a root is compared with the disk.
func (r root) age() time.Duration {
	if r.State == "polling" || r.State == "offline" {
		return pollAge
	}
	return reconcileAge
}
