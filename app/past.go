package app

import (
	"context"

	"referent/rag"
	"referent/storage/chats"
)

// past is the history of a turn. What rests on a restricted document is no part
// of it, and of an answer that rests on one that has left the library only the
// question is.
func (a *App) past(ctx context.Context, p chats.Past) ([]rag.Message, error) {
	documents, err := a.chats.HistoryDocuments(ctx, p)
	if err != nil {
		return nil, storageError(err)
	}
	gone, restricted, err := a.lost(ctx, documents)
	if err != nil {
		return nil, err
	}
	if err := a.withhold(ctx, restricted); err != nil {
		return nil, err
	}
	p.Gone = gone
	found, err := a.chats.History(ctx, p)
	if err != nil {
		return nil, storageError(err)
	}
	out := make([]rag.Message, len(found))
	for i, m := range found {
		out[i] = rag.Message{Role: m.Role, Text: m.Text}
	}
	return out, nil
}

// lost tells which documents have left the library, and which are restricted.
func (a *App) lost(ctx context.Context, documents []int64) (gone, restricted []int64, err error) {
	for _, id := range documents {
		d, ok, err := a.index.Document(ctx, id)
		switch {
		case err != nil:
			return nil, nil, storageError(err)
		case !ok || d.Missing:
			gone = append(gone, id)
		case d.Label == string(rag.LabelRestricted):
			restricted = append(restricted, id)
		}
	}
	return gone, restricted, nil
}

// withhold marks what old turns have stored of restricted documents.
func (a *App) withhold(ctx context.Context, restricted []int64) error {
	if len(restricted) == 0 {
		return nil
	}
	return storageError(a.chats.MarkWithheld(ctx, restricted))
}

// withholdRestricted does so for documents that became restricted in another way
// than by SetLabel, such as by a move into a restricted folder.
func (a *App) withholdRestricted(ctx context.Context, p chats.Past) error {
	documents, err := a.chats.HistoryDocuments(ctx, p)
	if err != nil {
		return storageError(err)
	}
	_, restricted, err := a.lost(ctx, documents)
	if err != nil {
		return err
	}
	return a.withhold(ctx, restricted)
}
