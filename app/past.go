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
	basis, err := a.chats.HistoryBasis(ctx, p)
	if err != nil {
		return nil, storageError(err)
	}
	gone, _, err := a.withholdRestricted(ctx, basis)
	if err != nil {
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

// withholdRestricted marks what old turns have stored of what is restricted
// now, by whatever way it became so: a label, a move, a folder that was added
// again under another number. It tells which documents have left the library,
// and whether anything was marked.
func (a *App) withholdRestricted(ctx context.Context, b chats.Basis) (gone []int64, marked bool, err error) {
	labels, err := a.index.Labels(ctx, b.Documents)
	if err != nil {
		return nil, false, storageError(err)
	}
	var restricted []int64
	for _, id := range b.Documents {
		switch d, ok := labels[id]; {
		case !ok || d.Missing:
			gone = append(gone, id)
		case d.Label == string(rag.LabelRestricted):
			restricted = append(restricted, id)
		}
	}
	content, err := a.index.RestrictedContent(ctx, b.Content)
	if err != nil {
		return nil, false, storageError(err)
	}
	if len(restricted) > 0 {
		if err := a.chats.MarkWithheld(ctx, restricted); err != nil {
			return nil, false, storageError(err)
		}
	}
	if len(content) > 0 {
		if err := a.chats.MarkContentWithheld(ctx, content); err != nil {
			return nil, false, storageError(err)
		}
	}
	return gone, len(restricted)+len(content) > 0, nil
}

// withholdTurns does so for what these turns rest on, and tells whether anything
// was marked.
func (a *App) withholdTurns(ctx context.Context, turns ...int64) (bool, error) {
	basis, err := a.chats.Basis(ctx, turns...)
	if err != nil {
		return false, storageError(err)
	}
	_, marked, err := a.withholdRestricted(ctx, basis)
	return marked, err
}
