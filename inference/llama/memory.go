package llama

import (
	"context"
	"fmt"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

// memory is the attention cache of a context, or the state of a recurrent
// model.
type memory struct {
	handle llama.Memory // 0: the model has none (encoders)
	// reach is how many of the last positions the next token is computed from,
	// and which must be there: all of them (0), the window of layers whose cache
	// holds no more, or the one state of a recurrent layer.
	reach int
}

// memoryOf looks at what a context remembers with. full says that layers with a
// sliding window keep everything all the same.
func memoryOf(ctx llama.Context, model llama.Model, full bool) memory {
	m := memory{}
	m.handle, _ = llama.GetMemory(ctx)
	switch window := int(llama.ModelNSWA(model)); {
	case llama.ModelIsRecurrent(model), llama.ModelIsHybrid(model):
		m.reach = 1
	case window > 0 && !full:
		m.reach = window
	}
	return m
}

// sticks says that the memory cannot be cut at any position.
func (m memory) sticks() bool { return m.reach > 0 }

// holds says whether the memory has what the token at position n is computed
// from, and nothing behind it.
func (m memory) holds(n int) bool {
	first, err1 := llama.MemorySeqPosMin(m.handle, 0)
	last, err2 := llama.MemorySeqPosMax(m.handle, 0)
	needed := 0
	if m.reach > 0 {
		needed = max(0, n-m.reach)
	}
	return err1 == nil && err2 == nil && first >= 0 && int(first) <= needed && int(last) == n-1
}

// remove forgets everything from position n on. A sliding window or a recurrent
// state may claim success and compute wrong values from then on, so the
// positions decide.
func (m memory) remove(n int) bool {
	ok, err := llama.MemorySeqRm(m.handle, 0, llama.Pos(n), -1)
	return err == nil && ok && m.holds(n)
}

// checkpoint is the state of a memory that cannot be cut, at a position. Layers
// that keep everything are not in it: they are cut.
type checkpoint struct {
	tokens int
	state  []byte
}

// Checkpoints of a context: a conversation goes back to its newest, a new one to
// the oldest, which is the system prompt.
const (
	mostCheckpoints     = 8
	mostCheckpointBytes = 256 << 20
	partOfState         = 1 // LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY
)

// keep remembers the state behind what is cached now.
func (e *evaluator) keep(ctx context.Context, p inference.Priority) error {
	at := len(e.cached)
	if n := len(e.kept); n > 0 && e.kept[n-1].tokens >= at {
		return nil
	}
	return e.onDevice(ctx, p, func() error {
		state := make([]byte, llama.StateSeqGetSizeExt(e.ctx, 0, partOfState))
		if n := llama.StateSeqGetDataExt(e.ctx, state, 0, partOfState); n == 0 || n > uint64(len(state)) {
			return fmt.Errorf("the state of %d tokens cannot be read", at)
		}
		e.kept = append(e.kept, checkpoint{at, state})
		for sum := e.keptBytes(); len(e.kept) > 2 && (len(e.kept) > mostCheckpoints || sum > mostCheckpointBytes); {
			sum -= len(e.kept[1].state)
			e.kept = append(e.kept[:1], e.kept[2:]...)
		}
		return nil
	})
}

func (e *evaluator) keptBytes() (sum int) {
	for _, c := range e.kept {
		sum += len(c.state)
	}
	return sum
}

// cutTo forgets everything from position n on and returns what is left: n, or
// the nearest checkpoint before it where the memory cannot be cut, or 0.
func (e *evaluator) cutTo(ctx context.Context, n int, p inference.Priority) int {
	switch {
	case n <= 0:
		e.clear()
		return 0
	case n >= len(e.cached) && e.memory.holds(n), e.memory.remove(n):
		e.shorten(n)
		return n
	}
	for i := len(e.kept) - 1; i >= 0; i-- {
		if c := e.kept[i]; c.tokens <= n && e.restore(ctx, c, p) {
			e.shorten(c.tokens)
			return c.tokens
		}
	}
	e.clear()
	return 0
}

// restore puts a checkpoint back. The positions tell whether it took.
func (e *evaluator) restore(ctx context.Context, c checkpoint, p inference.Priority) bool {
	err := e.onDevice(ctx, p, func() error {
		if n := llama.StateSeqSetDataExt(e.ctx, c.state, 0, partOfState); n == 0 || !e.memory.remove(c.tokens) {
			return fmt.Errorf("the state of %d tokens cannot be put back", c.tokens)
		}
		return nil
	})
	return err == nil
}

// shorten makes the books agree with a memory that holds n tokens.
func (e *evaluator) shorten(n int) {
	e.cached = e.cached[:n]
	e.canonical = min(e.canonical, n)
	for len(e.kept) > 0 && e.kept[len(e.kept)-1].tokens > n {
		e.kept = e.kept[:len(e.kept)-1]
	}
}

// recount learns from the positions how much of an interrupted call was kept:
// micro-batches that were finished stay. The state of a recurrent model is
// neither what it was before the call nor what it would be after it.
func (e *evaluator) recount(tokens []llama.Token) {
	last, err := llama.MemorySeqPosMax(e.memory.handle, 0)
	kept := int(last) + 1 - len(e.cached)
	if err != nil || kept < 0 || kept > len(tokens) || e.memory.reach == 1 {
		e.clear()
		return
	}
	e.cached = append(e.cached, tokens[:kept]...)
}

// clear forgets everything.
func (e *evaluator) clear() {
	if e.memory.handle != 0 {
		_ = llama.MemoryClear(e.memory.handle, false)
	}
	e.cached, e.canonical, e.kept = e.cached[:0], 0, nil
}
