package lab

import (
	"context"

	"referent/inference"
	"referent/rag"
	"referent/rag/turn"
)

// The rows of sets that are packed or answered with compression on and off.
const (
	Full       = "full"
	Compressed = "compressed"
)

// Modes lists the answer modes, which are the rows of S8, S9 and the poison set,
// the cheapest first. generate and strict judge one text of the model.
func Modes() []string {
	return []string{string(rag.ModeQuote), string(rag.ModeGenerate), string(rag.ModeStrict)}
}

// Written is what the answer model wrote, before any check, and what it cost.
type Written struct {
	Text             string `json:"text"`
	Model            string `json:"model"`
	PromptTokens     int    `json:"prompt_tokens"`
	CachedTokens     int    `json:"cached_tokens"`
	CompletionTokens int    `json:"completion_tokens"`
}

// Answered is a whole turn of an item.
type Answered struct {
	Written *Written        `json:"written"` // nil: no model was asked
	Text    string          `json:"text"`    // as shown, after the check
	Status  rag.CheckStatus `json:"status"`
	Packed  []string        `json:"packed"` // ids of passages, by number
}

// author is the answer model of one turn: it writes what is stored, or lets the
// model write and keeps that.
type author struct {
	model inference.Generator // nil: only what is stored
	said  *Written            // nil: nothing is written yet
	calls int                 // of the model
	asked bool                // for a text, written now or before
}

// Info implements inference.Generator.
func (a *author) Info() inference.ModelInfo {
	if a.model == nil {
		return inference.ModelInfo{}
	}
	return a.model.Info()
}

// Generate implements inference.Generator.
func (a *author) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	a.asked = true
	if a.said == nil {
		a.calls++
		res, err := a.model.Generate(ctx, req, each)
		if err == nil {
			a.said = &Written{Text: res.Text, Model: a.model.Info().ID, PromptTokens: res.PromptTokens, CachedTokens: res.CachedTokens,
				CompletionTokens: res.CompletionTokens}
		}
		return res, err
	}
	res := inference.GenerateResult{Text: a.said.Text, Stop: inference.StopEnd, PromptTokens: a.said.PromptTokens, CachedTokens: a.said.CachedTokens,
		CompletionTokens: a.said.CompletionTokens}
	if each != nil {
		if err := each(inference.Piece{Text: a.said.Text}); err != nil {
			return inference.GenerateResult{}, err
		}
	}
	return res, ctx.Err()
}

// answer asks a question to the end. What is stored of the same question is
// judged again without a model.
func (b bench) answer(ctx context.Context, s Set, ask Search, stored *Written, emit func(rag.Event)) (*turn.Outcome, *author, error) {
	q := ask.Question
	who := &author{said: stored}
	req := turn.Request{Question: q.Text, History: q.History, Engine: "simple", Retriever: ask.Retriever, Options: Pinned(),
		Scope: rag.Scope{Documents: q.Documents}, Mode: rag.AnswerMode(ask.Engine)}
	deps := b.deps
	deps.Tokens = nil // estimated, so that every model sees the same passages
	if !byMeaning(ask.Retriever) {
		deps.Embed = nil // whatever else is loaded
	}
	deps.Answer = func() (inference.Generator, error) {
		if req.Mode == rag.ModeQuote || who.said != nil {
			return who, nil
		}
		var err error
		who.model, err = b.models.Generator(inference.RoleAnswer)
		return who, err
	}
	switch {
	case q.packs():
		req.Mode, req.Options = rag.ModeGenerate, packing(ask.Engine)
		search := ask
		search.Engine, search.K = "simple", req.Options.K
		prepared, hits, err := b.Search(ctx, search)
		if err != nil {
			return nil, nil, err
		}
		req.Given = &turn.Given{Prepared: prepared, Hits: asEvidence(hits)}
	case q.given():
		req.Retriever, req.Options.GenerationHistory = "", q.Gate.Remembers
		req.Given = &turn.Given{Prepared: rag.Prepared{Engine: "simple", SearchQueries: []string{q.Text}}, Hits: b.everything()}
		if s.Manner == MannerParrot && ask.Engine != string(rag.ModeQuote) {
			who.said = &Written{Text: q.Gate.Said, Model: parrot}
		}
	}
	out, err := turn.New(deps).Ask(ctx, req, emit)
	return out, who, err
}

// everything is every passage as evidence.
func (b bench) everything() []rag.Hit {
	var hits []rag.Hit
	for i, c := range b.shelf.chunks {
		hits = append(hits, rag.Hit{Rank: i + 1, Chunk: c.ID, ContentHash: c.ContentHash, Document: c.Document, Path: c.Path, Title: c.Title, Text: c.Text,
			Owner: rag.OwnerMatch, Class: rag.Class(c.Class), Language: c.Language, Length: c.Length, PassedFloor: true})
	}
	return hits
}
