package library

import (
	"context"
	"fmt"
	"testing"

	"referent/rag"
	"referent/rag/segment"
	"referent/storage/index"
)

// leaver is an index whose caller goes away at the first document that it hears
// of.
type leaver struct {
	*segment.Index
	leave context.CancelFunc
}

func (l leaver) SetColumns(all ...index.DocumentColumns) {
	l.leave()
	l.Index.SetColumns(all...)
}

// Tags that are stored are searched by, also where nobody waits any more: asked
// again, nothing would change.
func TestTagsAreShownThoughTheCallerLeft(t *testing.T) {
	s := newShelf(t)
	s.Library.Close()
	ctx, leave := context.WithCancel(t.Context())
	s.Library = New(Deps{Store: s.store, Extract: s.reader.extract, Index: leaver{s.index, leave}, Clock: s.clock})
	s.ok(s.Start(t.Context()))
	const files = tagsAtOnce + 1
	for i := range files {
		s.write(fmt.Sprintf("%d.txt", i), "The boiler is warm.\n")
	}
	s.add("")
	s.sync()
	n, err := s.AddTags(ctx, s.dir, []string{"heat"})
	s.ok(err)
	if n != files || ctx.Err() == nil {
		t.Fatalf("%d files, %v", n, ctx.Err())
	}
	f, err := rag.NewFilter("tag", "eq", []string{"heat"}, rag.OwnerUser)
	s.ok(err)
	snap := s.index.Snapshot()
	allow, err := snap.Allowed(rag.Scope{}, []rag.Filter{f}, nil)
	s.ok(err)
	if got := snap.Documents(allow); len(got) != files {
		t.Errorf("%d files bear the tag", len(got))
	}
}
