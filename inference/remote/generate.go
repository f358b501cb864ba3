package remote

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"referent/inference"
	"referent/inference/chat"
)

// chatRequest is the body of POST /chat/completions, and with Prompt in place of
// Messages that of POST /completions.
type chatRequest struct {
	Model         string         `json:"model"`
	Messages      []chatMessage  `json:"messages,omitempty"`
	Prompt        *string        `json:"prompt,omitempty"`
	MaxTokens     int            `json:"max_tokens"`
	Temperature   float32        `json:"temperature"`
	Seed          uint32         `json:"seed"`
	Stream        bool           `json:"stream"`
	StreamOptions map[string]any `json:"stream_options"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// chunk is one event of the stream. Servers name reasoning in two ways.
type chunk struct {
	Choices []struct {
		Delta struct {
			Content          *string `json:"content"`
			ReasoningContent string  `json:"reasoning_content"`
			Reasoning        string  `json:"reasoning"`
		} `json:"delta"`
		Text         *string `json:"text"` // of /completions
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		PromptTokens     int `json:"prompt_tokens"`
		CompletionTokens int `json:"completion_tokens"`
		Details          struct {
			CachedTokens int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Timings *struct { // llama.cpp's server
		PromptPerSecond    float64 `json:"prompt_per_second"`
		PredictedPerSecond float64 `json:"predicted_per_second"`
	} `json:"timings"`
	Error json.RawMessage `json:"error"`
}

// Generate implements inference.Generator. Stop strings are watched for here, so
// that they mean the same on every server; a think block is one whether the
// server marks it or the text does. Think, Cache and Priority are the server's
// business. No server is asked to follow a grammar or to call tools: what they
// understand of either differs, and a grammar that is not followed is worse than
// none.
func (m handle) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	e, err := m.host.of(m.role)
	if err != nil {
		return inference.GenerateResult{}, err
	}
	if err := ctx.Err(); err != nil {
		return inference.GenerateResult{Stop: inference.StopCancelled}, err
	}
	if req.Grammar != "" {
		return inference.GenerateResult{}, &inference.Error{Kind: inference.ErrGrammar, Message: "The server " + e.host() + " cannot hold a model to a grammar. Use a model on this computer."}
	}
	path, body, size := ask(e, req)
	if size > e.info.Context {
		return inference.GenerateResult{}, overflow()
	}
	reply, err := m.host.post(ctx, e, path, body)
	if err != nil {
		return inference.GenerateResult{}, err
	}
	defer reply.close()
	w := newWriter(req, each)
	w.res.PromptTokens = size
	err = w.read(reply.ctx, e.host(), newEvents(reply))
	return w.result(ctx), err
}

// ask makes the body of a call and estimates its tokens.
func ask(e entry, req inference.GenerateRequest) (path string, body chatRequest, size int) {
	body = chatRequest{Model: e.info.ID, MaxTokens: req.MaxTokens, Temperature: req.Temperature, Seed: req.Seed, Stream: true, StreamOptions: map[string]any{"include_usage": true}}
	if body.MaxTokens <= 0 {
		body.MaxTokens = 512
	}
	if len(req.Messages) == 0 {
		prompt := clean(req.Completion + req.Prefill)
		body.Prompt = &prompt
		return "/completions", body, Estimate(prompt)
	}
	for _, msg := range req.Messages {
		body.Messages = append(body.Messages, chatMessage{msg.Role, clean(msg.Text)})
	}
	if req.Prefill != "" {
		body.Messages = append(body.Messages, chatMessage{"assistant", clean(req.Prefill)})
	}
	for _, msg := range body.Messages {
		size += Estimate(msg.Content) + 4 // what a template writes around a message
	}
	return "/chat/completions", body, size
}

// clean takes out what no server reads.
func clean(text string) string { return strings.ReplaceAll(text, "\x00", "") }

// writer gathers a reply.
type writer struct {
	reply    *chat.Reply
	res      inference.GenerateResult
	began    time.Time // the first word
	pieces   int
	finished string
	counted  bool
}

func newWriter(req inference.GenerateRequest, each func(inference.Piece) error) *writer {
	return &writer{reply: chat.NewReply(req.Stop, false, each), res: inference.GenerateResult{Seed: req.Seed}}
}

// errStop ends the reading when a stop string was found.
var errStop = errors.New("remote: a stop string")

// read takes the events until the reply ends.
func (w *writer) read(ctx context.Context, host string, events *events) error {
	seen := false
	for {
		text, err := events.next()
		if err != nil {
			switch {
			case errors.Is(context.Cause(ctx), errSilent):
				w.reply.Close()
				return connection(ctx, host, err)
			case ctx.Err() != nil:
				return w.cancelled(ctx.Err())
			case w.finished != "" || seen && errors.Is(err, errDone):
				return w.end()
			case errors.Is(err, errDone) || errors.Is(err, errNoEvents):
				return missing(host, "choices")
			}
			w.reply.Close()
			return connection(ctx, host, err)
		}
		var c chunk
		if err := json.Unmarshal(text, &c); err != nil {
			w.reply.Close()
			return badBody(host, err)
		}
		if len(c.Error) > 0 && string(c.Error) != "null" {
			w.reply.Close()
			return statusError(host, 500, string(c.Error))
		}
		w.count(c)
		for _, choice := range c.Choices {
			seen = seen || choice.Delta.Content != nil || choice.Text != nil || choice.FinishReason != nil || choice.Delta.ReasoningContent+choice.Delta.Reasoning != ""
			if err := w.take(choice.Delta.ReasoningContent+choice.Delta.Reasoning, choice.Delta.Content, choice.Text); err != nil {
				if errors.Is(err, errStop) {
					w.res.Stop = inference.StopString
					return nil
				}
				return w.cancelled(err)
			}
			if choice.FinishReason != nil && *choice.FinishReason != "" {
				w.finished = *choice.FinishReason
			}
		}
		if ctx.Err() != nil {
			return w.cancelled(ctx.Err())
		}
	}
}

func (w *writer) take(reasoning string, content, text *string) error {
	if w.began.IsZero() {
		w.began = time.Now()
	}
	if reasoning != "" {
		w.pieces++
		if err := w.reply.Think(reasoning); err != nil {
			return err
		}
	}
	for _, s := range []*string{content, text} {
		if s == nil || *s == "" {
			continue
		}
		w.pieces++
		stopped, err := w.reply.Add([]byte(*s))
		if err != nil {
			return err
		}
		if stopped {
			return errStop
		}
	}
	return nil
}

func (w *writer) count(c chunk) {
	if u := c.Usage; u != nil && u.PromptTokens > 0 {
		w.counted = true
		w.res.PromptTokens, w.res.CompletionTokens = u.PromptTokens, u.CompletionTokens
		w.res.CachedTokens = max(0, min(u.Details.CachedTokens, u.PromptTokens-1)) // one is always evaluated
	}
	if t := c.Timings; t != nil {
		w.res.PrefillPerSecond, w.res.DecodePerSecond = max(0, t.PromptPerSecond), max(0, t.PredictedPerSecond)
	}
}

func (w *writer) cancelled(err error) error {
	w.reply.Close()
	w.res.Stop = inference.StopCancelled
	return err
}

// end closes a reply that the server has finished.
func (w *writer) end() error {
	stopped, err := w.reply.End()
	switch {
	case err != nil:
		return w.cancelled(err)
	case stopped:
		w.res.Stop = inference.StopString
	case w.finished == "length":
		w.res.Stop = inference.StopLength
	default:
		w.res.Stop = inference.StopEnd
	}
	return nil
}

// result is what was written so far. Counts that the server did not give are
// estimated; a server sends about a piece a token.
func (w *writer) result(ctx context.Context) inference.GenerateResult {
	r := w.res
	r.Text, r.Reasoning, r.OrphanBytes = w.reply.Text(), w.reply.Reasoning(), w.reply.OrphanBytes()
	if !w.counted {
		r.CompletionTokens = w.pieces
	}
	if r.Reasoning != "" {
		r.ReasoningTokens = max(1, min(r.CompletionTokens, Estimate(r.Reasoning)))
	}
	if passed := time.Since(w.began).Seconds(); r.DecodePerSecond == 0 && r.CompletionTokens > 8 && passed > 0.2 && !w.began.IsZero() {
		r.DecodePerSecond = float64(r.CompletionTokens-1) / passed
	}
	if r.Stop == "" && ctx.Err() != nil {
		r.Stop = inference.StopCancelled
	}
	return r
}
