package worker

import (
	"context"
	"errors"
	"strings"

	"referent/inference"
)

// defaultMaxTokens is the meaning of a MaxTokens of 0.
const defaultMaxTokens = 512

// written is what callers have seen of a reply.
type written struct {
	text, reasoning strings.Builder
	tokens          int // steps that made it
}

// Generate implements inference.Generator. When the worker dies, the reply goes
// on once behind the text that was delivered. Thinking that was cut off starts
// anew, since no template can go on inside a think block; the result holds both
// beginnings, as the stream did.
func (c *handle) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	var before written
	for try := 0; ; try++ {
		s, m, err := c.host.ready(ctx, c.role)
		if err != nil {
			return before.alone(req, try > 0), err
		}
		rest, more := before.rest(req)
		if !more {
			res := before.alone(req, true)
			res.Stop = inference.StopLength
			return res, nil
		}
		var now written
		last, err := s.do(ctx, frameGenerate, generateRequest{c.role, rest}, m, func(f frame) error { return now.receive(ctx, f, each) })
		var died *diedError
		if errors.As(err, &died) {
			before.join(&now)
			if try == 0 {
				continue
			}
			if err := c.host.aside(m); err != nil {
				return before.alone(req, true), err
			}
			return before.alone(req, true), died.report("The answer could not be finished. Ask again.")
		}
		c.host.learn(m, last.Info)
		return before.finish(&now, req, last.Result, try > 0, err)
	}
}

// receive takes one frame of a reply.
func (w *written) receive(ctx context.Context, f frame, each func(inference.Piece) error) error {
	if f.kind == frameProgress {
		inference.Progress(ctx)
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err // what comes after a cancel is not delivered
	}
	var p pieces
	if err := decode(f.body, &p); err != nil {
		return err
	}
	w.tokens += p.Tokens
	for _, piece := range p.Pieces {
		if piece.Reasoning {
			w.reasoning.WriteString(piece.Text)
		} else {
			w.text.WriteString(piece.Text)
		}
		if each == nil {
			continue
		}
		if err := each(piece); err != nil {
			return err
		}
	}
	return nil
}

// rest is the request for what is missing; false when the limit was reached.
func (w *written) rest(req inference.GenerateRequest) (inference.GenerateRequest, bool) {
	if w.text.Len() == 0 {
		return req, true
	}
	limit := req.MaxTokens
	if limit <= 0 {
		limit = defaultMaxTokens
	}
	req.Prefill += w.text.String()
	req.MaxTokens = limit - w.tokens
	return req, req.MaxTokens > 0
}

func (w *written) join(more *written) {
	w.text.WriteString(more.text.String())
	w.reasoning.WriteString(more.reasoning.String())
	w.tokens += more.tokens
}

// alone is the result when no worker could finish it.
func (w *written) alone(req inference.GenerateRequest, continued bool) inference.GenerateResult {
	return inference.GenerateResult{Text: w.text.String(), Reasoning: w.reasoning.String(), Stop: inference.StopCancelled,
		CompletionTokens: w.tokens, Seed: req.Seed, Continued: continued}
}

// finish joins what both workers wrote. A reply that was stopped holds exactly
// what was delivered: the worker may have written a little more meanwhile.
func (w *written) finish(now *written, req inference.GenerateRequest, last *inference.GenerateResult, continued bool, err error) (inference.GenerateResult, error) {
	if last == nil {
		w.join(now)
		if err == nil {
			err = errors.New("the worker sent no result")
		}
		return w.alone(req, continued), err
	}
	res := *last
	if err != nil {
		res.Text, res.Reasoning, res.Stop = now.text.String(), now.reasoning.String(), inference.StopCancelled
	}
	res.Text = w.text.String() + res.Text
	res.Reasoning = w.reasoning.String() + res.Reasoning
	res.CompletionTokens += w.tokens
	res.Continued = continued
	return res, err
}

// learn keeps rates that the worker measured.
func (h *Host) learn(m *model, info *inference.ModelInfo) {
	if info == nil || info.Path == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	m.info.PrefillPerSecond, m.info.DecodePerSecond = info.PrefillPerSecond, info.DecodePerSecond
	m.info.Threads, m.info.ResidentBytes = info.Threads, info.ResidentBytes
}
