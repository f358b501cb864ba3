//go:build models

package engine

import (
	"context"
	"os"
	"testing"

	"referent/inference"
)

type tap struct {
	inference.Generator
	t *testing.T
}

func (g tap) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	raw := ""
	res, err := g.Generator.Generate(ctx, req, func(p inference.Piece) error { raw += p.Text; return each(p) })
	g.t.Logf("   raw %q prompt %d cached %d prefill %.0f decode %.0f", raw, res.PromptTokens, res.CachedTokens, res.PrefillPerSecond, res.DecodePerSecond)
	return res, err
}

func TestDbg(t *testing.T) {
	host := loaded(t, "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf")
	model, _ := host.Generator(inference.RoleCondense)
	_ = Warm(ctx, model)
	for _, f := range followUps() {
		if os.Getenv("ALL") == "" && f.kind == "shift" {
			continue
		}
		req := Request{Question: f.question, History: f.history, Options: Defaults()}
		req.Options.CondenseTimeout = 1e12
		p := prepare(t, "condense_context", req, Tools{Condense: tap{model, t}})
		mark := "WRONG"
		if f.right(p.Searched()) {
			mark = "right"
		}
		t.Logf("%s %s %s %q → %q %s", mark, f.kind, p.Status, f.question, p.Searched(), p.Detail)
	}
}
