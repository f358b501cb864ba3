package app

import (
	"context"

	"referent/rag"
	"referent/rag/answer"
	"referent/storage/index"
)

// documents is what questions about whole documents read: what a search may
// find, and nothing else.
type documents struct{ a *App }

// Names implements turn.Documents.
func (d documents) Names(ctx context.Context, scope rag.Scope, filters []rag.Filter) ([]answer.Named, error) {
	listing, err := d.a.search.List(ctx, scope, filters)
	if err != nil {
		return nil, err
	}
	all, err := d.a.index.Documents(ctx, index.DocumentQuery{})
	if err != nil {
		return nil, storageError(err)
	}
	titles := make(map[int64]string, len(all))
	for _, doc := range all {
		titles[doc.ID] = doc.Title
	}
	out := make([]answer.Named, 0, len(listing.Documents))
	for _, doc := range listing.Documents {
		out = append(out, answer.Named{ID: doc.ID, Title: titles[doc.ID], Path: doc.Path})
	}
	return out, nil
}

// Whole implements turn.Documents.
func (d documents) Whole(ctx context.Context, document int64) ([]rag.Hit, error) {
	chunks, err := d.a.index.DocumentChunks(ctx, document)
	if err != nil {
		return nil, storageError(err)
	}
	out := make([]rag.Hit, 0, len(chunks))
	for _, c := range chunks {
		out = append(out, rag.Hit{Chunk: c.ID, ContentHash: c.ContentHash, Document: c.Document, Path: c.Path, Title: c.Title, Heading: c.Heading,
			Locator: rag.ParseLocator(c.Locator), Text: c.Text, Class: rag.Class(c.Class), Pinned: c.Pinned, Parent: c.Parent, Header: c.Header,
			Language: c.Language, Offset: c.Offset, Length: c.Length})
	}
	return out, nil
}
