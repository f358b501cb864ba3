package retrieve

import (
	"cmp"
	"context"
	"slices"
	"time"

	"referent/rag"
)

// rerankDepth is how many of the fused hits the rerank model judges.
const rerankDepth = 50

// rerank orders the best candidates by the model's judgement. A model that
// fails leaves the order as it is, and that is said.
func (s *search) rerank(ctx context.Context, list []candidate) ([]candidate, error) {
	list = list[:min(len(list), rerankDepth)]
	if len(list) == 0 {
		return list, nil
	}
	m, err := s.reranker()
	if err != nil {
		return nil, err
	}
	passages := make([]string, len(list))
	for i, c := range list {
		passages[i] = c.hit.Text
		if c.hit.Header != "" {
			passages[i] = c.hit.Header + "\n" + c.hit.Text
		}
	}
	start := time.Now()
	scores, err := m.Rerank(ctx, s.RerankText, passages)
	s.result.RerankMS += milliseconds(time.Since(start))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil || len(scores) != len(list) {
		s.note("The rerank model did not answer. The order is that of hybrid.")
		return list, nil
	}
	s.floor.reranked = m.Info().RerankFloor
	out := slices.Clone(list)
	for i := range out {
		out[i].score = float64(scores[i])
		out[i].hit.Score = out[i].score
		out[i].trace.Rerank = &rag.Leg{Score: out[i].score}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	for i := range out {
		out[i].trace.Rerank.Rank = i + 1
	}
	return out, nil
}
