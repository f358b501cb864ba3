package engine

import (
	"context"
	"fmt"
	"math"
	"strings"

	"referent/inference"
	"referent/rag"
	"referent/rag/answer/neutral"
)

// What of the history a blended vector takes in.
const (
	BlendBoth     = "both"     // the last question and the last answer
	BlendQuestion = "question" // the last question
	BlendAnswer   = "answer"   // the last answer
	BlendNone     = "none"     // nothing: the engine is disabled
)

const defaultAlpha = 0.7

// blend mixes the meaning of the last exchange into the query vector:
// V = α·E(question) + (1−α)·E(history), all of unit length. Only the dense leg
// sees it; BM25 and the reranker keep the question.
type blend struct{}

func (blend) Name() string { return "blend" }

func (blend) Sentence() string {
	return "Searches your words; the search by meaning also leans towards the last exchange."
}

func (blend) Prepare(ctx context.Context, req Request, tools Tools) (rag.Prepared, error) {
	if p, decided := opening(req); decided {
		return p, nil
	}
	alpha, warnings := weight(req.Options.BlendAlpha)
	text, used := exchange(req, tools)
	p := verbatim(req, rag.StatusDisabled)
	if used == 0 {
		return p, nil
	}
	p.Status, p.Alpha, p.Warnings = rag.StatusBlended, &alpha, warnings
	if alpha == 1 { // the question alone: exactly what simple searches
		return p, nil
	}
	v, calls, reason, detail, err := blended(ctx, tools.Embed, req.Question, text, alpha)
	if err != nil {
		return rag.Prepared{}, err
	}
	p.ModelCalls = calls
	if reason != "" {
		p.Status, p.Reason, p.Detail = rag.StatusFailedVerbatim, reason, detail
		return p, nil
	}
	p.QueryVector, p.HistoryMessagesUsed = v, used
	return p, nil
}

func weight(given *float64) (alpha float64, warnings []string) {
	if given == nil {
		return defaultAlpha, nil
	}
	alpha = *given
	switch {
	case math.IsNaN(alpha):
		return defaultAlpha, []string{fmt.Sprintf("The blend weight is not a number; %.1f is used.", defaultAlpha)}
	case alpha < 0 || alpha > 1:
		alpha = min(max(alpha, 0), 1)
		warnings = append(warnings, fmt.Sprintf("The blend weight must be between 0 and 1; %g is used.", alpha))
	}
	if alpha == 0 {
		warnings = append(warnings, "With a blend weight of 0 the search by meaning ignores the question.")
	}
	return alpha, warnings
}

// exchange returns the text of the history without role labels, bounded by the
// embedding model's window, and how many messages it holds.
func exchange(req Request, tools Tools) (string, int) {
	choice := req.Options.BlendHistory
	if choice == "" {
		choice = BlendBoth
	}
	var parts []string
	take := func(assistant bool) {
		for i := len(req.History) - 1; i >= 0; i-- {
			m := req.History[i]
			if (m.Role == roleAssistant) == assistant && strings.TrimSpace(m.Text) != "" {
				parts = append(parts, m.Text)
				return
			}
		}
	}
	if choice == BlendBoth || choice == BlendQuestion {
		take(false)
	}
	if choice == BlendBoth || choice == BlendAnswer {
		take(true)
	}
	limit := 512
	if tools.Embed != nil && tools.Embed.Info().Context > 0 {
		limit = tools.Embed.Info().Context
	}
	for i := range parts { // a token has about three characters; each part gets its share
		parts[i] = neutral.Clip(strings.Join(strings.Fields(parts[i]), " "), 3*limit/len(parts))
	}
	return strings.Join(parts, "\n"), len(parts)
}

func blended(ctx context.Context, model inference.Embedder, question, history string, alpha float64) (v []float32, calls int, reason rag.Reason, detail string, err error) {
	if model == nil {
		return nil, 0, rag.ReasonEmbedError, "No embedding model is loaded.", nil
	}
	vectors, err := model.Embed(ctx, inference.KindQuery, []string{question, history}, inference.PriorityInteractive)
	if ctx.Err() != nil {
		return nil, 1, "", "", ctx.Err()
	}
	if err != nil || len(vectors) != 2 {
		return nil, 1, rag.ReasonEmbedError, "The embedding model failed.", nil
	}
	q, h := vectors[0], vectors[1]
	dims := model.Info().Dimensions
	if len(q) != len(h) || len(q) == 0 || dims > 0 && len(q) != dims {
		return nil, 1, rag.ReasonDimensionMismatch, fmt.Sprintf("The embedding model gave vectors of %d and %d numbers instead of %d.", len(q), len(h), dims), nil
	}
	if !unit(q) || !unit(h) {
		return nil, 1, rag.ReasonEmbedError, "The embedding model gave a vector that cannot be used.", nil
	}
	v = make([]float32, len(q))
	for i := range v {
		v[i] = float32(alpha*float64(q[i]) + (1-alpha)*float64(h[i]))
	}
	if !unit(v) { // opposite vectors cancel out
		return nil, 1, rag.ReasonEmbedError, "Question and conversation cancel each other out.", nil
	}
	return v, 1, "", "", nil
}

// unit scales a vector to length 1 in place; false if it has no direction.
func unit(v []float32) bool {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum < 1e-12 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	scale := 1 / math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) * scale)
	}
	return true
}
