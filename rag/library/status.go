package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"referent/rag"
	"referent/storage/index"
)

// FolderStatus is a root with what became of its files.
type FolderStatus struct {
	index.Folder
	Counts  map[string]int // files by status
	Indexed int            // indexed and partly_indexed
	Waiting int            // waiting and indexing
	Failed  int            // all others
	Ignored int            // files and folders left out at the last reconcile
}

// Status is the state of the whole library.
type Status struct {
	Folders  []FolderStatus
	Progress Progress
}

// Status tells where everything stands.
func (l *Library) Status(ctx context.Context) (Status, error) {
	var s Status
	folders, err := l.store.Folders(ctx)
	if err != nil {
		return s, err
	}
	for _, f := range folders {
		counts, err := l.store.CountsByStatus(ctx, f.ID)
		if err != nil {
			return s, err
		}
		s.Folders = append(s.Folders, l.folderStatus(f, counts))
	}
	s.Progress, err = l.Progress(ctx)
	return s, err
}

func (l *Library) folderStatus(f index.Folder, counts map[string]int) FolderStatus {
	l.mu.Lock()
	ignored := l.ignored[f.ID]
	l.mu.Unlock()
	s := FolderStatus{Folder: f, Counts: counts, Ignored: ignored}
	for status, n := range counts {
		switch rag.FileStatus(status) {
		case rag.FileIndexed, rag.FilePartlyIndexed:
			s.Indexed += n
		case rag.FileWaiting, rag.FileIndexing:
			s.Waiting += n
		default:
			s.Failed += n
		}
	}
	return s
}

// Progress tells how far the work is.
func (l *Library) Progress(ctx context.Context) (Progress, error) {
	left, err := l.store.Unfinished(ctx)
	if err != nil {
		return Progress{}, err
	}
	model, err := l.store.Meta(ctx, "embed_model")
	if err != nil {
		return Progress{}, err
	}
	done, total, err := l.store.VectorProgress(ctx, model)
	if err != nil {
		return Progress{}, err
	}
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	p := Progress{FilesDone: l.run.done, FilesTotal: l.run.done + left, VectorsDone: done, VectorsTotal: total, Paused: l.paused, Preparing: l.preparing, Trouble: l.trouble, WordsOnly: l.mute}
	p.FilesPerSecond, p.FilesRemaining = l.run.rate(left, now)
	p.VectorsPerSecond, p.VectorsRemaining = l.vectors.rate(total-done, now)
	for path := range l.reading {
		p.Reading = append(p.Reading, path)
	}
	slices.Sort(p.Reading)
	return p, nil
}

// Files lists documents. Those of an offline folder are shown as offline.
func (l *Library) Files(ctx context.Context, q index.DocumentQuery) ([]index.Document, error) {
	docs, err := l.store.Documents(ctx, q)
	if err != nil {
		return nil, err
	}
	offline := map[int64]string{}
	for _, r := range l.roots.all() {
		if r.State == "offline" {
			offline[r.ID] = r.Reason
		}
	}
	for i, d := range docs {
		if reason, ok := offline[d.Folder]; ok {
			docs[i].Status, docs[i].Reason = string(rag.FileOffline), reason
		}
	}
	return docs, nil
}

// Why says in a sentence where a path stands and why.
func (l *Library) Why(ctx context.Context, text string) (string, error) {
	path, err := CleanPath(text)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if r, ok := l.roots.find(path); ok && !r.SingleFile {
		if r.Reason != "" {
			return r.Reason, nil
		}
		return "The folder is in the library and is " + r.State + ".", nil
	}
	if d, ok, err := l.store.DocumentByPath(ctx, path); err != nil {
		return "", err
	} else if ok && !d.Missing {
		if d.Reason != "" {
			return d.Reason, nil
		}
		return statusSentence(rag.FileStatus(d.Status)), nil
	}
	roots := l.roots.of(path)
	if len(roots) == 0 {
		return "It is in no folder of the library.", nil
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "There is no such file.", nil
	case err != nil:
		return "It may not be read.", nil
	case info.Mode()&fs.ModeSymlink != 0:
		return "It is a link. Links are not followed.", nil
	case !info.IsDir() && !info.Mode().IsRegular():
		return "It is neither a file nor a folder.", nil
	}
	for _, r := range roots {
		if why := whyIgnored(r, path, info.IsDir()); why != "" {
			return why, nil
		}
	}
	return "It was not looked at yet.", nil
}

func statusSentence(s rag.FileStatus) string {
	switch s {
	case rag.FileWaiting:
		return "It waits to be read."
	case rag.FileIndexing:
		return "It is being read."
	case rag.FileIndexed:
		return "It is in the library and can be found."
	case rag.FilePartlyIndexed:
		return "A part of it is in the library and can be found."
	}
	return fmt.Sprintf("Its status is %q.", s)
}
