package llama

import (
	"context"

	"referent/inference"
)

// tokenizer counts as the model of its role does.
type tokenizer struct {
	host *Host
	role inference.Role
}

// Info returns the model of the role, or a zero value when there is none.
func (t *tokenizer) Info() inference.ModelInfo { return t.host.infoOf(t.role) }

// CountTokens implements inference.Tokenizer. It needs no device.
func (t *tokenizer) CountTokens(ctx context.Context, texts []string) ([]int, error) {
	e, release, err := t.host.acquire(t.role)
	if err != nil {
		return nil, err
	}
	defer release()
	counts := make([]int, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		counts[i] = e.resident.vocabulary.count(text)
	}
	return counts, nil
}
