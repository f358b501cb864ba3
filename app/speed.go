package app

import (
	"context"
	"fmt"
	"sync"
	"time"

	"referent/inference"
	"referent/inference/gguf"
	"referent/inference/offload"
	"referent/rag"
)

// Speed is what one short reply of a model has measured.
type Speed struct {
	Role   string  `json:"role"`
	Tokens int     `json:"tokens"`  // that were written
	Decode float64 `json:"decode"`  // tokens a second
	Prompt float64 `json:"prefill"` // tokens of the prompt a second; 0: too few to measure
	// Reached and Memory are bytes a second: what the weights of every written
	// token make, and what the processor reads from main memory when it does
	// nothing else. Both are 0 where they tell nothing: on a graphics processor,
	// for a server, and for a model that reads only a part of itself.
	Reached float64 `json:"reached"`
	Memory  float64 `json:"memory"`
}

// speedTokens is long enough to measure and short enough to wait for.
const speedTokens = 48

// speedPrompt has no document in it: nothing of the library is sent anywhere.
const speedPrompt = "Write one long sentence about the weather in each of the four seasons, beginning with spring, and do not stop early."

// TestModel implements UseCases.
func (a *App) TestModel(ctx context.Context, role string) (Speed, error) {
	r := inference.Role(role)
	if r != inference.RoleAnswer && r != inference.RoleCondense {
		return Speed{}, &rag.Error{Code: rag.CodeNotAvailable, Message: "Only models that write are tested.", Hint: "Test the role answer or condense."}
	}
	a.titles.end()
	defer a.line.person()()
	if err := a.roles.ensure(ctx, r); err != nil {
		return Speed{}, err
	}
	model, err := a.host.Generator(r)
	if err != nil {
		return Speed{}, modelError(err)
	}
	out, err := model.Generate(ctx, inference.GenerateRequest{Messages: []inference.Message{{Role: "user", Text: speedPrompt}},
		MaxTokens: speedTokens, Seed: 1, Priority: inference.PriorityInteractive}, nil)
	if err != nil {
		return Speed{}, modelError(err)
	}
	s := Speed{Role: role, Tokens: out.CompletionTokens, Decode: out.DecodePerSecond, Prompt: out.PrefillPerSecond}
	info := model.Info()
	if weights := readPerToken(info); weights > 0 && s.Decode > 0 {
		s.Reached, s.Memory = s.Decode*float64(weights), memoryBandwidth(max(1, out.Threads))
	}
	a.mu.Lock()
	a.rate = s.Decode
	a.mu.Unlock()
	a.changed()
	return s, nil
}

// readPerToken is how many bytes of weights the processor reads for each token
// that it writes: the layers and the output. 0: not known.
func readPerToken(i inference.ModelInfo) int64 {
	if i.GPULayers > 0 || remoteAddress(i.Path) {
		return 0
	}
	header, err := headerOf(i.Path)
	if err != nil || hasExperts(header) {
		return 0
	}
	m := offload.Measure(header)
	return m.WeightBytes(m.Layers())
}

// hasExperts tells of a model that reads some of its weights for a token, others
// for the next.
func hasExperts(f *gguf.File) bool {
	n, ok := f.Value(f.Architecture() + ".expert_count").(uint32)
	return ok && n > 0
}

const (
	// bandwidthBytes is far above what a processor caches.
	bandwidthBytes = 192 << 20
	bandwidthRuns  = 3
)

// memoryBandwidth reads main memory with as many threads as a model uses and
// returns the best of a few runs, in bytes a second.
func memoryBandwidth(threads int) float64 {
	words := make([]uint64, bandwidthBytes/8)
	for i := range words {
		words[i] = uint64(i) // so that every page is there
	}
	best := 0.0
	for range bandwidthRuns {
		began := time.Now()
		var wait sync.WaitGroup
		for t := range threads {
			part := words[len(words)/threads*t : len(words)/threads*(t+1)]
			wait.Go(func() { sink(sum(part)) })
		}
		wait.Wait()
		best = max(best, bandwidthBytes/time.Since(began).Seconds())
	}
	return best
}

// sum reads eight words at a time, so that the reading and not the adding is
// what takes the time.
func sum(words []uint64) uint64 {
	var a, b, c, d uint64
	for ; len(words) >= 8; words = words[8:] {
		w := words[:8:8]
		a, b, c, d = a+w[0]+w[4], b+w[1]+w[5], c+w[2]+w[6], d+w[3]+w[7]
	}
	return a + b + c + d
}

// sink keeps the compiler from leaving out a sum that nobody needs.
func sink(v uint64) {
	if v == 1 {
		_ = fmt.Sprint(v)
	}
}
