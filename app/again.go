package app

import (
	"context"
	"fmt"
	"slices"

	"referent/rag"
	"referent/rag/turn"
	"referent/storage/chats"
	"referent/storage/index"
)

// asked finds the stored turn that a request repeats, and completes the request
// from it; nil where it repeats none.
func (a *App) asked(ctx context.Context, req *AskRequest) (*chats.Turn, error) {
	if req.Again == nil {
		return nil, nil
	}
	if _, err := a.withholdTurns(ctx, *req.Again); err != nil {
		return nil, err
	}
	t, ok, err := a.chats.Turn(ctx, *req.Again)
	if err != nil {
		return nil, storageError(err)
	}
	if !ok || a.isDeleted(t.Conversation) || req.Conversation != nil && *req.Conversation != t.Conversation {
		return nil, &rag.Error{Code: rag.CodeUnknownConversation, Message: "There is no such turn.", Hint: "It may have been deleted."}
	}
	req.Conversation = &t.Conversation
	if req.Question == "" {
		req.Question = t.Question
	}
	return &t, nil
}

// given is the evidence of a stored turn, to be answered from once more. What
// has left the library or changed since, or is restricted, is not evidence any
// more, and the turn says how much that was.
func (a *App) given(ctx context.Context, t chats.Turn) (*turn.Given, error) {
	stored := storedTurn(t)
	g := &turn.Given{Prepared: stored.Prepared, Floor: t.Floor, RestrictedCount: t.RestrictedCount}
	if t.SearchQuery == nil && len(t.SearchQueries) == 0 { // what was searched may not be told, or was never kept
		g.Prepared = rag.Prepared{Engine: t.ChatEngine, Status: rag.StatusUserWords, SearchQueries: []string{t.Question}, RerankQuery: t.Question}
	}
	ids := make([]int64, 0, len(stored.Retrieval.Hits))
	for _, h := range stored.Retrieval.Hits {
		ids = append(ids, h.Chunk)
	}
	chunks, err := a.index.Chunks(ctx, ids)
	if err != nil {
		return nil, storageError(err)
	}
	missing := 0
	for _, h := range stored.Retrieval.Hits {
		i := slices.IndexFunc(chunks, func(c index.Chunk) bool { return c.ID == h.Chunk && c.ContentHash == h.ContentHash })
		if i < 0 {
			if h.Packing == rag.Packed {
				missing++
			}
			continue
		}
		if h.Packing == rag.PackedDuplicateOf {
			continue
		}
		h.PassedFloor = h.Packing != rag.PackedFloor
		h.Parent, h.Language, h.Header, h.Offset, h.Length = chunks[i].Parent, chunks[i].Language, chunks[i].Header, chunks[i].Offset, chunks[i].Length
		h.N, h.Packing, h.Rendered, h.Strategy, h.RenderedTokens = 0, "", "", "", 0
		g.Hits = append(g.Hits, h)
	}
	switch missing {
	case 0:
	case 1:
		g.Notes = append(g.Notes, "One passage of the earlier evidence is no longer in the library as it was.")
	default:
		g.Notes = append(g.Notes, fmt.Sprintf("%d passages of the earlier evidence are no longer in the library as they were.", missing))
	}
	return g, nil
}
