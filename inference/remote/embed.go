package remote

import (
	"context"
	"math"
	"strings"
	"unicode"

	"referent/inference"
)

// embedBatch is how many texts go into one call.
const embedBatch = 32

type embedRequest struct {
	Model    string   `json:"model"`
	Input    []string `json:"input"`
	Encoding string   `json:"encoding_format"`
}

type embedReply struct {
	Data []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
}

// Embed implements inference.Embedder. A text longer than a piece is cut at
// white space; its vector is the normalised mean of the pieces'.
func (m handle) Embed(ctx context.Context, kind inference.TextKind, texts []string, _ inference.Priority) ([][]float32, error) {
	e, err := m.host.of(m.role)
	if err != nil {
		return nil, err
	}
	prefix := e.info.PassagePrefix
	if kind == inference.KindQuery {
		prefix = e.info.QueryPrefix
	}
	var pieces []string
	var owner []int
	for i, t := range texts {
		for _, p := range cut(t, e.info.Context-Estimate(prefix)) {
			pieces, owner = append(pieces, prefix+p), append(owner, i)
		}
	}
	out := make([][]float32, len(texts))
	for from := 0; from < len(pieces); from += embedBatch {
		to := min(len(pieces), from+embedBatch)
		vectors, err := m.host.vectors(ctx, e, pieces[from:to])
		if err != nil {
			return nil, err
		}
		inference.Progress(ctx)
		for i, v := range vectors {
			if e.info.Dimensions > 0 && len(v) != e.info.Dimensions {
				return nil, badBody(e.host(), nil)
			}
			at := owner[from+i]
			if out[at] == nil {
				out[at] = make([]float32, len(v))
			}
			for k, x := range v {
				out[at][k] += x
			}
		}
	}
	for i := range out {
		out[i] = unit(out[i])
	}
	return out, ctx.Err()
}

// vectors asks for one batch. Each vector has unit length.
func (h *Host) vectors(ctx context.Context, e entry, texts []string) ([][]float32, error) {
	var got embedReply
	if err := h.fetch(ctx, e, "/embeddings", embedRequest{e.info.ID, texts, "float"}, &got); err != nil {
		return nil, err
	}
	if len(got.Data) != len(texts) {
		return nil, missing(e.host(), "data")
	}
	out := make([][]float32, len(texts))
	for _, d := range got.Data {
		if d.Index < 0 || d.Index >= len(texts) || out[d.Index] != nil || len(d.Embedding) == 0 {
			return nil, badBody(e.host(), nil)
		}
		v := unit(d.Embedding)
		if v == nil {
			return nil, badBody(e.host(), nil)
		}
		out[d.Index] = v
	}
	return out, nil
}

// unit gives a vector the length 1; nil where it has none.
func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	n := math.Sqrt(sum)
	if !(n > 0) || math.IsInf(n, 0) {
		return nil
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / n)
	}
	return out
}

// cut splits a text into pieces of at most limit estimated tokens, at white space
// where there is some. A text of white space alone becomes a full stop: servers
// refuse an empty one.
func cut(text string, limit int) []string {
	text = strings.TrimSpace(clean(text))
	if text == "" {
		return []string{"."}
	}
	limit = max(limit, 1)
	var out []string
	for text != "" {
		end := fitting(text, limit)
		out = append(out, strings.TrimRightFunc(text[:end], unicode.IsSpace))
		text = strings.TrimLeftFunc(text[end:], unicode.IsSpace)
	}
	return out
}

// fitting is the length in bytes of the longest beginning that has at most limit
// estimated tokens, and at least one character.
func fitting(text string, limit int) int {
	var c counter
	space := 0
	for i, r := range text {
		if c.add(r); c.tokens > limit && i > 0 {
			if space > 0 {
				return space
			}
			return i
		}
		if unicode.IsSpace(r) {
			space = i
		}
	}
	return len(text)
}
