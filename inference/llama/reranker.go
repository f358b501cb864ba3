package llama

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

// reranker judges passages with whatever model holds the role.
type reranker struct{ host *Host }

// Info returns the model of the role, or a zero value when there is none.
func (m *reranker) Info() inference.ModelInfo { return m.host.infoOf(inference.RoleRerank) }

// Rerank implements inference.Reranker. A pair that does not fit loses the end
// of its passage.
func (m *reranker) Rerank(ctx context.Context, query string, passages []string) ([]float32, error) {
	e, release, err := m.host.acquire(inference.RoleRerank)
	if err != nil {
		return nil, err
	}
	defer release()
	leave := e.enter(inference.PriorityRerank)
	defer leave()

	pairs := make([][]llama.Token, len(passages))
	for i, passage := range passages {
		pairs[i] = e.pair(query, passage)
	}
	outputs := e.resident.classes
	scores := make([]float32, len(passages))
	err = e.sequences(ctx, pairs, inference.PriorityRerank, func(i int, v []float32) {
		scores[i] = score(v)
	}, outputs)
	if err != nil {
		return nil, err
	}
	return scores, nil
}

// score maps the output of a rank head to 0…1. One output is a logit; with
// two the library has turned them into probabilities, "yes" first.
func score(v []float32) float32 {
	s := v[0]
	if len(v) == 1 {
		s = float32(1 / (1 + math.Exp(-float64(v[0]))))
	}
	if s != s {
		return 0
	}
	return min(max(s, 0), 1)
}

// pair lays a query and a passage out as cross-encoders are trained: start,
// query, end, separator, passage, end, each where the vocabulary has it. A
// model that brings a template for pairs gets that.
func (e *evaluator) pair(query, passage string) []llama.Token {
	v := e.resident.vocabulary
	profile := e.resident.profile()
	q := v.data(normalized(profile.Normalize, clean(query)))
	p := v.data(normalized(profile.Normalize, clean(passage)))
	var head, middle, tail []llama.Token
	if t := e.resident.pairTemplate; t != "" {
		before, rest, _ := strings.Cut(t, "{query}")
		between, after, _ := strings.Cut(rest, "{document}")
		head, middle, tail = v.structure(before), v.structure(between), v.structure(after)
	} else {
		head, middle, tail = v.pairFrame()
	}
	room := e.longest() - len(head) - len(middle) - len(tail)
	q = q[:min(len(q), max(1, room/2))]
	p = p[:max(0, min(len(p), room-len(q)))]
	return slices.Concat(head, q, middle, p, tail)
}

func (v vocabulary) pairFrame() (head, middle, tail []llama.Token) {
	end := v.eos
	if end == llama.TokenNull {
		end = llama.VocabSEP(v.handle)
	}
	if v.addBOS && v.bos != llama.TokenNull {
		head = append(head, v.bos)
	}
	if llama.VocabGetAddEOS(v.handle) && end != llama.TokenNull {
		middle, tail = append(middle, end), append(tail, end)
	}
	if sep := llama.VocabSEP(v.handle); llama.VocabGetAddSEP(v.handle) && sep != llama.TokenNull {
		middle = append(middle, sep)
		if len(tail) == 0 {
			tail = append(tail, sep)
		}
	}
	return head, middle, tail
}
