//go:build models

package turn

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/llama"
)

const starter = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"

// closeStarter ends the model that the tests share; nil: none was loaded.
var closeStarter func() error

func TestMain(m *testing.M) {
	code := m.Run()
	if closeStarter != nil {
		if err := closeStarter(); err != nil {
			fmt.Fprintln(os.Stderr, "closing the starter model:", err)
			code = cmp.Or(code, 1)
		}
	}
	os.Exit(code)
}

// starterModel is the starter on one thread, loaded once for all tests.
var starterModel = sync.OnceValues(func() (inference.Host, error) {
	cache := os.Getenv("REFERENT_CACHE")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, err
		}
		cache = filepath.Join(dir, "referent")
	}
	entry, ok := catalogue.ByFile(starter)
	if !ok {
		return nil, fmt.Errorf("the catalogue has no %s", starter)
	}
	host, err := llama.New(llama.Config{RuntimeDir: filepath.Join(cache, "runtime", "cpu"), Threads: 1})
	if err != nil {
		return nil, err
	}
	closeStarter = host.Close
	spec := inference.LoadSpec{Roles: []inference.Role{inference.RoleAnswer}, Path: filepath.Join(cache, "models", starter), Profile: entry.Profile(), Context: 2048}
	_, err = host.Load(ctx, spec, nil)
	return host, err
})

// real is a desk whose answer model is the starter.
func real(t *testing.T) *desk {
	t.Helper()
	host, err := starterModel()
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, parrot())
	d.deps.Answer = func() (inference.Generator, error) { return host.Generator(inference.RoleAnswer) }
	d.deps.Tokens = func() (inference.Tokenizer, error) { return host.Tokenizer(inference.RoleAnswer) }
	d.rebuild()
	return d
}

// remembers is a model that is asked the same once: then its reply is repeated,
// piece by piece. generate and strict ask the same and differ in what they show.
type remembers struct {
	inference.Generator
	replies map[string]reply
	asked   int // replies that were written
}

type reply struct {
	pieces []inference.Piece
	result inference.GenerateResult
}

func (m *remembers) Generate(ctx context.Context, req inference.GenerateRequest, each func(inference.Piece) error) (inference.GenerateResult, error) {
	key, err := json.Marshal(req)
	if err != nil {
		return inference.GenerateResult{}, err
	}
	if r, ok := m.replies[string(key)]; ok {
		for _, p := range r.pieces {
			if err := each(p); err != nil {
				return inference.GenerateResult{}, err
			}
		}
		return r.result, nil
	}
	var r reply
	r.result, err = m.Generator.Generate(ctx, req, func(p inference.Piece) error {
		r.pieces = append(r.pieces, p)
		return each(p)
	})
	if err == nil {
		m.replies[string(key)] = r
		m.asked++
	}
	return r.result, err
}
