package app

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"referent/rag"
	"referent/storage/chats"
)

// Conversations implements UseCases.
func (a *App) Conversations(ctx context.Context, limit int) ([]Conversation, error) {
	found, err := a.chats.Conversations(ctx, limit, 0)
	if err != nil {
		return nil, storageError(err)
	}
	out := make([]Conversation, 0, len(found))
	for _, c := range found {
		if !a.isDeleted(c.ID) {
			out = append(out, conversation(c))
		}
	}
	return out, nil
}

func conversation(c chats.Conversation) Conversation {
	return Conversation{ID: c.ID, Title: c.Title, Created: stamp(c.Created), Updated: stamp(c.Updated), Pinned: c.Pinned, Turns: c.Turns,
		Options: conversationOptions(c)}
}

func stamp(t time.Time) string {
	if t.IsZero() || t.Unix() <= 0 {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// Conversation implements UseCases.
func (a *App) Conversation(ctx context.Context, id int64) (ConversationDetail, error) {
	c, ok, err := a.chats.Conversation(ctx, id)
	if err != nil {
		return ConversationDetail{}, storageError(err)
	}
	if !ok || a.isDeleted(id) {
		return ConversationDetail{}, storageError(chats.ErrUnknownConversation)
	}
	basis, err := a.chats.HistoryBasis(ctx, chats.Past{Conversation: id, Newest: 2 * c.Turns})
	if err != nil {
		return ConversationDetail{}, storageError(err)
	}
	if _, _, err := a.withholdRestricted(ctx, basis); err != nil {
		return ConversationDetail{}, err
	}
	turns, err := a.chats.Turns(ctx, id)
	if err != nil {
		return ConversationDetail{}, storageError(err)
	}
	detail := ConversationDetail{Conversation: conversation(c), Turns: make([]StoredTurn, 0, len(turns))}
	for _, t := range turns {
		detail.Turns = append(detail.Turns, storedTurn(t))
	}
	return detail, a.markGone(ctx, detail.Turns)
}

// markGone tells of each turn which of its documents have left the library.
func (a *App) markGone(ctx context.Context, turns []StoredTurn) error {
	var documents []int64
	for _, t := range turns {
		for _, h := range t.Retrieval.Hits {
			documents = append(documents, h.Document)
		}
	}
	slices.Sort(documents)
	known, err := a.index.Labels(ctx, slices.Compact(documents))
	if err != nil {
		return storageError(err)
	}
	for i := range turns {
		t := &turns[i]
		for _, h := range t.Retrieval.Hits {
			if _, ok := known[h.Document]; !ok && !slices.Contains(t.Gone, h.Document) {
				t.Gone = append(t.Gone, h.Document)
			}
		}
	}
	return nil
}

// NewConversation implements UseCases.
func (a *App) NewConversation(ctx context.Context, title string) (Conversation, error) {
	c, err := a.chats.CreateConversation(ctx, chats.Conversation{Title: cutTitle(title)})
	return conversation(c), storageError(err)
}

// RenameConversation implements UseCases.
func (a *App) RenameConversation(ctx context.Context, id int64, title string) error {
	return storageError(a.chats.RenameConversation(ctx, id, strings.Join(strings.Fields(title), " ")))
}

// PinConversation implements UseCases.
func (a *App) PinConversation(ctx context.Context, id int64, pinned bool) error {
	if a.isDeleted(id) {
		return storageError(chats.ErrUnknownConversation)
	}
	return storageError(a.chats.PinConversation(ctx, id, pinned))
}

// DeleteConversation implements UseCases. The erasure itself waits until the
// program ends, so that it can be undone.
func (a *App) DeleteConversation(ctx context.Context, id int64) error {
	if _, ok, err := a.chats.Conversation(ctx, id); err != nil || !ok {
		if err == nil {
			err = chats.ErrUnknownConversation
		}
		return storageError(err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.deleted[id] = true
	return nil
}

// RestoreConversation implements UseCases.
func (a *App) RestoreConversation(_ context.Context, id int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.deleted[id] {
		return storageError(chats.ErrUnknownConversation)
	}
	delete(a.deleted, id)
	return nil
}

func (a *App) isDeleted(id int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.deleted[id]
}

func (a *App) eraseDeleted(ctx context.Context) error {
	a.mu.Lock()
	ids := a.deleted
	a.deleted = map[int64]bool{}
	a.mu.Unlock()
	for id := range ids {
		if err := a.chats.DeleteConversation(ctx, id); err != nil {
			return storageError(err)
		}
	}
	return nil
}

// SearchConversations implements UseCases.
func (a *App) SearchConversations(ctx context.Context, text string) ([]ConversationMatch, error) {
	found, err := a.searchTurns(ctx, text)
	if err != nil {
		return nil, err
	}
	out := []ConversationMatch{}
	seen := map[int64]bool{}
	for _, m := range found {
		if seen[m.Conversation] || a.isDeleted(m.Conversation) {
			continue
		}
		seen[m.Conversation] = true
		c, ok, err := a.chats.Conversation(ctx, m.Conversation)
		if err != nil {
			return nil, storageError(err)
		}
		if ok {
			out = append(out, ConversationMatch{Conversation: conversation(c), Snippet: m.Snippet})
		}
	}
	return out, nil
}

// searchTurns finds turns that may be shown now: what of them rests on restricted
// text is marked, and the search made again without it.
func (a *App) searchTurns(ctx context.Context, text string) ([]chats.Match, error) {
	for {
		found, err := a.chats.Search(ctx, text)
		if err != nil {
			return nil, storageError(err)
		}
		turns := make([]int64, len(found))
		for i, m := range found {
			turns[i] = m.Turn
		}
		if marked, err := a.withholdTurns(ctx, turns...); err != nil || !marked {
			return found, err
		}
	}
}

// Draft implements UseCases.
func (a *App) Draft(ctx context.Context, conversation int64) (string, error) {
	text, err := a.chats.Draft(ctx, conversation)
	return text, storageError(err)
}

// SetDraft implements UseCases.
func (a *App) SetDraft(ctx context.Context, conversation int64, text string) error {
	return storageError(a.chats.SetDraft(ctx, conversation, text))
}

// Runs implements UseCases.
func (a *App) Runs(ctx context.Context, limit int) ([]Run, error) {
	found, err := a.chats.Runs(ctx, limit)
	if err != nil {
		return nil, storageError(err)
	}
	out := make([]Run, 0, len(found))
	for _, r := range found {
		run := Run{ID: r.ID, Started: stamp(r.Started), Conversation: r.Conversation, Turn: r.Turn, Engine: r.Engine, Status: r.Status,
			Code: Optional(r.Code), Reason: Optional(r.Reason), StagesMS: map[string]float64{}}
		for _, s := range r.Spans {
			run.StagesMS[s.Name] += s.DurationMS
		}
		out = append(out, run)
	}
	return out, nil
}

// preparedRest is what the column detail keeps of how a turn was prepared and
// found.
type preparedRest struct {
	Detail     string          `json:"detail,omitempty"`
	ModelCalls int             `json:"model_calls,omitempty"`
	Steps      []rag.Step      `json:"steps,omitempty"`
	Ended      rag.ResearchEnd `json:"ended,omitempty"`
	AskUser    string          `json:"ask_user,omitempty"`
	Notes      []string        `json:"notes,omitempty"`
	Quotes     *string         `json:"quotes,omitempty"`
}

// foundBy is what the column trace keeps of how a passage was found. Its rank
// counts duplicates apart from hits, so the rows are numbered anew.
type foundBy struct {
	rag.Trace
	Rank        int   `json:"rank,omitempty"`
	DuplicateOf int64 `json:"duplicate_of,omitempty"`
}

// withheldAnswer stands where an answer may not be shown any more.
const withheldAnswer = "This answer is not shown any more. It rests on a document that is now restricted or was forgotten."

// storedTurn brings a turn back in the shapes of its events.
func storedTurn(t chats.Turn) StoredTurn {
	out := StoredTurn{ID: t.ID, Ordinal: t.Ordinal, Question: t.Question, Created: stamp(t.Created)}
	p := &out.Prepared
	p.Engine, p.Status, p.OriginalQuery, p.RerankQuery = t.ChatEngine, rag.RewriteStatus(t.RewriteStatus), t.Question, t.RerankQuery
	p.SearchQueries, p.Alpha = t.SearchQueries, t.BlendAlpha
	if t.SearchQuery != nil {
		p.SearchQuery = *t.SearchQuery
	}
	if t.RewriteReason != nil {
		p.Reason = rag.Reason(*t.RewriteReason)
	}
	if t.RewriteMS != nil {
		p.LatencyMS = *t.RewriteMS
	}
	if t.HistoryUsed != nil {
		p.HistoryMessagesUsed = *t.HistoryUsed
	}
	if len(p.SearchQueries) == 0 { // stored before the column existed: the words were searched
		p.SearchQueries = []string{t.Question}
	}
	read(t.AddedWords, &p.AddedWords)
	read(t.Warnings, &p.Warnings)
	read(t.Filters, &p.Filters)
	var rest preparedRest
	read(t.Detail, &rest)
	p.Detail, p.ModelCalls = rest.Detail, rest.ModelCalls
	p.Steps, p.Ended, p.AskUser = rest.Steps, rest.Ended, rest.AskUser
	r := &out.Retrieval
	r.Notes = append([]string{}, rest.Notes...)
	r.BudgetTokens, r.PackedTokens, r.Floor, r.RestrictedCount = t.BudgetTokens, t.PackedTokens, t.Floor, t.RestrictedCount
	r.Hits = make([]rag.Hit, 0, len(t.Evidence))
	for _, e := range t.Evidence {
		h := rag.Hit{Rank: e.Rank, N: e.N, Chunk: e.Chunk, ContentHash: e.ContentHash, Document: e.Document, Path: e.Path, Title: e.Title,
			Heading: e.Heading, Locator: rag.ParseLocator(e.Locator), Text: e.Text, Score: e.Score, Owner: rag.HitOwner(e.Owner), Class: rag.Class(e.Class),
			Pinned: e.Pinned, Packing: rag.Packing(e.Packing), Rendered: e.Rendered, Strategy: rag.Strategy(e.Strategy), RenderedTokens: e.RenderedTokens}
		var found foundBy
		read(e.Trace, &found)
		h.Trace, h.DuplicateOf = found.Trace, found.DuplicateOf
		if found.Rank > 0 {
			h.Rank = found.Rank
		}
		r.Hits = append(r.Hits, h)
	}
	d := &out.Done
	d.Conversation, d.Turn, d.Answer, d.Mode = &t.Conversation, &out.ID, t.Answer, rag.AnswerMode(t.Mode)
	d.TokensPerSecond, d.Seed, d.Threads, d.Continued, d.Quotes = t.TokensPerSecond, t.Seed, t.Threads, t.Continued, rest.Quotes
	read(t.AnswerCheck, &d.AnswerCheck)
	read(t.Citations, &d.Citations)
	read(t.Sources, &d.Sources)
	read(t.Latency, &d.LatencyMS)
	read(t.Usage, &d.Usage)
	if d.AnswerCheck.Status == "" {
		d.AnswerCheck.Status = rag.CheckUnchecked
	}
	if t.Withheld {
		out.Withheld, d.Answer, d.AnswerCheck.Status, d.Quotes = true, withheldAnswer, rag.CheckWithheld, nil
	}
	return out
}

// read fills what a JSON column holds; an empty or older column leaves it be.
func read(column string, to any) {
	if column != "" {
		_ = json.Unmarshal([]byte(column), to) // a turn of another version still shows the rest
	}
}

// column writes a JSON column.
func column(v any) string {
	b, err := json.Marshal(v)
	if err != nil || string(b) == "null" {
		return ""
	}
	return string(b)
}

// turnRow is an answered turn as it is stored.
func turnRow(question string, p rag.Prepared, r rag.Retrieval, d rag.Done) chats.Turn {
	t := chats.Turn{Question: question, Answer: d.Answer, Mode: string(d.Mode), ChatEngine: p.Engine,
		SearchQueries: p.SearchQueries, RerankQuery: p.RerankQuery, RewriteStatus: string(p.Status), RewriteMS: &p.LatencyMS, HistoryUsed: &p.HistoryMessagesUsed,
		BlendAlpha: p.Alpha, AddedWords: column(p.AddedWords), Warnings: column(p.Warnings), Filters: column(p.Filters), AnswerCheck: column(d.AnswerCheck),
		Citations: column(d.Citations), Sources: column(d.Sources), Latency: column(d.LatencyMS), Usage: column(d.Usage), Detail: column(preparedRest{p.Detail, p.ModelCalls, p.Steps, p.Ended, p.AskUser, r.Notes, d.Quotes}),
		TokensPerSecond: d.TokensPerSecond, Seed: d.Seed, Threads: d.Threads, BudgetTokens: r.BudgetTokens, PackedTokens: r.PackedTokens, Floor: r.Floor,
		RestrictedCount: r.RestrictedCount, Continued: d.Continued}
	if p.SearchQuery != "" {
		t.SearchQuery = &p.SearchQuery
	}
	if p.Reason != "" {
		reason := string(p.Reason)
		t.RewriteReason = &reason
	}
	strategies := map[rag.Strategy]int{}
	for i, h := range r.Hits {
		if h.Packing == rag.Packed {
			strategies[h.Strategy]++
		}
		t.Evidence = append(t.Evidence, chats.Evidence{N: h.N, Rank: i + 1, Chunk: h.Chunk, Document: h.Document, ContentHash: h.ContentHash, Path: h.Path,
			Title: h.Title, Heading: h.Heading, Locator: h.Locator.String(), Text: h.Text, Rendered: h.Rendered, Strategy: string(h.Strategy), Class: string(h.Class),
			Owner: string(h.Owner), Packing: string(h.Packing), Trace: column(foundBy{h.Trace, h.Rank, h.DuplicateOf}), Pinned: h.Pinned, Score: h.Score, RenderedTokens: h.RenderedTokens})
	}
	t.Compression = column(strategies)
	return t
}
