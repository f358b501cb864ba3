//go:build models

package toy_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/gguf/toy"
	"referent/inference/llama"
)

// host loads the real library once for this package.
func host(t *testing.T) *llama.Host {
	t.Helper()
	cache := os.Getenv("REFERENT_CACHE")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(dir, "referent")
	}
	h, err := llama.New(llama.Config{RuntimeDir: filepath.Join(cache, "runtime", "cpu"), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func load(t *testing.T, h *llama.Host, role inference.Role, write func(string) (string, error)) inference.ModelInfo {
	t.Helper()
	path := filepath.Join(t.TempDir(), "toy.gguf")
	hash, err := write(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := h.Load(context.Background(), inference.LoadSpec{Roles: []inference.Role{role}, Path: path, Hash: hash, Context: 512, Threads: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestChatWritesItsText(t *testing.T) {
	h := host(t)
	const answer = "The notice period is three months, and the deposit is two months' rent [1]."
	for _, kind := range []toy.Kind{toy.Full, toy.Sliding, toy.Hybrid} {
		load(t, h, inference.RoleAnswer, toy.Chat{Text: answer, Kind: kind}.Write)
		g, err := h.Generator(inference.RoleAnswer)
		if err != nil {
			t.Fatal(err)
		}
		for name, req := range map[string]inference.GenerateRequest{
			"chat":       {Messages: []inference.Message{{Role: "user", Text: "How long is the notice period?"}}, MaxTokens: 64},
			"completion": {Completion: "Question: how long?\nAnswer:", MaxTokens: 64},
		} {
			got, err := g.Generate(context.Background(), req, nil)
			if err != nil || got.Text != answer || got.Stop != inference.StopEnd {
				t.Errorf("%s %s: %q, stopped by %s, %v", kind, name, got.Text, got.Stop, err)
			}
		}
	}
}

func TestChatSplitsCharactersAndThinks(t *testing.T) {
	h := host(t)
	pieces := []string{"<think>", "Let me", " look.", "</think>", "It is "}
	pieces = append(append(pieces, toy.SingleBytes("你")...), " fine.")
	load(t, h, inference.RoleAnswer, toy.Chat{Pieces: pieces}.Write)
	g, err := h.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	req := inference.GenerateRequest{Messages: []inference.Message{{Role: "user", Text: "Well?"}}, MaxTokens: 64, Think: true}
	got, err := g.Generate(context.Background(), req, func(p inference.Piece) error {
		if strings.ContainsRune(p.Text, '\uFFFD') {
			t.Errorf("a character was split: %q", p.Text)
		}
		return nil
	})
	if err != nil || got.Text != "It is 你 fine." || strings.TrimSpace(got.Reasoning) != "Let me look." {
		t.Errorf("text %q, reasoning %q, %v", got.Text, got.Reasoning, err)
	}
}

func TestEmbedderSeesSharedWords(t *testing.T) {
	h := host(t)
	words := strings.Fields("notice period tenant deposit rent heating boiler price")
	info := load(t, h, inference.RoleEmbed, toy.Embedder{Words: words}.Write)
	if info.Dimensions != 64 {
		t.Errorf("%d dimensions", info.Dimensions)
	}
	e, err := h.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"notice period tenant", "the notice period for a tenant", "boiler heating price"}
	v, err := e.Embed(context.Background(), inference.KindPassage, texts, inference.PriorityInteractive)
	if err != nil {
		t.Fatal(err)
	}
	if near, far := dot(v[0], v[1]), dot(v[0], v[2]); near < far+0.2 {
		t.Errorf("shared words %.2f, other words %.2f", near, far)
	}
}

func TestRerankerLikesItsWords(t *testing.T) {
	h := host(t)
	load(t, h, inference.RoleRerank, toy.Reranker{Likes: []string{"deposit"}, Knows: []string{"boiler", "the", "is", "due", "old"}}.Write)
	r, err := h.Reranker()
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Rerank(context.Background(), "when is it due", []string{"the boiler is old", "the deposit is due"})
	if err != nil || s[1] <= s[0]+0.1 {
		t.Errorf("scores %v, %v", s, err)
	}
}

func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
