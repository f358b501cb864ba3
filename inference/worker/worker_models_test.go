//go:build models

package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/conformance"
)

// TestConformanceOnRealModels is the suite with a real chat model. What is known
// in advance, the encoders and the many loads are tried with generated ones below;
// the real embedder in a worker is that of TestAKilledWorkerEmbedsAgain.
func TestConformanceOnRealModels(t *testing.T) {
	models, err := conformance.Toys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	models.Scripted, models.References, models.Cycles = nil, conformance.References{}, 1
	_, models.Chat = realChat()
	conformance.Run(t, func(t *testing.T) inference.Host { return newRealDriver(t).Host }, models)
}

// TestConformanceOnASoftwareGPU is the whole suite with some layers of each
// model on the software device of Vulkan, and makes sure that they are there.
// What a generated model writes is the same as on the processor, and its vectors
// are near the reference. The device takes seconds for a long prompt in each
// layer, so only the replies that are known in advance have more than one there.
// It also takes a minute to make each of its programs: those that an encoder
// needs for a long batch are left out, and the embedder is on the device for the
// reference vectors only.
func TestConformanceOnASoftwareGPU(t *testing.T) {
	models, err := conformance.Toys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	models.Chat.Context = 512
	models.Chat.GPULayers, models.Rerank.GPULayers = 1, 1
	models.References.Spec.GPULayers = 2
	models.Device = "Vulkan0"
	for i := range models.Scripted {
		models.Scripted[i].Spec.GPULayers = 3
	}
	conformance.Run(t, func(t *testing.T) inference.Host { return newGPUDriver(t).Host }, models)
}

// TestConformanceOnGeneratedModels is the whole suite on models that exist for
// it, fifty loads included.
func TestConformanceOnGeneratedModels(t *testing.T) {
	models, err := conformance.Toys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	models.Cycles = 50
	conformance.Run(t, func(t *testing.T) inference.Host { return newRealDriver(t).Host }, models)
}

// newGPUDriver runs on the software device, with one thread: it would take all
// processors for itself.
func newGPUDriver(t testing.TB) *driver {
	return newDriver(t, func(c *Config) {
		c.RuntimeDir, c.Threads = filepath.Join(cacheFolder(), "runtime", "vulkan"), 1
		c.Env = append(c.Env, startVariable+"=real", "GGML_VK_VISIBLE_DEVICES=0")
	})
}

func TestAKilledWorkerGoesOnWithTheSameAnswer(t *testing.T) {
	d := newRealDriver(t)
	_, chat := realChat()
	d.load(chat, realEmbed())
	g, err := d.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	req := inference.GenerateRequest{MaxTokens: 30, Messages: []inference.Message{{Role: "user", Text: "Write a story about a lighthouse keeper and his dog."}}}
	pieces := 0
	var streamed, before strings.Builder
	res, err := g.Generate(d.ctx, req, func(p inference.Piece) error {
		streamed.WriteString(p.Text)
		if pieces++; pieces == 5 {
			before.WriteString(streamed.String())
			d.kill()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !res.Continued || res.Text != streamed.String() || !strings.HasPrefix(res.Text, before.String()) || len(res.Text) <= before.Len() {
		t.Errorf("continued %v; %q, streamed %q, before the kill %q", res.Continued, res.Text, streamed.String(), before.String())
	}
	if res.CompletionTokens > 30 {
		t.Errorf("%d tokens over the limit of 30", res.CompletionTokens)
	}
	expectEvents(t, d, EventDied, EventRestarted)
	next, err := g.Generate(d.ctx, req, nil)
	if err != nil || next.Continued || next.Text == "" {
		t.Errorf("the next call gave %q, continued %v, %v", next.Text, next.Continued, err)
	}
	e, err := d.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	if v, err := e.Embed(d.ctx, inference.KindQuery, []string{"lighthouse"}, inference.PriorityInteractive); err != nil || len(v) != 1 {
		t.Errorf("the embedder did not come back: %v", err)
	}
}

func TestAKilledWorkerEmbedsAgain(t *testing.T) {
	d := newRealDriver(t)
	d.load(realEmbed())
	e, err := d.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 10)
	for i := range texts {
		texts[i] = strings.Repeat("The keeper of the lighthouse writes down the weather. ", 8)
	}
	killed, last := 0, 0
	// The worker is tried once more, and texts for an index put no model aside.
	_, err = e.Embed(inference.WithProgress(d.ctx, func() {
		if now := d.PID(); killed < 2 && now != last { // not once more for what a killed one has left
			killed, last = killed+1, now
			d.kill()
		}
	}), inference.KindPassage, texts, inference.PriorityIndexing)
	if !errors.Is(err, inference.ErrWorkerDied) || errors.Is(err, inference.ErrParked) || killed != 2 {
		t.Errorf("killed %d times: %v", killed, err)
	}
	if v, err := e.Embed(d.ctx, inference.KindPassage, texts[:4], inference.PriorityIndexing); err != nil || len(v) != 4 {
		t.Errorf("after that: %d vectors, %v", len(v), err)
	}
}

func TestARealWorkerEndsWithItsParent(t *testing.T) {
	endParent(t, startVariable+"=real")
}

func TestAModelFileThatIsNone(t *testing.T) {
	d := newRealDriver(t)
	_, spec := realChat()
	spec.Path = filepath.Join(t.TempDir(), "broken.gguf")
	if err := os.WriteFile(spec.Path, []byte("GGUF but not really"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := d.Load(d.ctx, spec, nil)
	if !errors.Is(err, inference.ErrModelFile) {
		t.Errorf("got %v, want ErrModelFile", err)
	}
	if len(d.kinds()) != 0 {
		t.Errorf("the worker died of it: %s", d.told())
	}
}

// BenchmarkRealToken writes 64 tokens in this process and through the worker.
func BenchmarkRealToken(b *testing.B) {
	cfg, spec := realChat()
	for _, c := range []struct {
		name string
		host func() (inference.Host, error)
	}{
		{"in-process", func() (inference.Host, error) { return realHost(cfg) }},
		{"worker", func() (inference.Host, error) { return newRealDriver(b).Host, nil }},
	} {
		b.Run(c.name, func(b *testing.B) {
			h, err := c.host()
			if err != nil {
				b.Fatal(err)
			}
			defer h.Close()
			if _, err := h.Load(b.Context(), spec, nil); err != nil {
				b.Fatal(err)
			}
			g, err := h.Generator(inference.RoleAnswer)
			if err != nil {
				b.Fatal(err)
			}
			tokens := 0
			for b.Loop() {
				res, err := g.Generate(b.Context(), inference.GenerateRequest{Completion: "Once upon a time there was a lighthouse keeper who", MaxTokens: 64}, nil)
				if err != nil {
					b.Fatal(err)
				}
				tokens += res.CompletionTokens
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(tokens), "µs/token")
		})
	}
}

// BenchmarkRealStart is from nothing to a worker that has the libraries in
// memory: the load of a missing file is refused by it.
func BenchmarkRealStart(b *testing.B) {
	for b.Loop() {
		d := newRealDriver(b)
		give, err := d.take(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := d.live(b.Context()); err != nil {
			b.Fatal(err)
		}
		give()
		if err := d.Host.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
