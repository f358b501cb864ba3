package turn

import (
	"context"
	"errors"

	"referent/inference"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/pack"
)

const (
	// smallModel is the number of parameters below which quoting is the default.
	smallModel = 1_000_000_000
	// helpedModel is the number below which quotations stand beside what a model
	// writes.
	helpedModel = 2_000_000_000
	// reserve is kept free for the chat template and for rounding, in tokens.
	reserve = 96
)

// choose decides who writes. Without an answer model the evidence is quoted.
func (t *turn) choose() {
	t.model = try(t.r.deps.Answer)
	t.mode = t.req.Mode
	if t.model == nil {
		t.mode = rag.ModeQuote
		return
	}
	info := t.model.Info()
	if t.mode == "" {
		t.mode = rag.AnswerMode(info.AnswerMode)
	}
	if t.mode == "" && info.Parameters > 0 && info.Parameters < smallModel {
		t.mode = rag.ModeQuote
	}
	if t.mode == "" {
		t.mode = rag.ModeGenerate
	}
	if t.mode == rag.ModeQuote {
		t.model = nil
	}
}

// pack chooses the evidence and says what the prompt will hold.
func (t *turn) pack(s *Span) error {
	t.choose()
	in := pack.Input{Hits: t.found.Hits, Considered: t.found.Considered, Count: pack.Estimate{}, Setting: t.req.Options.EvidenceBudget,
		Compress: t.req.Options.Compress, KeepTop: t.req.Options.CompressKeepTop, Parents: t.parents()}
	var past []int
	if t.model != nil {
		if tokens := try(t.r.deps.Tokens); tokens != nil {
			in.Count = tokens
			if err := t.stored(tokens.Info(), in.Hits); err != nil {
				return err
			}
		}
		info := t.model.Info()
		in.PrefillPerSecond, in.TargetSeconds = info.PrefillPerSecond, t.req.Options.EvidenceSeconds
		var err error
		if in.Room, past, err = t.room(in.Count, info); err != nil {
			return err
		}
	}
	packing := func(in pack.Input) (pack.Result, error) { return pack.Pack(t.ctx, in) }
	if t.whole != nil {
		packing = t.packWhole
	}
	r, err := packing(in)
	if err != nil {
		return failure(err)
	}
	if t.model != nil {
		t.fit(past, in.Room-r.Packed)
	}
	t.out.Prepared.Warnings = append(t.out.Prepared.Warnings, r.Warnings...)
	t.out.Retrieval = rag.Retrieval{Hits: r.Hits, BudgetTokens: r.Budget, PackedTokens: r.Packed, Floor: t.found.Floor, RestrictedCount: t.found.RestrictedCount, Notes: t.out.Notes}
	passed := 0
	for _, h := range t.found.Hits {
		if h.PassedFloor {
			passed++
		}
	}
	s.set("referent.candidates", len(r.Hits))
	s.set("referent.passed_floor", passed)
	s.set("referent.packed", len(t.out.Evidence()))
	s.set("referent.budget_tokens", r.Budget)
	s.set("referent.packed_tokens", r.Packed)
	if passed > 0 && len(t.out.Evidence()) == 0 {
		return &rag.Error{Code: rag.CodeContextOverflow, Message: "The passages do not fit the window of the answer model.",
			Hint: "Load a model with a longer context, or ask a shorter question."}
	}
	return nil
}

// stored takes over the counts that are there already.
func (t *turn) stored(info inference.ModelInfo, hits []rag.Hit) error {
	if t.r.deps.StoredTokens == nil || info.Hash == "" {
		return nil
	}
	var ids []int64
	for _, h := range hits {
		if h.TextTokens == 0 && h.PassedFloor {
			ids = append(ids, h.Chunk)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	counts, err := t.r.deps.StoredTokens(t.ctx, info.Hash, ids)
	if err != nil {
		return err
	}
	for i := range hits {
		if n := counts[hits[i].Chunk]; n > 0 && hits[i].TextTokens == 0 {
			hits[i].TextTokens = n
		}
	}
	return nil
}

// room counts what the window leaves for evidence and history: all of it but
// the system prompt, the question, the answer and a reserve. It returns the cost
// of each message of the wanted history as well.
func (t *turn) room(count pack.Counter, info inference.ModelInfo) (room int, past []int, err error) {
	t.past = newest(t.req.History, t.req.Options.GenerationHistory)
	p := t.prompt()
	p.Evidence = ""
	texts := []string{answer.System(p.FewShot), p.Last()}
	for _, m := range t.past {
		texts = append(texts, m.Text)
	}
	costs, err := count.CountTokens(t.ctx, texts)
	if err != nil {
		return 0, nil, failure(err)
	}
	if info.Context <= 0 {
		return 0, costs[2:], nil
	}
	room = info.Context - t.maxTokens() - costs[0] - costs[1] - reserve
	if room <= 0 {
		return 0, nil, &rag.Error{Code: rag.CodeContextOverflow, Message: "The question is too long for the window of the answer model.",
			Hint: "Ask a shorter question, or load a model with a longer context."}
	}
	return room, costs[2:], nil
}

// fit drops the oldest messages of the history until the rest fits beside the
// evidence. A message takes eight tokens of the template besides its text.
func (t *turn) fit(costs []int, left int) {
	if info := t.model.Info(); info.Context <= 0 {
		return
	}
	keep := len(t.past)
	for keep > 0 && left >= costs[keep-1]+8 {
		left -= costs[keep-1] + 8
		keep--
	}
	t.past = t.past[keep:]
}

func (t *turn) maxTokens() int {
	if n := t.req.Options.AnswerMaxTokens; n > 0 {
		return n
	}
	return 512
}

func (t *turn) prompt() answer.Prompt {
	p := answer.Prompt{Question: t.req.Question, Evidence: pack.Evidence(t.out.Retrieval.Hits), History: t.past, Language: t.l.Code}
	if t.model != nil {
		p.FewShot = t.model.Info().FewShot
	}
	return p
}

func (t *turn) parents() func(context.Context, []int64) (map[int64]pack.Parent, error) {
	get := t.r.deps.Parents
	if get == nil || t.model == nil {
		return nil
	}
	return func(ctx context.Context, ids []int64) (map[int64]pack.Parent, error) {
		stored, err := get(ctx, ids)
		if err != nil {
			return nil, err
		}
		out := map[int64]pack.Parent{}
		for id, p := range stored {
			out[id] = pack.Parent{Text: p.Text, Tokens: p.Tokens}
		}
		return out, nil
	}
}

func newest(history []rag.Message, n int) []rag.Message {
	if n <= 0 {
		return nil
	}
	return history[max(0, len(history)-n):]
}

// failure gives an error of the answer model its code and sentence.
func failure(err error) error {
	var known *rag.Error
	switch {
	case err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, inference.ErrContextOverflow):
		return &rag.Error{Code: rag.CodeContextOverflow, Message: "The prompt does not fit the window of the answer model.",
			Hint: "Ask with fewer passages or a shorter history, or load a model with a longer context.", Cause: err}
	case errors.Is(err, inference.ErrNoModel):
		return &rag.Error{Code: rag.CodeNoModel, Message: "No answer model is loaded.", Hint: "Load one under Models, or use the mode quote.", Cause: err}
	case errors.Is(err, inference.ErrWorkerDied):
		return &rag.Error{Code: rag.CodeModelFailed, Message: "The answer model ended unexpectedly. Nothing was stored.", Hint: "Ask again: the model is started anew.", Cause: err}
	}
	return &rag.Error{Code: rag.CodeModelFailed, Message: "The answer model failed. Nothing was stored.", Hint: "Ask again, or load another model.", Cause: err}
}
