package llama

import (
	"context"
	"slices"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

// prefill evaluates a prompt and returns how many of its tokens were reused,
// and the time spent computing the others.
func (e *evaluator) prefill(ctx context.Context, text laidOut, policy inference.CachePolicy, p inference.Priority) (reused int, took time.Duration, err error) {
	if policy == inference.CacheFixedCut {
		return e.prefillFixed(ctx, text.tokens, text.cut, p)
	}
	// The last token is always evaluated: the logits of an earlier evaluation
	// are gone.
	tokens := text.tokens
	reused = e.cutTo(ctx, min(commonPrefix(e.cached, tokens), len(tokens)-1), p)
	took, err = e.extendOver(ctx, tokens, e.stops(text), policy, p)
	return reused, took, err
}

// stops are the places in a prompt where the state is kept, if it cannot be
// cut: where the constant part ends, after the system prompt, and where the
// last message begins, up to which the next turn is the same.
func (e *evaluator) stops(text laidOut) []int {
	if !e.memory.sticks() {
		return nil
	}
	out := []int{text.cut}
	if n := len(text.turns); n > 0 {
		out = append(out, text.turns[0], text.turns[n-1])
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(at int) bool { return at <= 0 || at >= len(text.tokens) })
}

// extendOver evaluates what of the tokens is not cached yet, and keeps the
// state at the stops.
func (e *evaluator) extendOver(ctx context.Context, tokens []llama.Token, stops []int, policy inference.CachePolicy, p inference.Priority) (took time.Duration, err error) {
	for _, at := range stops {
		if at <= len(e.cached) {
			continue
		}
		more, err := e.extend(ctx, tokens[len(e.cached):at], policy, p)
		took += more
		if err != nil {
			return took, err
		}
		if err := e.keep(ctx, p); err != nil {
			return took, err
		}
	}
	more, err := e.extend(ctx, tokens[len(e.cached):], policy, p)
	return took + more, err
}

// prefillFixed makes the arithmetic independent of what was asked before: the
// constant part is evaluated from position zero in batches of its own, once,
// and the rest from the cut on in the same batches each time.
func (e *evaluator) prefillFixed(ctx context.Context, tokens []llama.Token, cut int, p inference.Priority) (reused int, took time.Duration, err error) {
	if cut >= len(tokens) {
		cut = 0
	}
	if cut > 0 && e.canonical == cut && commonPrefix(e.cached, tokens[:cut]) == cut {
		reused = e.cutTo(ctx, cut, p)
	}
	if reused != cut || cut == 0 {
		reused = 0
		e.clear()
	}
	if reused == 0 && cut > 0 {
		if took, err = e.extendOver(ctx, tokens[:cut], nil, inference.CacheFixedCut, p); err != nil {
			return 0, took, err
		}
		if e.memory.sticks() {
			if err := e.keep(ctx, p); err != nil {
				return 0, took, err
			}
		}
		e.canonical = cut
	}
	more, err := e.extend(ctx, tokens[len(e.cached):], inference.CacheFixedCut, p)
	return reused, took + more, err
}
