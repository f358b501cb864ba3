package worker

import (
	"testing"

	"referent/inference"
	"referent/inference/fake"
)

// BenchmarkToken is the price of one streamed token: the fake model through the
// pipe, and in this process for comparison.
func BenchmarkToken(b *testing.B) {
	for _, c := range []struct {
		name string
		host func() inference.Host
	}{
		{"worker", func() inference.Host { return newDriver(b, nil).Host }},
		{"in-process", func() inference.Host { return fake.New(fake.Config{Replies: nil}) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			h := c.host()
			if _, err := h.Load(b.Context(), chatSpec(), nil); err != nil {
				b.Fatal(err)
			}
			g, err := h.Generator(inference.RoleAnswer)
			if err != nil {
				b.Fatal(err)
			}
			tokens := 0
			for b.Loop() {
				res, err := g.Generate(b.Context(), inference.GenerateRequest{Completion: "do nothing after 0 times 0"}, func(inference.Piece) error { return nil })
				if err != nil {
					b.Fatal(err)
				}
				tokens += res.CompletionTokens
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(tokens), "µs/token")
		})
	}
}

// BenchmarkFirstToken is one request of one token there and back.
func BenchmarkFirstToken(b *testing.B) {
	d := newDriver(b, nil)
	d.load(chatSpec())
	g, err := d.Generator(inference.RoleAnswer)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := g.Generate(b.Context(), inference.GenerateRequest{Completion: "x", MaxTokens: 1}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStart is from nothing to a worker that answered its first load.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		d := newDriver(b, nil)
		d.load(chatSpec())
		if err := d.Host.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVectors moves 32 vectors of 384 values.
func BenchmarkVectors(b *testing.B) {
	d := newDriver(b, nil)
	d.load(embedSpec())
	e, err := d.Embedder()
	if err != nil {
		b.Fatal(err)
	}
	texts := make([]string, 32)
	for i := range texts {
		texts[i] = story
	}
	for b.Loop() {
		if _, err := e.Embed(b.Context(), inference.KindPassage, texts, inference.PriorityIndexing); err != nil {
			b.Fatal(err)
		}
	}
}
