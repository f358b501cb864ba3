//go:build models

package llama

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
)

// BenchmarkAgainstTheRawLoop compares the host with the shortest loop over the
// same calls: same file, threads, batches and tokens. It reports tokens a
// second of both and the share that the host reaches.
func BenchmarkAgainstTheRawLoop(b *testing.B) {
	const prompt, reply = 512, 64
	h := newHost(b)
	loadFile(b, h, modelFile(smol), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(b, h, inference.RoleAnswer)
	e := h.seats[inference.RoleAnswer]
	text := strings.Repeat("The tide comes in and goes out again. ", 100)
	tokens := e.resident.vocabulary.data(text)[:prompt]
	text = llama.Detokenize(e.resident.vocabulary.handle, tokens, false, false)

	var host, raw struct{ prefill, decode time.Duration }
	var written int
	for b.Loop() {
		e.clear()
		start := processorTime(b)
		var first time.Duration
		result, err := g.Generate(context.Background(), inference.GenerateRequest{Completion: text, MaxTokens: reply}, func(inference.Piece) error {
			if first == 0 {
				first = processorTime(b)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		host.prefill += first - start
		host.decode += processorTime(b) - first
		written = result.CompletionTokens - 1

		e.clear()
		start = processorTime(b)
		if _, err := e.extend(context.Background(), tokens, inference.CacheReuse, inference.PriorityInteractive); err != nil {
			b.Fatal(err)
		}
		logits, _ := e.logits()
		next, _ := argmax(logits)
		raw.prefill += processorTime(b) - start
		start = processorTime(b)
		for i := range written {
			_ = e.batch.Clear()
			_ = e.batch.Add(llama.Token(next), llama.Pos(prompt+i), []llama.SeqId{0}, true)
			if code, err := llama.Decode(e.ctx, e.batch); code != 0 || err != nil {
				b.Fatal(code, err)
			}
			logits, _ = llama.GetLogitsIth(e.ctx, -1, e.resident.vocabulary.size)
			next, _ = argmax(logits)
		}
		raw.decode += processorTime(b) - start
	}
	n := float64(b.N)
	b.ReportMetric(prompt*n/host.prefill.Seconds(), "prefill-tok/s")
	b.ReportMetric(float64(written)*n/host.decode.Seconds(), "decode-tok/s")
	b.ReportMetric(float64(written)*n/raw.decode.Seconds(), "raw-decode-tok/s")
	b.ReportMetric(raw.prefill.Seconds()/host.prefill.Seconds(), "prefill-share")
	b.ReportMetric(raw.decode.Seconds()/host.decode.Seconds(), "decode-share")
}

// BenchmarkSecondTurn reports what a turn costs whose prompt was evaluated
// before, and how many tokens it evaluates.
func BenchmarkSecondTurn(b *testing.B) {
	h := newHost(b)
	loadFile(b, h, modelFile(smol), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(b, h, inference.RoleAnswer)
	text := strings.Repeat("The tide comes in and goes out again. ", 100)
	ask(b, g, inference.GenerateRequest{Completion: text, MaxTokens: 1})
	evaluated := 0
	for i := 0; b.Loop(); i++ {
		r := ask(b, g, inference.GenerateRequest{Completion: text + []string{"When?", "Where?"}[i%2], MaxTokens: 1})
		evaluated += r.PromptTokens - r.CachedTokens
	}
	b.ReportMetric(float64(evaluated)/float64(b.N), "tokens/op")
}

// BenchmarkEmbed reports passages of about 200 tokens a second.
func BenchmarkEmbed(b *testing.B) {
	m := embedderE5(b)
	texts := make([]string, 8)
	for i := range texts {
		texts[i] = strings.Repeat("The board meets in March. ", 33)
	}
	for b.Loop() {
		embed(b, m, inference.KindPassage, texts...)
	}
	b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds(), "texts/s")
}

// BenchmarkAbortFlag compares the two ways to answer the library's question
// whether to stop, as it asks it a thousand times a token.
func BenchmarkAbortFlag(b *testing.B) {
	h := newHost(b)
	loadFile(b, h, modelFile(smol), inference.Profile{}, inference.RoleAnswer)
	for _, way := range []struct {
		name string
		fn   uintptr
	}{{"C", callbacks.abort}, {"Go", abortInGo()}} {
		b.Run(way.name, func(b *testing.B) {
			params := llama.ContextDefaultParams()
			params.NCtx, params.NBatch, params.NThreads, params.NThreadsBatch = 512, 64, 1, 1
			flag := newAbortFlag()
			params.AbortCallback, params.AbortCallbackData = way.fn, flag.address()
			ctx, err := llama.InitFromModel(h.seats[inference.RoleAnswer].resident.model, params)
			if err != nil {
				b.Fatal(err)
			}
			defer llama.Free(ctx)
			memory, _ := llama.GetMemory(ctx)
			before := processorTime(b)
			for b.Loop() {
				_ = llama.MemoryClear(memory, false)
				if code, err := llama.Decode(ctx, llama.BatchGetOne([]llama.Token{5})); code != 0 || err != nil {
					b.Fatal(code, err)
				}
			}
			b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "cpu-us/op")
			_ = flag.word.Load() // alive until here
		})
	}
}

// processorTime is what this process has used of the processors so far.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
