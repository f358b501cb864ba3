package llama

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

// evaluator is one context of a model. Evaluations change its state, so a call
// holds its turn from the first to the last: chat evaluators for a whole
// reply, encoders for one batch.
type evaluator struct {
	resident *resident
	role     inference.Role
	ctx      llama.Context
	memory   memory
	batch    llama.Batch
	abort    abortFlag
	gates    []*turnstile // of the devices it computes on, always in the same order
	turn     turnstile    // of the evaluator itself
	nCtx     int
	nBatch   int
	nSeq     int
	bytes    int64                    // what the context takes in memory
	host     bool                     // everything of it lies in main memory
	outputs  int                      // tokens of the largest batch of an encoder so far
	pools    map[int]llama.Threadpool // by number of threads
	threads  int
	wanted   int // threads, when nothing is in the way
	settled  time.Time
	reading  watchdog // over prompts and encoder batches
	writing  watchdog // over single tokens

	cached    []llama.Token // tokens whose state is in memory, position by position
	canonical int           // of cached: evaluated from zero in the batches of a fixed cut
	kept      []checkpoint  // of cached, shortest first

	users   int  // guarded by Host.mu
	retired bool // guarded by Host.mu
	freed   chan struct{}
}

// free gives the memory of the context back. Nobody may use it any more.
func (e *evaluator) free() {
	if e.ctx == 0 {
		return
	}
	llama.DetachThreadpool(e.ctx)
	_ = llama.BatchFree(e.batch)
	_ = llama.Free(e.ctx)
	for _, pool := range e.pools {
		llama.ThreadpoolFree(pool)
	}
	e.ctx, e.pools = 0, nil
}

// useThreads gives the context a pool of its own with n threads. Without one
// the library makes new threads for every graph. A pool that is not used any
// more must live as long as the context: the next evaluation still puts the
// one before it to sleep, and would wait for ever on a lock that was freed.
func (e *evaluator) useThreads(n int) {
	pool, ok := e.pools[n]
	if !ok {
		params := llama.ThreadpoolParamsDefault(int32(n))
		if made, err := llama.ThreadpoolNew(&params); err == nil {
			if e.pools == nil {
				e.pools = map[int]llama.Threadpool{}
			}
			e.pools[n], pool = made, made
		}
	}
	llama.SetNThreads(e.ctx, int32(n), int32(n))
	if pool != 0 {
		llama.AttachThreadpool(e.ctx, uintptr(pool), uintptr(pool))
	} else {
		llama.DetachThreadpool(e.ctx)
	}
	if n != e.threads {
		e.threads, e.canonical = n, 0
	}
}

// encoder says whether the evaluator makes vectors or scores.
func (e *evaluator) encoder() bool {
	return e.role == inference.RoleEmbed || e.role == inference.RoleRerank
}

// enter announces work of the given urgency on all devices.
func (e *evaluator) enter(p inference.Priority) (leave func()) {
	leaves := make([]func(), len(e.gates))
	for i, g := range e.gates {
		leaves[i] = g.enter(p)
	}
	return func() {
		for _, l := range leaves {
			l()
		}
	}
}

// onDevice runs fn in a turn on every device of the evaluator.
func (e *evaluator) onDevice(ctx context.Context, p inference.Priority, fn func() error) error {
	for i, g := range e.gates {
		if err := g.pass(ctx, p); err != nil {
			for _, held := range e.gates[:i] {
				held.done()
			}
			return err
		}
	}
	defer func() {
		for _, g := range e.gates {
			g.done()
		}
	}()
	return fn()
}

// errTooSlow ends a decode call that took far longer than it should.
var errTooSlow = errors.New("the rate has collapsed")

// decodeBatch computes what is in the batch. ctx stops it within an operation
// on the processor and within a micro-batch on a GPU; so does patience, if it
// is not 0, with errTooSlow.
func (e *evaluator) decodeBatch(ctx context.Context, patience time.Duration) error {
	limited, cancel := ctx, func() {}
	if patience > 0 {
		limited, cancel = context.WithTimeout(ctx, patience)
	}
	defer cancel()
	stop := e.abort.follow(limited)
	code, err := llama.Decode(e.ctx, e.batch)
	stop()
	switch {
	case err != nil:
		return fmt.Errorf("decode: %w", err)
	case code == 0:
		return nil
	case code == 1:
		return failf(inference.ErrContextOverflow, nil, "The text does not fit the context of the model.")
	case code == 2 && ctx.Err() != nil:
		return ctx.Err()
	case code == 2 && limited.Err() != nil:
		return errTooSlow
	}
	return fmt.Errorf("decode: code %d", code)
}

// extend evaluates tokens behind what is cached, in batches of at most nBatch.
// The logits of the last one are ready afterwards. After an error the cache
// holds what was finished. took is the time spent computing. Where the rate
// collapses it goes on with fewer threads, but not within a fixed cut.
func (e *evaluator) extend(ctx context.Context, tokens []llama.Token, policy inference.CachePolicy, p inference.Priority) (took time.Duration, err error) {
	end := len(e.cached) + len(tokens)
	for len(e.cached) < end {
		rest := tokens[len(tokens)-(end-len(e.cached)):]
		n := min(len(rest), e.nBatch)
		var patience time.Duration
		if policy != inference.CacheFixedCut && e.threads > 1 {
			patience = e.reading.patience(n)
		}
		start := len(e.cached)
		spent, err := e.step(ctx, rest[:n], n == len(rest), p, patience)
		took += spent
		switch {
		case errors.Is(err, errTooSlow) && e.slower() && len(e.cached) >= start:
		case err != nil:
			return took, err
		case policy != inference.CacheFixedCut && e.reading.observe(n, spent):
			e.slower()
		}
		inference.Progress(ctx)
	}
	return took, nil
}

// step is one decode call.
func (e *evaluator) step(ctx context.Context, tokens []llama.Token, logits bool, p inference.Priority, patience time.Duration) (took time.Duration, err error) {
	if len(e.cached)+len(tokens) > e.nCtx {
		return 0, failf(inference.ErrContextOverflow, nil, "The text does not fit the context of the model (%d tokens).", e.nCtx)
	}
	_ = e.batch.Clear()
	for i, t := range tokens {
		if err := e.batch.Add(t, llama.Pos(len(e.cached)+i), []llama.SeqId{0}, logits && i == len(tokens)-1); err != nil {
			return 0, fmt.Errorf("batch: %w", err)
		}
	}
	if e.memory.sticks() {
		patience = 0 // what was given up could not be made again from where it began
	}
	err = e.onDevice(ctx, p, func() error {
		start := time.Now()
		defer func() { took = time.Since(start) }()
		return e.decodeBatch(ctx, patience)
	})
	if err != nil {
		e.recount(tokens)
		return took, err
	}
	e.cached = append(e.cached, tokens...)
	return took, nil
}

// logits returns the scores of the next token, one a vocabulary entry. They
// are the library's memory and change with the next step.
func (e *evaluator) logits() ([]float32, error) {
	l, err := llama.GetLogitsIth(e.ctx, -1, e.resident.vocabulary.size)
	if err == nil && l == nil {
		err = fmt.Errorf("no logits")
	}
	return l, err
}
