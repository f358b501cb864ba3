package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/language"
)

// condense searches one rewrite of the question by the condense model: gate,
// prompt, greedy decoding, cleaning, guard, else the failure policy. A
// comparison of two things is searched for each of them.
type condense struct{}

func (condense) Name() string { return "condense_context" }

func (condense) Sentence() string {
	return "Searches a rewrite of your question that stands alone, written by the rewrite model and checked word by word."
}

const alphaIgnored = "The blend weight is ignored: the engine condense_context does not blend."

func (c condense) Prepare(ctx context.Context, req Request, tools Tools) (rag.Prepared, error) {
	p, err := c.prepare(ctx, req, tools)
	if err == nil && req.Options.BlendAlpha != nil {
		p.Warnings = append(p.Warnings, alphaIgnored)
	}
	return p, err
}

func (condense) prepare(ctx context.Context, req Request, tools Tools) (rag.Prepared, error) {
	l := speech(req)
	seen := window(req.History, req.Options.CondenseHistory)
	if len(seen) == 0 {
		return compared(l, verbatim(req, rag.StatusNoHistory)), nil
	}
	if p, decided := opening(req); decided {
		return p, nil
	}
	if req.Options.CondenseGate {
		if refers, _ := Refers(l, req.Question, req.History); !refers {
			return compared(l, verbatim(req, rag.StatusGated)), nil
		}
	}
	p, err := rewritten(ctx, l, req, tools)
	if err != nil {
		return rag.Prepared{}, err
	}
	if p.Reason != "" {
		return failed(req, tools, p), nil
	}
	return compared(l, p), nil
}

// rewritten asks the model once. A failure is a result with a reason.
func rewritten(ctx context.Context, l *language.Language, req Request, tools Tools) (rag.Prepared, error) {
	fail := func(calls int, reason rag.Reason, detail string) (rag.Prepared, error) {
		return rag.Prepared{Reason: reason, Detail: detail, ModelCalls: calls}, nil
	}
	if tools.Condense == nil {
		return fail(0, rag.ReasonCallError, "No model is loaded that rewrites questions.")
	}
	ask, seen, err := prompt(ctx, req, tools)
	if err != nil {
		return rag.Prepared{}, err
	}
	limit := timeout(req, tools, ask)
	call, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	take := &taker{}
	res, err := tools.Condense.Generate(call, ask, take.piece)
	switch {
	case ctx.Err() != nil:
		return rag.Prepared{}, ctx.Err()
	case take.done || err == nil:
	case errors.Is(call.Err(), context.DeadlineExceeded), timedOut(err):
		return fail(1, rag.ReasonTimeout, fmt.Sprintf("The model did not finish within %.1f seconds.", limit.Seconds()))
	default:
		reason, detail := classify(err)
		return fail(1, reason, detail)
	}
	if take.long {
		return fail(1, rag.ReasonTooLong, fmt.Sprintf("The model wrote more than %d tokens on one line.", maxText))
	}
	if !take.done && res.Stop == inference.StopLength {
		return fail(1, rag.ReasonTooLong, fmt.Sprintf("The model used all %d tokens before it finished a line.", ask.MaxTokens))
	}
	text, reason, detail := clean(take.text.String(), req.Question)
	if reason != "" {
		return fail(1, reason, detail)
	}
	p := rag.Prepared{ModelCalls: 1, HistoryMessagesUsed: len(seen)}
	if sameText(text, req.Question) {
		p.Status, p.SearchQueries, p.RerankQuery = rag.StatusUnchanged, []string{req.Question}, req.Question
		return p, nil
	}
	if r := guard(l, req.Question, text, seen, req.Options); r.reason != "" {
		return fail(1, r.reason, r.detail)
	}
	p.Status, p.SearchQuery, p.SearchQueries, p.RerankQuery = rag.StatusRewritten, text, []string{text}, text
	p.AddedWords = added(l, req.Question, text)
	return p, nil
}

// errLine ends the generation when the first line is there.
var errLine = errors.New("the line is complete")

// taker collects the text of a rewrite up to the end of its first line. The line
// break and the cap of maxText count only outside think blocks, also where the
// generator leaves those in the text, so a model that always thinks can finish.
type taker struct {
	text   strings.Builder
	inText int  // pieces outside thinking; a piece is a token or more
	done   bool // the line is complete
	long   bool // it never became complete
	call   bool // it is a call of a template, which ends by its own mark
	held   bool // a grammar bounds its length
}

func (t *taker) piece(p inference.Piece) error {
	if p.Reasoning {
		return nil
	}
	t.text.WriteString(p.Text)
	if t.call {
		return nil
	}
	visible, thinking := stripThinking(t.text.String())
	if thinking || visible == "" {
		return nil
	}
	t.inText++
	structured := strings.HasPrefix(visible, "{") || strings.HasPrefix(visible, "```")
	if at := strings.IndexAny(visible, "\n\r"); at >= 0 && !structured {
		t.text.Reset()
		t.text.WriteString(visible[:at])
		t.done = true
		return errLine
	}
	if !t.held && (t.inText > 2*maxText || t.inText > maxText && !structured) {
		t.done, t.long = true, true
		return errLine
	}
	return nil
}

// timeout is the setting, or three times what the measured rates predict for
// the changing part of the prompt and a full line, at least two seconds. The
// constant part is warm: Warm ran when the model was loaded. Without measured
// rates the first rewrite gets twenty seconds.
func timeout(req Request, tools Tools, ask inference.GenerateRequest) time.Duration {
	if req.Options.CondenseTimeout > 0 {
		return req.Options.CondenseTimeout
	}
	info := tools.Condense.Info()
	if info.PrefillPerSecond <= 0 || info.DecodePerSecond <= 0 {
		return 20 * time.Second
	}
	text := ask.Completion
	if len(ask.Messages) > 0 {
		text = ask.Messages[0].Text
	}
	out := maxText
	if info.Thinks {
		out = ask.MaxTokens
	}
	changing := float64(len(text)-ask.StableBytes) / 3
	predicted := changing/info.PrefillPerSecond + float64(out)/info.DecodePerSecond
	return max(2*time.Second, time.Duration(3*predicted*float64(time.Second)))
}

// timedOut and httpStatus look at what a remote generator's errors may tell.
func timedOut(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

func httpStatus(err error) int {
	var s interface{ HTTPStatus() int }
	if errors.As(err, &s) {
		return s.HTTPStatus()
	}
	return 0
}

func classify(err error) (rag.Reason, string) {
	switch {
	case errors.Is(err, inference.ErrContextOverflow):
		return rag.ReasonContextOverflow, "The conversation does not fit the model that rewrites questions."
	case httpStatus(err) >= 400:
		return rag.ReasonHTTPError, fmt.Sprintf("The server of the model answered with status %d.", httpStatus(err))
	case errors.Is(err, inference.ErrBadBody):
		return rag.ReasonBadBody, "The server of the model wrote something that cannot be read."
	case errors.Is(err, inference.ErrMissingField):
		return rag.ReasonMissingField, "The reply of the model's server lacks the text."
	case errors.Is(err, inference.ErrWorkerDied):
		return rag.ReasonCallError, "The model that rewrites questions ended unexpectedly."
	case errors.Is(err, inference.ErrNoModel):
		return rag.ReasonCallError, "No model is loaded that rewrites questions."
	}
	return rag.ReasonCallError, "The model that rewrites questions failed."
}

// failed applies the failure policy. The reason stays whatever is searched.
func failed(req Request, tools Tools, why rag.Prepared) rag.Prepared {
	p := verbatim(req, rag.StatusFailedVerbatim)
	switch req.Options.OnFailure {
	case rag.PolicyStop:
		p.Status = rag.StatusFailedStopped
	case rag.PolicyExpand:
		if e := expanded(req, tools.Corpus); e.Status == rag.StatusExpanded {
			p = e
			p.Status = rag.StatusFailedExpanded
		}
	}
	p.Reason, p.Detail, p.ModelCalls = why.Reason, why.Detail, why.ModelCalls
	return p
}

// compared searches a comparison once for each thing.
func compared(l *language.Language, p rag.Prepared) rag.Prepared {
	if things := Split(l, p.Searched()); len(things) > 0 {
		p.SearchQueries = things
	}
	return p
}
