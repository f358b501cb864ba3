package llama

import (
	"context"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

const (
	paceTokens = 8               // of the trial prompt
	paceLimit  = 2 * time.Second // for one trial
	// retryAfter is how long a lowered number of threads stays before the full
	// number is tried again: what kept the cores busy may be over.
	retryAfter = time.Minute
)

// pace is what a trial measured, in tokens a second; 0: it did not finish.
type pace struct{ reading, writing float64 }

// settle chooses between the wanted number of threads and one, by trying both.
// On a machine whose cores are taken, the wanted number can be a hundred times
// slower, and without a trial there is nothing to compare a first answer with.
func (e *evaluator) settle(ctx context.Context) {
	if e.wanted <= 1 {
		return
	}
	keep := len(e.cached)
	e.useThreads(e.wanted)
	many := e.try(ctx)
	e.useThreads(1)
	one := e.try(ctx)
	best := one
	if many.writing >= one.writing && many.reading > 0 {
		best = many
		e.useThreads(e.wanted)
	}
	e.reading, e.writing = watchdog{good: best.reading}, watchdog{good: best.writing}
	e.settled = time.Now()
	if !e.encoder() {
		e.cutTo(ctx, keep, inference.PriorityInteractive)
	}
}

// likewise takes over what another evaluator of the same model found out.
func (e *evaluator) likewise(o *evaluator) {
	e.useThreads(o.threads)
	e.reading, e.writing, e.settled = o.reading, o.writing, o.settled
}

// try evaluates a short prompt and two tokens, after one that pays for what is
// done only once.
func (e *evaluator) try(ctx context.Context) (p pace) {
	ctx, cancel := context.WithTimeout(ctx, paceLimit)
	defer cancel()
	token := max(e.resident.vocabulary.bos, 0)
	measure := func(n int) (took time.Duration, err error) {
		tokens := make([]llama.Token, n)
		for i := range tokens {
			tokens[i] = token
		}
		if !e.encoder() {
			return e.step(ctx, tokens, true, inference.PriorityInteractive, 0)
		}
		return e.batchOf(ctx, [][]llama.Token{tokens}, inference.PriorityInteractive, 0, func(int, []float32) {}, 1)
	}
	if _, err := measure(1); err != nil {
		return p
	}
	took, err := measure(paceTokens)
	if err != nil || took <= 0 {
		return p
	}
	p.reading = paceTokens / took.Seconds()
	var sum time.Duration
	for range 2 {
		took, err := measure(1)
		if err != nil {
			return p
		}
		sum += took
	}
	if sum > 0 {
		p.writing = 2 / sum.Seconds()
	}
	return p
}

// slower halves the threads. It says false where there is nothing to halve.
func (e *evaluator) slower() bool {
	if e.threads <= 1 {
		return false
	}
	e.useThreads(max(1, e.threads/2))
	e.reading, e.writing = watchdog{}, watchdog{}
	e.settled = time.Now()
	return true
}

// recover tries the wanted number of threads again, some time after it was
// lowered.
func (e *evaluator) recover(ctx context.Context) {
	if e.threads < e.wanted && time.Since(e.settled) > retryAfter {
		e.settle(ctx)
	}
}
