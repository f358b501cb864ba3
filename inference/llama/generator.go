package llama

import (
	"context"
	"errors"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
	"referent/inference/chat"
)

const (
	defaultMaxTokens = 512
	// rates from fewer tokens than this are not told: the first call of a
	// context also pays for what later ones find ready.
	leastPrefill = 32
	leastDecode  = 4
)

// generator writes text with whatever model holds its role.
type generator struct {
	host *Host
	role inference.Role
}

// Info returns the model of the role, or a zero value when there is none.
func (g *generator) Info() inference.ModelInfo { return g.host.infoOf(g.role) }

// Generate implements inference.Generator.
func (g *generator) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	e, release, err := g.host.acquire(g.role)
	if err != nil {
		return inference.GenerateResult{}, err
	}
	defer release()
	if err := e.turn.pass(ctx, req.Priority); err != nil {
		return inference.GenerateResult{Stop: inference.StopCancelled, Seed: req.Seed, Threads: e.threads}, err
	}
	defer e.turn.done()
	leave := e.enter(req.Priority)
	defer leave()

	prompt, err := e.resident.render(req)
	if err != nil {
		return inference.GenerateResult{}, err
	}
	s := newSampler(req.Temperature, req.Seed)
	if req.Grammar != "" {
		if s.grammar, err = newGrammar(e.resident.vocabulary, req.Grammar, req.Prefill); err != nil {
			s.free()
			return inference.GenerateResult{}, err
		}
	}
	defer s.free()
	w := writing{
		e: e, req: req, sampler: s,
		reply: chat.NewReply(req.Stop, prompt.Thinking, each),
	}
	if !w.rewrites() {
		e.recover(ctx)
	}
	w.result.Seed, w.result.Threads = s.seed, e.threads
	err = w.run(ctx, prompt)
	w.finish(ctx, err)
	return w.result, err
}

// render lays the request out for the model.
func (r *resident) render(req inference.GenerateRequest) (chat.Prompt, error) {
	if len(req.Messages) == 0 {
		return chat.Continuation(req.Completion, req.StableBytes, req.Prefill), nil
	}
	return r.template.Render(req.Messages, chat.Options{
		Think: req.Think, Prefill: req.Prefill, StableBytes: req.StableBytes, Tools: req.Tools,
		EOS: string(r.vocabulary.piece(r.vocabulary.eos, true)),
	})
}

// writing is one call of Generate.
type writing struct {
	e       *evaluator
	req     inference.GenerateRequest
	sampler sampler
	reply   *chat.Reply
	result  inference.GenerateResult
	decoded int           // tokens decoded one by one
	spent   time.Duration // on them
}

// run evaluates the prompt and writes until something ends the reply.
func (w *writing) run(ctx context.Context, prompt chat.Prompt) error {
	text := w.e.resident.vocabulary.prompt(prompt)
	tokens := text.tokens
	w.result.PromptTokens = len(tokens)
	switch {
	case len(tokens) == 0:
		return failf(inference.ErrContextOverflow, nil, "There is nothing to write about: the prompt is empty.")
	case len(tokens)+1 > w.e.nCtx:
		return failf(inference.ErrContextOverflow, nil,
			"The question and its passages need %d tokens, and the model has room for %d. Ask with fewer passages or a shorter history.", len(tokens), w.e.nCtx-1)
	}
	reused, took, err := w.e.prefill(ctx, text, w.req.Cache, w.req.Priority)
	w.result.CachedTokens = reused
	if err != nil {
		return err
	}
	if n := len(tokens) - reused; n >= leastPrefill && took > 0 {
		w.result.PrefillPerSecond = float64(n) / took.Seconds()
	}
	return w.write(ctx)
}

func (w *writing) write(ctx context.Context) error {
	limit := w.req.MaxTokens
	if limit <= 0 {
		limit = defaultMaxTokens
	}
	v := w.e.resident.vocabulary
	var loop chat.Loop
	for {
		start := time.Now()
		token, err := w.sampler.next(w.e, w.reply.Inside())
		if err != nil {
			return err
		}
		chosen := time.Since(start)
		if llama.VocabIsEOG(v.handle, token) {
			w.result.Stop = inference.StopEnd
			return w.end()
		}
		w.result.CompletionTokens++
		if w.reply.Inside() {
			w.result.ReasoningTokens++
		}
		stopped, err := w.reply.Add(v.reply(token))
		switch {
		case err != nil:
			return err
		case stopped:
			w.result.Stop = inference.StopString
			return nil
		case loop.Push(int32(token)):
			w.result.Stop = inference.StopLoop
			return w.end()
		case w.result.CompletionTokens >= limit || len(w.e.cached) >= w.e.nCtx:
			w.result.Stop = inference.StopLength
			return w.end()
		}
		took, err := w.next(ctx, token)
		if err != nil {
			return err
		}
		w.decoded++
		w.spent += took + chosen
		if !w.rewrites() && w.e.writing.observe(1, took+chosen) {
			w.e.slower()
		}
	}
}

// next evaluates one token. A call that takes far too long is given up and
// made again with fewer threads.
func (w *writing) next(ctx context.Context, token llama.Token) (took time.Duration, err error) {
	var patience time.Duration
	if !w.rewrites() && w.e.threads > 1 {
		patience = w.e.writing.patience(1)
	}
	took, err = w.e.step(ctx, []llama.Token{token}, true, w.req.Priority, patience)
	if errors.Is(err, errTooSlow) && w.e.slower() {
		var again time.Duration
		again, err = w.e.step(ctx, []llama.Token{token}, true, w.req.Priority, 0)
		took += again
	}
	return took, err
}

// rewrites says that the number of threads must stay as it is to the end:
// another one would change the arithmetic.
func (w *writing) rewrites() bool { return w.req.Cache == inference.CacheFixedCut }

// end shows what the reply held back.
func (w *writing) end() error {
	_, err := w.reply.End()
	return err
}

// finish fills in what is known at the end, also of a reply that was cut off.
func (w *writing) finish(ctx context.Context, err error) {
	w.reply.Close()
	w.result.Text, w.result.Reasoning = w.reply.Text(), w.reply.Reasoning()
	w.result.OrphanBytes = w.reply.OrphanBytes()
	if w.decoded >= leastDecode && w.spent > 0 {
		w.result.DecodePerSecond = float64(w.decoded) / w.spent.Seconds()
	}
	if err != nil && (ctx.Err() != nil || w.reply.Refused()) {
		w.result.Stop = inference.StopCancelled
	}
	if w.result.Threads = w.e.threads; w.rewrites() && w.e.writing.observe(w.decoded, w.spent) {
		w.e.slower() // for the next one
	}
	w.e.resident.measured(w.e.role, w.result.PrefillPerSecond, w.result.DecodePerSecond, w.result.Threads)
}
