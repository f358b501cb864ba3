//go:build models

package llama

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
	"referent/inference/gguf/toy"
)

// Each of these inputs ends a process that hands it to the library as it is.

func TestGuard_NULBytes(t *testing.T) {
	h := newHost(t)
	loadFile(t, h, modelFile(smol), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)
	ask(t, g, inference.GenerateRequest{Messages: user("a\x00b\xff\x00"), MaxTokens: 1})
	ask(t, g, inference.GenerateRequest{Completion: "\x00x\x00", Prefill: "\x00", MaxTokens: 1})
	counter, err := h.Tokenizer(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	n, err := counter.CountTokens(context.Background(), []string{"ab", "a\x00b", "", "\x00"})
	if err != nil || n[0] != n[1] || n[2] != 0 || n[3] != 0 {
		t.Errorf("%v, %v", n, err)
	}
}

func TestGuard_PromptsLongerThanABatch(t *testing.T) {
	h := newHost(t)
	loadFile(t, h, toyChat(t, toy.Chat{Text: "Well read."}), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)
	long := strings.Repeat("word ", 300) // bytes are tokens here: 1,500
	if got := ask(t, g, inference.GenerateRequest{Messages: user(long)}); got.Text != "Well read." || got.PromptTokens < 3*cpuBatch {
		t.Errorf("%+v", got)
	}
}

func TestGuard_PromptsLongerThanTheContext(t *testing.T) {
	h := newHost(t)
	info := loadFile(t, h, toyChat(t, toy.Chat{Text: "Still here."}), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)
	_, err := g.Generate(context.Background(), inference.GenerateRequest{Messages: user(strings.Repeat("x", 2*info.Context))}, nil)
	if !errors.Is(err, inference.ErrContextOverflow) || !strings.Contains(err.Error(), "fewer passages") {
		t.Errorf("%v", err)
	}
	if got := ask(t, g, inference.GenerateRequest{Messages: user("and now?")}); got.Text != "Still here." {
		t.Errorf("%+v", got)
	}
}

func TestGuard_LongInputsOfAnEncoder(t *testing.T) {
	h := newHost(t)
	path := filepath.Join(t.TempDir(), "embed.gguf")
	if _, err := (toy.Embedder{Words: []string{"ship", "sea"}}).Write(path); err != nil {
		t.Fatal(err)
	}
	loadFile(t, h, path, inference.Profile{PassagePrefix: "passage: "}, inference.RoleEmbed)
	m, err := h.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"", "\x00", "ship", strings.Repeat("ship sea ", 1500), strings.Repeat("x", 20_000)}
	vectors, err := m.Embed(context.Background(), inference.KindPassage, texts, inference.PriorityIndexing)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range vectors {
		if len(v) != m.Info().Dimensions || !isUnit(v) {
			t.Errorf("text %d: %d values, length %v", i, len(v), dot(v, v))
		}
	}
}

func TestGuard_LongPairsOfAReranker(t *testing.T) {
	h := newHost(t)
	path := filepath.Join(t.TempDir(), "rerank.gguf")
	if _, err := (toy.Reranker{Likes: []string{"anchor"}, Knows: []string{"stone"}}).Write(path); err != nil {
		t.Fatal(err)
	}
	loadFile(t, h, path, inference.Profile{}, inference.RoleRerank)
	m, err := h.Reranker()
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.Rerank(context.Background(), "anchor", []string{
		"stone stone stone", "anchor anchor anchor", strings.Repeat("stone ", 3000), "",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		if s < 0 || s > 1 {
			t.Errorf("a score of %v", s)
		}
	}
	if scores[1] <= scores[0] {
		t.Errorf("the passage with the liked word has %v, the other %v", scores[1], scores[0])
	}
	if _, err := m.Rerank(context.Background(), strings.Repeat("anchor ", 3000), []string{"stone"}); err != nil {
		t.Errorf("a long query: %v", err)
	}
}

func TestGuard_FilesThatMustNotBeLoaded(t *testing.T) {
	h := newHost(t)
	dir := t.TempDir()
	put := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole, err := os.ReadFile(toyChat(t, toy.Chat{Text: "Hello."}))
	if err != nil {
		t.Fatal(err)
	}
	encoder := filepath.Join(dir, "embed.gguf")
	if _, err := (toy.Embedder{Words: []string{"a"}}).Write(encoder); err != nil {
		t.Fatal(err)
	}
	loadFile(t, h, toyChat(t, toy.Chat{Text: "Unharmed."}), inference.Profile{}, inference.RoleAnswer)
	for _, test := range []struct {
		name string
		spec inference.LoadSpec
	}{
		{"text", inference.LoadSpec{Path: put("text.gguf", []byte("Dear model")), Roles: []inference.Role{inference.RoleAnswer}}},
		{"cut off", inference.LoadSpec{Path: put("cut.gguf", whole[:len(whole)-5000]), Roles: []inference.Role{inference.RoleAnswer}}},
		{"missing", inference.LoadSpec{Path: filepath.Join(dir, "none.gguf"), Roles: []inference.Role{inference.RoleAnswer}}},
		{"a folder", inference.LoadSpec{Path: dir, Roles: []inference.Role{inference.RoleAnswer}}},
		{"another hash", inference.LoadSpec{Path: put("whole.gguf", whole), Hash: strings.Repeat("0", 64), Roles: []inference.Role{inference.RoleAnswer}}},
		{"an encoder asked to write", inference.LoadSpec{Path: encoder, Roles: []inference.Role{inference.RoleAnswer}}},
		{"a chat model asked to judge", inference.LoadSpec{Path: put("chat.gguf", whole), Roles: []inference.Role{inference.RoleRerank}}},
		{"no role", inference.LoadSpec{Path: put("chat.gguf", whole)}},
		{"an unknown role", inference.LoadSpec{Path: put("chat.gguf", whole), Roles: []inference.Role{"cook"}}},
	} {
		_, err := h.Load(context.Background(), test.spec, nil)
		if !errors.Is(err, inference.ErrModelFile) || !strings.HasSuffix(err.Error(), ".") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if got := ask(t, generatorOf(t, h, inference.RoleAnswer), inference.GenerateRequest{Messages: user("?")}); got.Text != "Unharmed." {
		t.Errorf("a refused file cost the model that was there: %+v", got)
	}
}

func TestGuard_Abort(t *testing.T) {
	h := newHost(t)
	loadFile(t, h, modelFile(smol), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)

	// In the middle of a prompt: the first step is done, the second is not.
	ctx, cancel := context.WithCancel(context.Background())
	stepped := inference.WithProgress(ctx, cancel)
	result, err := g.Generate(stepped, inference.GenerateRequest{Messages: user(strings.Repeat("tide ", 2*cpuBatch))}, nil)
	if !errors.Is(err, context.Canceled) || result.Stop != inference.StopCancelled {
		t.Errorf("in the prompt: %v, %+v", err, result)
	}

	// Between two tokens.
	ctx, cancel = context.WithCancel(context.Background())
	pieces := 0
	result, err = g.Generate(ctx, inference.GenerateRequest{Messages: user("Count to twenty.")}, func(inference.Piece) error {
		if pieces++; pieces == 3 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || result.Stop != inference.StopCancelled || result.Text == "" || result.CompletionTokens > 5 {
		t.Errorf("in the reply: %v, %+v", err, result)
	}

	// By the receiver.
	refusal := errors.New("the pipe is closed")
	result, err = g.Generate(context.Background(), inference.GenerateRequest{Messages: user("Hello")}, func(inference.Piece) error { return refusal })
	if !errors.Is(err, refusal) || result.Stop != inference.StopCancelled {
		t.Errorf("by the receiver: %v, %+v", err, result)
	}

	// Afterwards all is as before, and what was evaluated is not evaluated again.
	whole := inference.GenerateRequest{Completion: strings.Repeat("tide ", 300), MaxTokens: 2}
	if got := ask(t, g, whole); got.CompletionTokens != 2 {
		t.Errorf("%+v", got)
	}
	if got := ask(t, g, whole); got.CachedTokens != got.PromptTokens-1 {
		t.Errorf("%d of %d tokens were reused", got.CachedTokens, got.PromptTokens)
	}
}

// The flag reaches the library while it computes.
func TestGuard_AbortWithinADecodeCall(t *testing.T) {
	h := newHost(t)
	loadFile(t, h, toyChat(t, toy.Chat{Text: "Go on."}), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)
	ask(t, g, inference.GenerateRequest{Messages: user("first")})
	e := h.seats[inference.RoleAnswer]
	e.clear()
	_ = e.batch.Clear()
	for i := range e.nBatch {
		if err := e.batch.Add(5, llama.Pos(i), []llama.SeqId{0}, i == e.nBatch-1); err != nil {
			t.Fatal(err)
		}
	}
	e.abort.word.Store(1)
	code, err := llama.Decode(e.ctx, e.batch)
	e.abort.word.Store(0)
	if err != nil || code != 2 {
		t.Fatalf("code %d, %v; want 2, aborted", code, err)
	}
	if got := ask(t, g, inference.GenerateRequest{Messages: user("second")}); got.Text != "Go on." {
		t.Errorf("%+v", got)
	}
}

// A memory that claims to have kept a prefix and has not is noticed by its
// positions.
func TestGuard_ACutIsBelievedOnlyIfThePositionsShowIt(t *testing.T) {
	h := newHost(t)
	loadFile(t, h, modelFile(smol), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)
	req := inference.GenerateRequest{Completion: "The capital of France is", MaxTokens: 4}
	first := ask(t, g, req)
	e := h.seats[inference.RoleAnswer]
	for name, spoil := range map[string]func() error{
		"everything is gone": func() error { return llama.MemoryClear(e.memory.handle, true) },
		"the beginning is gone": func() error {
			_, err := llama.MemorySeqRm(e.memory.handle, 0, 0, 2)
			return err
		},
		"the end is gone": func() error {
			_, err := llama.MemorySeqRm(e.memory.handle, 0, 2, -1)
			return err
		},
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if again := ask(t, g, req); again.CachedTokens != 0 || again.Text != first.Text {
			t.Errorf("%s: %d tokens were reused, %q instead of %q", name, again.CachedTokens, again.Text, first.Text)
		}
	}
}

func TestGuard_ParallelLoads(t *testing.T) {
	h := newHost(t)
	paths := []string{toyChat(t, toy.Chat{Text: "One."}), toyChat(t, toy.Chat{Text: "Two."})}
	roles := []inference.Role{inference.RoleAnswer, inference.RoleCondense}
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			last := 0.0
			_, err := h.Load(ctx, inference.LoadSpec{Roles: roles[i%2 : i%2+1], Path: paths[i%2]}, func(done float64) {
				if i%5 == 4 {
					cancel()
				}
				if done < last || done > 1 {
					t.Errorf("load %d went from %v to %v", i, last, done)
				}
				last = done
			})
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i, role := range roles {
		loadFile(t, h, paths[i], inference.Profile{}, role)
		if got := ask(t, generatorOf(t, h, role), inference.GenerateRequest{Messages: user("?")}); got.Text != []string{"One.", "Two."}[i] {
			t.Errorf("%s: %+v", role, got)
		}
	}
}

func TestGuard_FiftyLoadsAndUnloads(t *testing.T) {
	h := newHost(t)
	path := toyChat(t, toy.Chat{Text: "Hello."})
	var after int64
	for i := range 50 {
		loadFile(t, h, path, inference.Profile{}, inference.RoleAnswer, inference.RoleCondense)
		ask(t, generatorOf(t, h, inference.RoleCondense), inference.GenerateRequest{Messages: user("?"), MaxTokens: 1})
		for _, role := range []inference.Role{inference.RoleAnswer, inference.RoleCondense} {
			if err := h.Unload(context.Background(), role); err != nil {
				t.Fatal(err)
			}
		}
		if i == 9 {
			after = residentBytes(t)
		}
	}
	if grown := residentBytes(t) - after; grown > 24<<20 {
		t.Errorf("40 loads left %d MiB behind", grown>>20)
	}
	if loaded := h.Loaded(); len(loaded) != 0 {
		t.Errorf("%+v", loaded)
	}
	if _, err := h.Generator(inference.RoleAnswer); !errors.Is(err, inference.ErrNoModel) {
		t.Errorf("%v", err)
	}
}

// Fifty replies that are begun and cancelled, in the prompt or after a few words,
// leave the library able to write the same reply as before, and no memory behind.
func TestR085_FiftyQuickStartsAndCancels(t *testing.T) {
	h := newHost(t)
	loadFile(t, h, toyChat(t, toy.Chat{Text: "One after another, word by word, without any haste."}), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)
	req := inference.GenerateRequest{Messages: user("?")}
	want := ask(t, g, req).Text
	var baseline int64
	for i := range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		pieces := 0
		if i%4 == 3 {
			cancel()
		}
		_, err := g.Generate(ctx, req, func(inference.Piece) error {
			if pieces++; pieces > i%4 {
				cancel()
			}
			return nil
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("start %d: %v", i, err)
		}
		if i == 9 {
			baseline = residentBytes(t)
		}
	}
	if got := ask(t, g, req).Text; got != want {
		t.Errorf("afterwards %q, before %q", got, want)
	}
	if grown := residentBytes(t) - baseline; grown > 8<<20 {
		t.Errorf("40 cancels left %d MiB behind", grown>>20)
	}
}

func TestR073_SwitchingModelsGivesTheMemoryBack(t *testing.T) {
	h := newHost(t)
	a, b := toyChat(t, toy.Chat{Text: "First."}), toyChat(t, toy.Chat{Text: "Second.", Kind: toy.Hybrid})
	var baseline int64
	for i := range 10 {
		for _, path := range []string{a, b, a} {
			loadFile(t, h, path, inference.Profile{}, inference.RoleAnswer)
			ask(t, generatorOf(t, h, inference.RoleAnswer), inference.GenerateRequest{Messages: user("?"), MaxTokens: 1})
		}
		if i == 2 { // what a process takes once is there
			baseline = residentBytes(t)
		}
	}
	if grown := residentBytes(t) - baseline; grown > 16<<20 {
		t.Errorf("21 switches left %d MiB behind", grown>>20)
	}
}

func residentBytes(t *testing.T) int64 {
	t.Helper()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var total, resident int64
	if _, err := fmt.Sscan(string(b), &total, &resident); err != nil {
		t.Fatal(err)
	}
	return resident * int64(os.Getpagesize())
}
