package app

import (
	"context"
	"strings"
	"time"

	"referent/inference"
)

// guestKey carries the context of a guest's turn to the models that it uses.
type guestKey struct{}

// asGuest marks all that runs under ctx as work for another program.
func asGuest(ctx context.Context) context.Context { return context.WithValue(ctx, guestKey{}, ctx) }

// polite is a model that makes way: where a guest uses it and the person asks,
// the reply stops within a token and goes on behind its text when the person's
// turn has ended. The time in between does not count against a deadline of the
// call. Thinking that was cut off starts anew. For the person it is the model
// itself.
type polite struct {
	inference.Generator
	line *line
}

// Generate implements inference.Generator.
func (p polite) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	turn, guest := ctx.Value(guestKey{}).(context.Context)
	if !guest {
		return p.Generator.Generate(ctx, req, each)
	}
	deadline, limited := ctx.Deadline()
	left := time.Until(deadline)
	before := parts{}
	for {
		use, leave, err := p.line.atModel(turn)
		if err != nil {
			return before.join(inference.GenerateResult{Stop: inference.StopCancelled, Seed: req.Seed}), err
		}
		cancel := func() {}
		if limited {
			use, cancel = context.WithTimeout(use, left)
		}
		began := time.Now()
		now := shown{each: each}
		res, err := p.Generator.Generate(use, before.rest(req), now.piece)
		left -= time.Since(began)
		aside := err != nil && !now.refused && context.Cause(use) == errAside
		cancel()
		leave()
		if !aside {
			return before.join(res), err
		}
		if before.add(now, res, req); before.tokens >= before.limit {
			return before.join(inference.GenerateResult{Stop: inference.StopLength, Seed: req.Seed, Threads: res.Threads}), nil
		}
	}
}

// shown is what the caller has seen of one part of a reply.
type shown struct {
	each            func(inference.Piece) error
	text, reasoning strings.Builder
	refused         bool // by the caller
}

func (s *shown) piece(p inference.Piece) error {
	if p.Reasoning {
		s.reasoning.WriteString(p.Text)
	} else {
		s.text.WriteString(p.Text)
	}
	if s.each == nil {
		return nil
	}
	err := s.each(p)
	s.refused = s.refused || err != nil
	return err
}

// parts is a reply up to where it made way.
type parts struct {
	text, reasoning string
	prompt          int // tokens of the prompt without the text
	tokens, limit   int
	orphan          int // as in inference.GenerateResult
}

// defaultMaxTokens is the meaning of a MaxTokens of 0.
const defaultMaxTokens = 512

// add takes in a part that was cut off: what the caller has seen of it.
func (b *parts) add(now shown, res inference.GenerateResult, req inference.GenerateRequest) {
	if b.limit = req.MaxTokens; b.limit <= 0 {
		b.limit = defaultMaxTokens
	}
	if b.prompt == 0 {
		b.prompt = res.PromptTokens
	}
	if res.OrphanBytes > 0 && b.orphan == 0 {
		b.orphan = len(b.text) + min(res.OrphanBytes, now.text.Len())
	}
	b.reasoning += now.reasoning.String()
	if now.text.Len() > 0 { // else the next part begins at the beginning
		b.text += now.text.String()
		b.tokens += res.CompletionTokens
	}
}

// rest is the request for what is missing.
func (b *parts) rest(req inference.GenerateRequest) inference.GenerateRequest {
	if b.text != "" {
		req.Prefill += b.text
		req.MaxTokens = b.limit - b.tokens
	}
	return req
}

// join puts the last part behind the others.
func (b *parts) join(res inference.GenerateResult) inference.GenerateResult {
	if b.orphan > 0 {
		res.OrphanBytes = b.orphan
	} else if res.OrphanBytes > 0 {
		res.OrphanBytes += len(b.text)
	}
	if b.prompt > 0 {
		res.PromptTokens = b.prompt
	}
	res.Text, res.Reasoning = b.text+res.Text, b.reasoning+res.Reasoning
	res.CompletionTokens += b.tokens
	return res
}
