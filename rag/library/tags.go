package library

import (
	"context"

	"referent/storage/index"
)

// AddTags gives tags, which are in normal form, to every file at path or below
// it that is in the library now. It returns how many files there are.
func (l *Library) AddTags(ctx context.Context, path string, tags []string) (int, error) {
	return l.tag(ctx, path, tags, l.store.AddTags)
}

// RemoveTags takes tags from the same files.
func (l *Library) RemoveTags(ctx context.Context, path string, tags []string) (int, error) {
	return l.tag(ctx, path, tags, l.store.RemoveTags)
}

func (l *Library) tag(ctx context.Context, path string, tags []string, change func(context.Context, []int64, []string) ([]int64, error)) (int, error) {
	docs, err := l.store.Documents(ctx, index.DocumentQuery{PathUnder: path})
	if err != nil {
		return 0, err
	}
	ids := make([]int64, len(docs))
	for i, d := range docs {
		ids[i] = d.ID
	}
	changed, err := change(ctx, ids, tags)
	if err != nil {
		return 0, err
	}
	l.publish.Lock()
	defer l.publish.Unlock()
	for _, id := range changed {
		cols, ok, err := l.store.Columns(ctx, id)
		if err != nil {
			return 0, err
		}
		if ok {
			l.deps.Index.SetColumns(cols)
		}
	}
	return len(docs), nil
}
