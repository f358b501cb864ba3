package llama

import (
	"context"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

// prefill evaluates a prompt and returns how many of its tokens were reused,
// and the time spent computing the others.
func (e *evaluator) prefill(ctx context.Context, tokens []llama.Token, cut int, policy inference.CachePolicy, p inference.Priority) (reused int, took time.Duration, err error) {
	if policy == inference.CacheFixedCut {
		return e.prefillFixed(ctx, tokens, cut, p)
	}
	// The last token is always evaluated: the logits of an earlier evaluation
	// are gone.
	reused = e.cutTo(min(commonPrefix(e.cached, tokens), len(tokens)-1))
	took, err = e.extend(ctx, tokens[reused:], policy, p)
	return reused, took, err
}

// prefillFixed makes the arithmetic independent of what was asked before: the
// constant part is evaluated from position zero in batches of its own, once,
// and the rest from the cut on in the same batches each time.
func (e *evaluator) prefillFixed(ctx context.Context, tokens []llama.Token, cut int, p inference.Priority) (reused int, took time.Duration, err error) {
	if cut >= len(tokens) {
		cut = 0
	}
	if cut > 0 && e.canonical == cut && commonPrefix(e.cached, tokens[:cut]) == cut {
		reused = e.cutTo(cut)
	} else {
		e.clear()
	}
	if reused == 0 && cut > 0 {
		e.clear()
		if took, err = e.extend(ctx, tokens[:cut], inference.CacheFixedCut, p); err != nil {
			return 0, took, err
		}
		e.canonical = cut
	}
	more, err := e.extend(ctx, tokens[max(reused, cut):], inference.CacheFixedCut, p)
	return reused, took + more, err
}
