package llama

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

// embedder turns texts into vectors with whatever model holds the role.
type embedder struct{ host *Host }

// Info returns the model of the role, or a zero value when there is none.
func (m *embedder) Info() inference.ModelInfo { return m.host.infoOf(inference.RoleEmbed) }

// Embed implements inference.Embedder. The device is asked for anew with each
// batch, so a more urgent call waits for one batch at most.
func (m *embedder) Embed(ctx context.Context, kind inference.TextKind, texts []string, priority inference.Priority) ([][]float32, error) {
	e, release, err := m.host.acquire(inference.RoleEmbed)
	if err != nil {
		return nil, err
	}
	defer release()
	leave := e.enter(priority)
	defer leave()

	var pieces [][]llama.Token
	var owner []int // of each piece: the text it belongs to
	for i, text := range texts {
		for _, p := range e.pieces(kind, text) {
			pieces, owner = append(pieces, p), append(owner, i)
		}
	}
	vectors := make([][][]float32, len(texts))
	err = e.sequences(ctx, pieces, priority, func(i int, v []float32) {
		vectors[owner[i]] = append(vectors[owner[i]], unit(v))
	}, e.resident.dimensions)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = mean(vectors[i])
	}
	return out, nil
}

// pieces tokenises a text into inputs that the encoder accepts: one, or as many
// equal ones as are needed, each with the prefix and the start and end tokens.
func (e *evaluator) pieces(kind inference.TextKind, text string) [][]llama.Token {
	v := e.resident.vocabulary
	prefix, body := prepared(e.resident.profile(), kind, text)
	whole := v.encoded(prefix + body)
	switch {
	case len(whole) == 0: // no text, no prefix, no start token
		return [][]llama.Token{{max(v.bos, v.eos, 0)}}
	case len(whole) <= e.longest():
		return [][]llama.Token{whole}
	}
	head, tail := v.frame()
	head = append(head, v.data(prefix)...)
	rest := v.data(body)
	room := max(1, e.longest()-len(head)-len(tail))
	n := (len(rest) + room - 1) / room
	var out [][]llama.Token
	for i := range n {
		part := rest[len(rest)*i/n : len(rest)*(i+1)/n]
		out = append(out, slices.Concat(head, part, tail))
	}
	return out
}

// frame returns the tokens that the vocabulary puts before and after a text.
func (v vocabulary) frame() (head, tail []llama.Token) {
	bare, framed := v.data("a"), v.encoded("a")
	for i := 0; i+len(bare) <= len(framed); i++ {
		if equalTokens(framed[i:i+len(bare)], bare) {
			return slices.Clone(framed[:i]), slices.Clone(framed[i+len(bare):])
		}
	}
	return nil, nil
}

// longest is the largest input of an encoder in tokens: all of it must fit one
// micro-batch, or the library ends the process.
func (e *evaluator) longest() int {
	n := min(e.nBatch, e.nCtx)
	if t := e.resident.contextTrained; t > 0 {
		n = min(n, t)
	}
	return n
}

// sequences evaluates inputs, several in a batch, and gives each one's pooled
// output of n values to got, in order.
func (e *evaluator) sequences(ctx context.Context, inputs [][]llama.Token, p inference.Priority, got func(i int, v []float32), n int) error {
	for start := 0; start < len(inputs); {
		end, total := start, 0
		for end < len(inputs) && end-start < e.nSeq && total+len(inputs[end]) <= e.longest() {
			total += len(inputs[end])
			end++
		}
		if end == start {
			return fmt.Errorf("an input of %d tokens is longer than %d", len(inputs[start]), e.longest())
		}
		var patience time.Duration
		if e.threads > 1 {
			patience = e.reading.patience(total)
		}
		took, err := e.batchOf(ctx, inputs[start:end], p, patience, func(i int, v []float32) { got(start+i, v) }, n)
		switch {
		case errors.Is(err, errTooSlow) && e.slower():
			continue // the same batch again
		case err != nil:
			return err
		case e.reading.observe(total, took):
			e.slower()
		}
		inference.Progress(ctx)
		start = end
	}
	return nil
}

// batchOf is one batch in a turn on the device. took is the time computing.
func (e *evaluator) batchOf(ctx context.Context, inputs [][]llama.Token, p inference.Priority, patience time.Duration, got func(i int, v []float32), n int) (took time.Duration, err error) {
	err = e.onDevice(ctx, p, func() error {
		start := time.Now()
		defer func() { took = time.Since(start) }()
		return e.together(ctx, inputs, patience, got, n)
	})
	return took, err
}

// together is one batch. It needs the device.
func (e *evaluator) together(ctx context.Context, inputs [][]llama.Token, patience time.Duration, got func(i int, v []float32), n int) error {
	e.clear()
	_ = e.batch.Clear()
	for s, tokens := range inputs {
		for pos, t := range tokens {
			if err := e.batch.Add(t, llama.Pos(pos), []llama.SeqId{llama.SeqId(s)}, true); err != nil {
				return fmt.Errorf("batch: %w", err)
			}
		}
	}
	if err := e.decodeBatch(ctx, patience); err != nil {
		return err
	}
	for s := range inputs {
		v, err := llama.GetEmbeddingsSeq(e.ctx, llama.SeqId(s), int32(n))
		if err != nil || v == nil {
			return fmt.Errorf("no pooled output for input %d: %v", s, err)
		}
		got(s, slices.Clone(v))
	}
	e.giveBack()
	return nil
}

// giveBack frees what the library has made for the scores of every word behind
// every token of the batch, and an encoder never writes: 4 bytes times batch
// times vocabulary, 488 MiB for 512 tokens of a multilingual model. It is made
// anew, and filled with zeros, when a batch is larger than all before it. Memory
// that a driver has pinned is left alone.
func (e *evaluator) giveBack() {
	n := int(e.batch.NTokens)
	if !e.host || n <= e.outputs {
		return
	}
	e.outputs = n
	if unused, err := llama.GetLogits(e.ctx, n, e.resident.vocabulary.size); err == nil {
		release(unused)
	}
}
