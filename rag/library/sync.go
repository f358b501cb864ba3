package library

import (
	"context"
	"fmt"

	"referent/rag"
	"referent/rag/extract"
	"referent/storage/index"
)

// Sync compares every root with the disk and waits until every file has a final
// status and its words are searchable, then for the vectors as far as the
// embedding model gives them. progress hears of each step and may be nil. The
// Library must be started.
func (l *Library) Sync(ctx context.Context, progress func(Progress)) error {
	for _, r := range l.roots.all() {
		if err := l.reconcile(ctx, r, r.Path); err != nil {
			return err
		}
	}
	l.wakeMeaning()
	defer l.waitsFor()()
	for {
		changed := l.signal.wait()
		p, err := l.Progress(ctx)
		if err != nil {
			return err
		}
		if progress != nil {
			progress(p)
		}
		files := p.FilesTotal - p.FilesDone
		switch {
		case p.Paused:
			return &rag.Error{Code: rag.CodeLibraryBusy, Message: "The library is paused.", Hint: "Resume it first."}
		case files > 0 && p.Trouble != "":
			return &rag.Error{Code: rag.CodeLibraryBusy, Message: "Files cannot be read now: " + p.Trouble, Hint: "They wait and are tried again."}
		case files == 0 && len(p.Reading) == 0 && l.watch.quiet() && l.passEnded():
			return nil
		}
		if err := l.waitFor(ctx, changed); err != nil {
			return err
		}
	}
}

// waitFor waits for a change, and a moment more: asking the store at each of
// many changes would slow down what is waited for.
func (l *Library) waitFor(ctx context.Context, changed <-chan struct{}) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-changed:
	}
	fires, stop := l.clock.After(lookInterval)
	defer stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-fires:
		return nil
	}
}

// ReadAgain puts the files that it concerns back into the queue: a setting that
// says how files are read has changed. What was read stays searchable until
// then. It returns how many.
func (l *Library) ReadAgain(ctx context.Context, concerns func(index.Document) bool) (int, error) {
	docs, err := l.store.Documents(ctx, index.DocumentQuery{})
	if err != nil {
		return 0, err
	}
	n := 0
	for _, d := range docs {
		if !rag.FileStatus(d.Status).Final() || !concerns(d) {
			continue
		}
		if err := l.store.Requeue(ctx, d.ID); err != nil {
			return n, err
		}
		n++
	}
	if n > 0 {
		l.changed(Event{Kind: EventProgress})
		l.work.raise()
	}
	return n, nil
}

// SetEncoding keeps the encoding that a person has set for a file, or for all
// files below a folder that take one, and reads them again; empty: it is found
// out again. It returns how many.
func (l *Library) SetEncoding(ctx context.Context, text, encoding string) (int, error) {
	path, docs, err := l.under(ctx, text)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, d := range docs {
		if !extract.TakesEncoding(d.Kind) {
			if d.Path == path {
				return 0, &rag.Error{Code: rag.CodeInvalidSetting, Message: fmt.Sprintf("A file of the kind %q says itself how its letters are stored.", d.Kind),
					Hint: "An encoding can be set for text, tables as text, web pages, source code, e-mail, rich text and e-books."}
			}
			continue
		}
		if err := l.store.SetEncoding(ctx, d.ID, encoding); err != nil {
			return n, err
		}
		n++
		l.changed(Event{Kind: EventFile, Path: d.Path, Document: d.ID, Status: string(rag.FileWaiting)})
	}
	l.work.raise()
	return n, nil
}

// under lists what lies at a path or below it; it is an error when nothing does.
func (l *Library) under(ctx context.Context, text string) (path string, docs []index.Document, err error) {
	if path, err = CleanPath(text); err != nil {
		return "", nil, err
	}
	docs, err = l.store.Documents(ctx, index.DocumentQuery{PathUnder: path})
	if err == nil && len(docs) == 0 {
		err = &rag.Error{Code: rag.CodeUnknownDocument, Message: fmt.Sprintf("%s is not in the library.", path), Hint: "List the library to see what is."}
	}
	return path, docs, err
}

// Retry reads a file again, or every file below a folder that did not end
// indexed, and tries the embedding model again.
func (l *Library) Retry(ctx context.Context, text string) error {
	return l.retry(ctx, text, "", false)
}

// Unlock does the same with a password for protected files. It is kept in
// memory; with keep also in Deps.Passwords, once it has opened a file.
func (l *Library) Unlock(ctx context.Context, text, password string, keep bool) error {
	return l.retry(ctx, text, password, keep)
}

func (l *Library) retry(ctx context.Context, text, password string, keep bool) error {
	path, docs, err := l.under(ctx, text)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if d.Path != path && (!rag.FileStatus(d.Status).Final() || d.Status == string(rag.FileIndexed)) {
			continue
		}
		if password != "" {
			l.mu.Lock()
			l.passwords[d.Path] = password
			l.keep[d.Path] = keep
			l.mu.Unlock()
		}
		if err := l.store.Requeue(ctx, d.ID); err != nil {
			return err
		}
		l.changed(Event{Kind: EventFile, Path: d.Path, Document: d.ID, Status: string(rag.FileWaiting)})
	}
	l.work.raise()
	l.wakeMeaning()
	return nil
}
