package fake

import (
	"context"
	"errors"
	"strings"

	"referent/inference"
)

// Reply scripts one answer.
type Reply struct {
	// Text is the whole reply; it may hold <think> blocks and is cut into
	// tokens by the rule of the package.
	Text string
	// Raw, when set, replaces Text by exact tokens, which may split a
	// character or a tag.
	Raw []string
	// Err fails the call after After tokens.
	Err error
	// Hang stops all progress after After tokens until the context is done.
	Hang bool
	// Die ends the process (Config.Die) after After tokens.
	Die   bool
	After int
}

// prefillStep is the size of one prefill step, in tokens.
const prefillStep = 64

// errStop ends the token loop at a stop string.
var errStop = errors.New("stop string")

// Generate implements inference.Generator.
func (c *handle) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	m, release, err := c.host.use(c.role)
	if err != nil {
		return inference.GenerateResult{}, err
	}
	defer release()
	c.host.note(Call{Kind: "generate", Role: c.role, Request: req})

	res := inference.GenerateResult{Seed: req.Seed, Threads: m.info.Threads, PrefillPerSecond: 1000, DecodePerSecond: 100}
	if req.Grammar != "" {
		return inference.GenerateResult{}, &inference.Error{Kind: inference.ErrGrammar, Message: "The fake model writes what it is told, whatever a grammar says."}
	}
	prompt := promptTokens(req)
	res.PromptTokens = len(prompt)
	if res.PromptTokens >= m.info.Context {
		return res, &inference.Error{Kind: inference.ErrContextOverflow,
			Message: "The prompt is longer than the model's context. Ask with fewer passages or a shorter history."}
	}
	reply := c.reply(req)
	res.CachedTokens = m.reuse(req, prompt)
	for n := 0; n*prefillStep < res.PromptTokens-res.CachedTokens; n++ {
		if err := c.host.step(ctx, Step{PhasePrefill, c.role, n}); err != nil {
			return ended(res, err)
		}
		inference.Progress(ctx)
	}
	return c.write(ctx, m, req, reply, res, each)
}

// write streams the tokens of a reply.
func (c *handle) write(ctx context.Context, m *model, req inference.GenerateRequest, reply Reply, res inference.GenerateResult, each func(inference.Piece) error) (inference.GenerateResult, error) {
	out := &stream{stop: req.Stop, each: each}
	tokens := reply.tokens(req.Prefill)
	limit := req.MaxTokens
	if limit <= 0 {
		limit = 512
	}
	var err error
	res.Stop = inference.StopEnd
	for n := 0; ; n++ {
		if err = c.host.step(ctx, Step{PhaseDecode, c.role, n}); err != nil {
			break
		}
		if n == reply.After {
			if err = c.fault(ctx, reply); err != nil {
				break
			}
		}
		if n == len(tokens) {
			break
		}
		if n == limit {
			res.Stop = inference.StopLength
			break
		}
		res.CompletionTokens++
		if out.thinking {
			res.ReasoningTokens++
		}
		if err = out.write(tokens[n]); err != nil {
			break
		}
	}
	if err == nil {
		err = out.flush()
	}
	if errors.Is(err, errStop) {
		res.Stop, err = inference.StopString, nil
	}
	m.remember(promptTokens(req), tokens[:res.CompletionTokens])
	res.Text, res.Reasoning = out.text.String(), out.reasoning.String()
	return ended(res, err)
}

// ended marks a result that an error cut short.
func ended(res inference.GenerateResult, err error) (inference.GenerateResult, error) {
	if err != nil {
		res.Stop = inference.StopCancelled
	}
	return res, err
}

// fault carries out what a reply scripted besides text.
func (c *handle) fault(ctx context.Context, r Reply) error {
	switch {
	case r.Hang:
		<-ctx.Done()
		return ctx.Err()
	case r.Die:
		if c.host.cfg.Die != nil {
			c.host.cfg.Die()
		}
		return &inference.Error{Kind: inference.ErrWorkerDied, Message: "The model worker ended."}
	}
	return r.Err
}

// reply chooses the script or the built-in rule.
func (c *handle) reply(req inference.GenerateRequest) Reply {
	if c.host.cfg.Match != nil {
		if r, ok := c.host.cfg.Match(c.role, req); ok {
			return r
		}
	}
	c.host.mu.Lock()
	defer c.host.mu.Unlock()
	if len(c.host.replies) > 0 {
		r := c.host.replies[0]
		c.host.replies = c.host.replies[1:]
		return r
	}
	return Reply{Text: Default(req)}
}

// Script appends replies to the queue.
func (h *Host) Script(replies ...Reply) {
	h.mu.Lock()
	h.replies = append(h.replies, replies...)
	h.mu.Unlock()
}

// tokens are what the reply writes behind a prefill.
func (r Reply) tokens(prefill string) []string {
	all := r.Raw
	if all == nil {
		all = Tokens(r.Text)
	}
	whole := strings.Join(all, "")
	if prefill == "" || !strings.HasPrefix(whole, prefill) {
		return all
	}
	skip := len(prefill)
	for i, t := range all {
		if skip < len(t) {
			return append([]string{t[skip:]}, all[i+1:]...)
		}
		skip -= len(t)
	}
	return nil
}

// promptTokens renders a request: each message as its role, its text and a
// line break, or the completion; then the prefill.
func promptTokens(req inference.GenerateRequest) []string {
	return Tokens(render(req) + req.Prefill)
}

func render(req inference.GenerateRequest) string {
	if len(req.Messages) == 0 {
		return req.Completion
	}
	var b strings.Builder
	for _, m := range req.Messages {
		b.WriteString(m.Role + "\n" + m.Text + "\n")
	}
	return b.String()
}

// reuse returns how many prompt tokens are kept from the last call. At least
// one is always evaluated.
func (m *model) reuse(req inference.GenerateRequest, prompt []string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := 0
	for n < min(len(m.cached), len(prompt)-1) && m.cached[n] == prompt[n] {
		n++
	}
	if req.Cache == inference.CacheFixedCut {
		if cut := stableTokens(req); n >= cut {
			return min(cut, max(0, len(prompt)-1))
		}
		return 0
	}
	return n
}

// stableTokens is the number of tokens before the fixed cut.
func stableTokens(req inference.GenerateRequest) int {
	last := req.Completion
	if len(req.Messages) > 0 {
		last = req.Messages[len(req.Messages)-1].Text + "\n"
	}
	head := strings.TrimSuffix(render(req), last)
	stable := max(0, min(req.StableBytes, len(last)))
	// The token that spans the cut belongs to the changing part.
	return max(0, len(Tokens(head+last[:stable]))-1)
}

func (m *model) remember(prompt, reply []string) {
	m.mu.Lock()
	m.cached = append(append([]string{}, prompt...), reply...)
	m.mu.Unlock()
}
