package library

import (
	"context"
	"slices"

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

// SetTags gives one file exactly these tags, which are in normal form. found is
// false when it is not in the library.
func (l *Library) SetTags(ctx context.Context, path string, tags []string) (found bool, err error) {
	d, found, err := l.store.DocumentByPath(ctx, path)
	if err != nil || !found {
		return false, err
	}
	changed, err := l.store.SetTags(ctx, d.ID, tags)
	if err != nil || !changed {
		return true, err
	}
	return true, l.showTags(context.WithoutCancel(ctx), []int64{d.ID}) // what is stored has to be shown
}

// tagsAtOnce is for how many documents other changes of the index wait.
const tagsAtOnce = 100

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
	ctx = context.WithoutCancel(ctx)                      // what is stored has to be shown: asked again, nothing would change
	for some := range slices.Chunk(changed, tagsAtOnce) { // others may publish in between
		if err := l.showTags(ctx, some); err != nil {
			return 0, err
		}
	}
	return len(docs), nil
}

func (l *Library) showTags(ctx context.Context, ids []int64) error {
	l.publish.Lock()
	defer l.publish.Unlock()
	all := make([]index.DocumentColumns, 0, len(ids))
	for _, id := range ids {
		cols, ok, err := l.store.Columns(ctx, id)
		if err != nil {
			return err
		}
		if ok {
			all = append(all, cols)
		}
	}
	l.deps.Index.SetColumns(all...)
	return nil
}
