package pack

import (
	"context"
	"unicode/utf8"
)

// Counter counts tokens as the answer model does; inference.Tokenizer is one.
type Counter interface {
	CountTokens(ctx context.Context, texts []string) ([]int, error)
}

// Estimate counts without a model: a token for three bytes, rounded up. It is
// used where nothing will be read by a model, as in quote mode.
type Estimate struct{}

// CountTokens implements Counter.
func (Estimate) CountTokens(_ context.Context, texts []string) ([]int, error) {
	out := make([]int, len(texts))
	for i, t := range texts {
		out[i] = max((len(t)+2)/3, utf8.RuneCountInString(t)/4)
	}
	return out, nil
}

// prices is the one cost function: what texts cost, counted in batches and
// looked up at every site.
type prices struct {
	counter Counter
	known   map[string]int
}

// learn counts the texts that are not known yet in one call.
func (p *prices) learn(ctx context.Context, texts ...string) error {
	var ask []string
	for _, t := range texts {
		if _, ok := p.known[t]; !ok && t != "" {
			p.known[t] = 0
			ask = append(ask, t)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	counts, err := p.counter.CountTokens(ctx, ask)
	if err != nil {
		return err
	}
	for i, t := range ask {
		p.known[t] = counts[i]
	}
	return nil
}

// of returns the cost of a text that was learned.
func (p *prices) of(text string) int { return p.known[text] }
