//go:build models || gpu

package worker

import (
	"os"
	"path/filepath"
	"testing"

	"referent/inference"
	"referent/inference/llama"
)

// realRole is the model role on the real libraries.
func realRole() int { return Role(realHost)() }

func realHost(c Config) (inference.Host, error) {
	h, err := llama.New(llama.Config{RuntimeDir: c.RuntimeDir, Threads: c.Threads})
	if err != nil {
		return nil, err
	}
	return h, nil
}

func cacheFolder() string {
	if dir := os.Getenv("REFERENT_CACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "referent")
}

// realChat is the small chat model, on one thread of the processor.
func realChat() (Config, inference.LoadSpec) {
	cfg := Config{RuntimeDir: filepath.Join(cacheFolder(), "runtime", "cpu"), Threads: 1, Env: []string{startVariable + "=real"}}
	return cfg, inference.LoadSpec{
		Roles: []inference.Role{inference.RoleAnswer, inference.RoleCondense}, Context: 1024,
		Path:    filepath.Join(cacheFolder(), "models", "smollm2-135m-instruct-q4_1.gguf"),
		Profile: inference.Profile{ID: "smollm2", Name: "SmolLM2"},
	}
}

func realEmbed() inference.LoadSpec {
	return inference.LoadSpec{
		Roles: []inference.Role{inference.RoleEmbed}, Path: filepath.Join(cacheFolder(), "models", "multilingual-e5-small-q4_0.gguf"),
		Profile: inference.Profile{ID: "e5", Name: "E5", QueryPrefix: "query: ", PassagePrefix: "passage: ", Pooling: "mean", Normalize: inference.NormalizeNFKC},
	}
}

// newRealDriver is a driver whose worker runs the real libraries.
func newRealDriver(t testing.TB) *driver {
	t.Helper()
	return newDriver(t, func(c *Config) {
		real, _ := realChat()
		c.RuntimeDir, c.Threads, c.Env = real.RuntimeDir, real.Threads, append(c.Env, real.Env...)
	})
}
