//go:build models

package llama

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"referent/inference"
	"referent/inference/dryrun"
	"referent/inference/gguf/toy"
	"referent/inference/process"
	"referent/inference/selftest"
)

func TestMain(m *testing.M) {
	process.TestMain(closing{m}, map[string]func() int{offloadRole: offloadChild, sizesRole: sizesChild, besideRole: besideChild, dryrun.Role: DryRun, selftest.Role: SelfTest})
}

// closing runs the tests and closes what they shared.
type closing struct{ m *testing.M }

func (c closing) Run() int {
	code := c.m.Run()
	if h := openE5.Load(); h != nil {
		if err := h.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return code
}

// Files of the cache folder.
const (
	smol = "smollm2-135m-instruct-q4_1.gguf"
	e5   = "multilingual-e5-small-q4_0.gguf"
)

// e5Profile is how the starter embedder wants its texts.
var e5Profile = inference.Profile{
	QueryPrefix: "query: ", PassagePrefix: "passage: ", Pooling: "mean", Normalize: inference.NormalizeNFKC,
}

func cacheDir() string {
	if dir := os.Getenv("REFERENT_CACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "referent")
}

func modelFile(name string) string  { return filepath.Join(cacheDir(), "models", name) }
func runtimeDir(name string) string { return filepath.Join(cacheDir(), "runtime", name) }

// newHost starts a host with one thread that ends with the test.
func newHost(t testing.TB) *Host {
	t.Helper()
	h, err := New(Config{RuntimeDir: runtimeDir("cpu"), Threads: 1})
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

func loadFile(t testing.TB, h *Host, path string, profile inference.Profile, roles ...inference.Role) inference.ModelInfo {
	t.Helper()
	info, err := h.Load(context.Background(), inference.LoadSpec{Roles: roles, Path: path, Profile: profile}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// toyChat writes a model that says a text whatever it is asked.
func toyChat(t testing.TB, c toy.Chat) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chat.gguf")
	if _, err := c.Write(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func generatorOf(t testing.TB, h *Host, role inference.Role) inference.Generator {
	t.Helper()
	g, err := h.Generator(role)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func ask(t testing.TB, g inference.Generator, req inference.GenerateRequest) inference.GenerateResult {
	t.Helper()
	result, err := g.Generate(context.Background(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func user(text string) []inference.Message { return []inference.Message{{Role: "user", Text: text}} }
