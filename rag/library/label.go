package library

import (
	"context"

	"referent/rag"
	"referent/storage/index"
)

// SetDocumentLabel makes a document public or restricted. It returns the
// documents that became restricted: their stored evidence is to be withheld.
func (l *Library) SetDocumentLabel(ctx context.Context, id int64, label rag.Label) ([]int64, error) {
	return l.restrict(ctx, func() error { _, err := l.store.SetDocumentLabel(ctx, id, string(label)); return err })
}

// SetFolderLabel does the same for everything in a root.
func (l *Library) SetFolderLabel(ctx context.Context, id int64, label rag.Label) ([]int64, error) {
	return l.restrict(ctx, func() error { _, err := l.store.SetFolderLabel(ctx, id, string(label)); return err })
}

// SetCollectionLabel does the same for everything in a collection.
func (l *Library) SetCollectionLabel(ctx context.Context, id int64, label rag.Label) ([]int64, error) {
	return l.restrict(ctx, func() error { _, err := l.store.SetCollectionLabel(ctx, id, string(label)); return err })
}

// SetFolderCollection puts a root into exactly one collection; 0: none.
func (l *Library) SetFolderCollection(ctx context.Context, id, collection int64) ([]int64, error) {
	return l.restrict(ctx, func() error { _, err := l.store.SetFolderCollection(ctx, id, collection); return err })
}

// DeleteCollection removes a collection; its folders stay.
func (l *Library) DeleteCollection(ctx context.Context, id int64) error {
	return l.relabel(ctx, func() error { return l.store.DeleteCollection(ctx, id) })
}

// SetClass sets a document's retention class by the user's word.
func (l *Library) SetClass(ctx context.Context, id int64, class rag.Class) error {
	if err := l.store.SetDocumentClass(ctx, id, string(class), "user"); err != nil {
		return err
	}
	return l.show(ctx, id)
}

// SetFolderClass does the same for every file at path or below it that is in
// the library now. It returns how many there are.
func (l *Library) SetFolderClass(ctx context.Context, path string, class rag.Class) (int, error) {
	docs, err := l.store.Documents(ctx, index.DocumentQuery{PathUnder: path})
	if err != nil {
		return 0, err
	}
	for _, d := range docs {
		if err := l.SetClass(ctx, d.ID, class); err != nil {
			return 0, err
		}
	}
	return len(docs), nil
}

// SetPassageClass sets the class of one passage by the user's word; empty: it
// follows its document again. It stays while the passage's text stays.
func (l *Library) SetPassageClass(ctx context.Context, chunk int64, class rag.Class) error {
	return l.store.SetChunkClass(ctx, chunk, string(class))
}

func (l *Library) relabel(ctx context.Context, change func() error) error {
	_, err := l.restrict(ctx, change)
	return err
}

// restrict makes a change of labels or collections and brings the search in
// step with it: what became restricted loses its postings and vectors before
// this returns, what became public is found again.
func (l *Library) restrict(ctx context.Context, change func() error) (restricted []int64, err error) {
	before, err := l.columns(ctx)
	if err != nil {
		return nil, err
	}
	if err := change(); err != nil {
		return nil, err
	}
	after, err := l.columns(ctx)
	if err != nil {
		return nil, err
	}
	for id, now := range after {
		was, known := before[id]
		switch {
		case known && was.Label == now.Label:
			if len(was.Collections) != len(now.Collections) || !equal(was.Collections, now.Collections) {
				l.deps.Index.SetColumns(now)
			}
			continue
		case now.Label == string(rag.LabelRestricted):
			restricted = append(restricted, id)
		}
		if err := l.show(ctx, id); err != nil {
			return restricted, err
		}
	}
	if err := l.loadRoots(ctx); err != nil {
		return restricted, err
	}
	l.wakeMeaning()
	l.changed(Event{Kind: EventProgress})
	return restricted, nil
}

func equal(a, b []int64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (l *Library) columns(ctx context.Context) (map[int64]index.DocumentColumns, error) {
	all := map[int64]index.DocumentColumns{}
	err := l.store.EachDocumentColumns(ctx, func(c index.DocumentColumns) error { all[c.ID] = c; return nil })
	return all, err
}
