package worker

import (
	"context"
	"errors"

	"referent/inference"
)

// The limits of one request. Longer lists travel in several, so that a death
// costs only one of them and no frame grows too large.
const (
	sliceTexts = 256
	sliceBytes = 4 << 20
)

// handle is a model as its callers hold it, whichever worker runs it.
type handle struct {
	host *Host
	role inference.Role
	last *model
}

func (h *Host) handle(role inference.Role) (*handle, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.roles[role]
	if m == nil {
		return nil, noModel(role)
	}
	return &handle{h, role, m}, nil
}

// as gives a handle as one of the interfaces; without one, a nil interface.
func as[T any](c *handle, err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return any(c).(T), nil
}

// Generator implements inference.Host.
func (h *Host) Generator(role inference.Role) (inference.Generator, error) {
	return as[inference.Generator](h.handle(role))
}

// Embedder implements inference.Host.
func (h *Host) Embedder() (inference.Embedder, error) {
	return as[inference.Embedder](h.handle(inference.RoleEmbed))
}

// Reranker implements inference.Host.
func (h *Host) Reranker() (inference.Reranker, error) {
	return as[inference.Reranker](h.handle(inference.RoleRerank))
}

// Tokenizer implements inference.Host.
func (h *Host) Tokenizer(role inference.Role) (inference.Tokenizer, error) {
	return as[inference.Tokenizer](h.handle(role))
}

// Info returns the model now in the role, or the last one after an unload.
func (c *handle) Info() inference.ModelInfo {
	c.host.mu.Lock()
	m := c.host.roles[c.role]
	c.host.mu.Unlock()
	if m == nil {
		m = c.last
	}
	return c.host.infoOf(m)
}

// Embed implements inference.Embedder. A list cut by a death is tried once
// more.
func (c *handle) Embed(ctx context.Context, kind inference.TextKind, texts []string, priority inference.Priority) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for _, part := range cut(texts) {
		vectors, err := c.vectors(ctx, frameEmbed, embedRequest{kind, part, priority})
		if err != nil {
			return nil, err
		}
		if len(vectors) != len(part) {
			return nil, errors.New("the worker sent another number of vectors than texts")
		}
		out = append(out, vectors...)
	}
	return out, ctx.Err()
}

// Rerank implements inference.Reranker.
func (c *handle) Rerank(ctx context.Context, query string, passages []string) ([]float32, error) {
	if len(passages) == 0 {
		return []float32{}, ctx.Err()
	}
	vectors, err := c.vectors(ctx, frameRerank, rerankRequest{query, passages})
	if err != nil {
		return nil, err
	}
	if len(vectors) != 1 || len(vectors[0]) != len(passages) {
		return nil, errors.New("the worker sent another number of scores than passages")
	}
	return vectors[0], nil
}

func (c *handle) vectors(ctx context.Context, kind byte, body any) (vectors [][]float32, err error) {
	err = c.host.twice(ctx, c.role, func(s *session, m *model) error {
		_, err := s.do(ctx, kind, body, m, func(f frame) (err error) {
			if f.kind == frameProgress {
				inference.Progress(ctx)
				return nil
			}
			vectors, err = parseVectors(f.body)
			return err
		})
		return err
	})
	return vectors, err
}

// CountTokens implements inference.Tokenizer.
func (c *handle) CountTokens(ctx context.Context, texts []string) ([]int, error) {
	out := make([]int, 0, len(texts))
	for _, part := range cut(texts) {
		var counts []int
		err := c.host.twice(ctx, c.role, func(s *session, m *model) error {
			last, err := s.do(ctx, frameCount, countRequest{c.role, part}, m, ignore)
			counts = last.Counts
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(counts) != len(part) {
			return nil, errors.New("the worker sent another number of counts than texts")
		}
		out = append(out, counts...)
	}
	return out, ctx.Err()
}

// cut divides texts into requests.
func cut(texts []string) [][]string {
	var parts [][]string
	start, bytes := 0, 0
	for i, t := range texts {
		if i > start && (i-start == sliceTexts || bytes+len(t) > sliceBytes) {
			parts = append(parts, texts[start:i])
			start, bytes = i, 0
		}
		bytes += len(t)
	}
	if start < len(texts) {
		parts = append(parts, texts[start:])
	}
	return parts
}
