package remote

import (
	"context"
	"math"

	"referent/inference"
)

type rerankRequest struct {
	Model     string   `json:"model"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	TopN      int      `json:"top_n"`
}

type rerankReply struct {
	Results []struct {
		Index int      `json:"index"`
		Score *float64 `json:"relevance_score"`
	} `json:"results"`
}

// Rerank implements inference.Reranker by POST /rerank, as the servers of
// llama.cpp, vLLM and others offer it. Scores outside 0 to 1 are logits: then
// all of the call go through the logistic function.
func (m handle) Rerank(ctx context.Context, query string, passages []string) ([]float32, error) {
	e, err := m.host.of(m.role)
	if err != nil || len(passages) == 0 {
		return []float32{}, err
	}
	req := rerankRequest{Model: e.info.ID, Query: clean(query), TopN: len(passages)}
	for _, p := range passages {
		req.Documents = append(req.Documents, clean(p))
	}
	var got rerankReply
	if err := m.host.fetch(ctx, e, "/rerank", req, &got); err != nil {
		return nil, err
	}
	if len(got.Results) != len(passages) {
		return nil, missing(e.host(), "results")
	}
	out, seen, logits := make([]float64, len(passages)), make([]bool, len(passages)), false
	for _, r := range got.Results {
		if r.Score == nil {
			return nil, missing(e.host(), "relevance_score")
		}
		if r.Index < 0 || r.Index >= len(passages) || seen[r.Index] || math.IsNaN(*r.Score) {
			return nil, badBody(e.host(), nil)
		}
		out[r.Index], seen[r.Index] = *r.Score, true
		logits = logits || *r.Score < 0 || *r.Score > 1
	}
	scores := make([]float32, len(out))
	for i, s := range out {
		if logits {
			s = 1 / (1 + math.Exp(-s))
		}
		scores[i] = float32(s)
	}
	return scores, ctx.Err()
}

var (
	_ inference.Generator = handle{}
	_ inference.Embedder  = handle{}
	_ inference.Reranker  = handle{}
	_ inference.Tokenizer = handle{}
)
