//go:build models

package llama

import (
	"context"
	"strings"
	"sync"
	"testing"

	"referent/inference"
	"referent/inference/gguf/toy"
	"referent/inference/offload"
)

func TestGenerate_TheSecondTurnEvaluatesOnlyWhatIsNew(t *testing.T) {
	h := newHost(t)
	loadFile(t, h, modelFile(smol), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)
	turns := []inference.Message{{Role: "system", Text: "Answer briefly. " + strings.Repeat("The harbour is old. ", 20)}, {Role: "user", Text: "Is the harbour old?"}}
	first := ask(t, g, inference.GenerateRequest{Messages: turns, MaxTokens: 12})
	if first.CachedTokens != 0 {
		t.Errorf("a first turn reused %d tokens", first.CachedTokens)
	}
	const next = "And how deep is it?"
	second := ask(t, g, inference.GenerateRequest{MaxTokens: 12,
		Messages: append(turns, inference.Message{Role: "assistant", Text: first.Text}, inference.Message{Role: "user", Text: next})})
	v := h.seats[inference.RoleAnswer].resident.vocabulary
	fresh := v.count(next) + len(v.structure("<|im_end|>\n<|im_start|>user\n<|im_end|>\n<|im_start|>assistant\n"))
	if evaluated := second.PromptTokens - second.CachedTokens; evaluated > fresh+8 {
		t.Errorf("%d tokens were evaluated; %d are new", evaluated, fresh)
	}
}

func TestGenerate_AFixedCutRepeatsOnFreshHosts(t *testing.T) {
	const constant = "Rewrite the last question so that it can be understood alone.\nUser: Who built the lighthouse?\nAssistant: Anna Berg built it.\n"
	request := func(question string) inference.GenerateRequest {
		return inference.GenerateRequest{
			Completion: constant + "User: " + question + "\nAlone:", StableBytes: len(constant),
			Cache: inference.CacheFixedCut, MaxTokens: 24, Stop: []string{"\n"},
		}
	}
	run := func(before ...inference.GenerateRequest) (inference.GenerateResult, []float32) {
		h := newHost(t)
		loadFile(t, h, modelFile(smol), inference.Profile{}, inference.RoleCondense)
		g := generatorOf(t, h, inference.RoleCondense)
		for _, req := range before {
			ask(t, g, req)
		}
		req := request("When did she build it?")
		req.MaxTokens = 1
		ask(t, g, req)
		logits, err := h.seats[inference.RoleCondense].logits()
		if err != nil {
			t.Fatal(err)
		}
		kept := append([]float32(nil), logits...)
		req.MaxTokens = 24
		result := ask(t, g, req)
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		return result, kept
	}
	cold, a := run()
	reuse := inference.GenerateRequest{Completion: constant + "Something else entirely.", MaxTokens: 20}
	warm, b := run(request("What was it made of?"), reuse, request("Where does it stand, and since when, exactly?"))
	if cold.Text != warm.Text || cold.CompletionTokens != warm.CompletionTokens {
		t.Errorf("cold %q, warm %q", cold.Text, warm.Text)
	}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("logit %d: %v and %v", i, a[i], b[i])
		}
	}
	if cold.CachedTokens == 0 || cold.CachedTokens != warm.CachedTokens {
		t.Errorf("the constant part was not reused: %d, %d", cold.CachedTokens, warm.CachedTokens)
	}
}

func TestGenerate_Seeds(t *testing.T) {
	h := newHost(t)
	loadFile(t, h, modelFile(smol), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)
	say := func(seed uint32) inference.GenerateResult {
		return ask(t, g, inference.GenerateRequest{Messages: user("Write a line about rain."), Temperature: 1.2, Seed: seed, MaxTokens: 16, Cache: inference.CacheFixedCut})
	}
	one := say(7)
	if again := say(7); again.Text != one.Text || again.Seed != 7 {
		t.Errorf("%q and %q", one.Text, again.Text)
	}
	if other := say(8); other.Text == one.Text {
		t.Errorf("seeds 7 and 8 both gave %q", one.Text)
	}
	if drawn := say(randomSeed); drawn.Seed == randomSeed {
		t.Error("a drawn seed is not told")
	}
}

func TestGenerate_Replies(t *testing.T) {
	for _, test := range []struct {
		name      string
		model     toy.Chat
		req       inference.GenerateRequest
		text      string
		reasoning string
		stop      inference.StopReason
	}{
		{"whole", toy.Chat{Text: "The bridge is forty metres long [1]."}, inference.GenerateRequest{}, "The bridge is forty metres long [1].", "", inference.StopEnd},
		{"a character in single bytes", toy.Chat{Pieces: append([]string{"Caf"}, append(toy.SingleBytes("é"), " now")...)}, inference.GenerateRequest{}, "Café now", "", inference.StopEnd},
		{"a stop string over two tokens", toy.Chat{Pieces: []string{"one", " E", "ND", " two"}}, inference.GenerateRequest{Stop: []string{"END"}}, "one ", "", inference.StopString},
		{"thinking first", toy.Chat{Pieces: []string{"<think>", "hm\nso", "</think>", "yes", "."}}, inference.GenerateRequest{Stop: []string{"\n"}}, "yes.", "hm\nso", inference.StopEnd},
		{"an endless loop", toy.Chat{Text: "again and forever", Loop: true}, inference.GenerateRequest{}, "", "", inference.StopLoop},
		{"a limit", toy.Chat{Pieces: []string{"a", "b", "c", "d"}}, inference.GenerateRequest{MaxTokens: 2}, "ab", "", inference.StopLength},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t)
			loadFile(t, h, toyChat(t, test.model), inference.Profile{}, inference.RoleAnswer)
			test.req.Messages = user("Well?")
			var shown, thought strings.Builder
			result, err := generatorOf(t, h, inference.RoleAnswer).Generate(context.Background(), test.req, func(p inference.Piece) error {
				if p.Reasoning {
					thought.WriteString(p.Text)
				} else {
					shown.WriteString(p.Text)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if result.Stop != test.stop || result.Text != shown.String() || result.Reasoning != thought.String() {
				t.Errorf("%+v, shown %q", result, shown.String())
			}
			if test.text != "" && (result.Text != test.text || result.Reasoning != test.reasoning) {
				t.Errorf("text %q, reasoning %q", result.Text, result.Reasoning)
			}
		})
	}
}

// Two questions at once, an answer and a rewrite on one file, and indexing
// beside them: everybody gets the right result.
func TestGenerate_AllAtOnce(t *testing.T) {
	h := newHost(t)
	info := loadFile(t, h, toyChat(t, toy.Chat{Text: "Calm as ever."}), inference.Profile{}, inference.RoleAnswer, inference.RoleCondense)
	if len(info.Roles) != 2 || len(h.Loaded()) != 1 {
		t.Errorf("one file in two roles: %+v", h.Loaded())
	}
	m := embedderE5(t) // of another host: the processor's turns are the library's
	var wg sync.WaitGroup
	wg.Go(func() {
		texts := make([]string, 6)
		for i := range texts {
			texts[i] = strings.Repeat("the tide ", 30)
		}
		if _, err := m.Embed(context.Background(), inference.KindPassage, texts, inference.PriorityIndexing); err != nil {
			t.Error(err)
		}
	})
	for i := range 6 {
		wg.Go(func() {
			role, priority := inference.RoleAnswer, inference.PriorityInteractive
			if i%2 == 1 {
				role, priority = inference.RoleCondense, inference.PriorityCondense
			}
			result, err := generatorOf(t, h, role).Generate(context.Background(), inference.GenerateRequest{Messages: user("?"), Priority: priority}, nil)
			if err != nil || result.Text != "Calm as ever." {
				t.Errorf("%+v, %v", result, err)
			}
		})
	}
	wg.Wait()
}

// A model in use is not unloaded under its caller, and what was handed out
// says afterwards that the role is empty.
func TestGenerate_UnloadWaits(t *testing.T) {
	h := newHost(t)
	loadFile(t, h, toyChat(t, toy.Chat{Text: "To the end."}), inference.Profile{}, inference.RoleAnswer)
	g := generatorOf(t, h, inference.RoleAnswer)
	unloaded := make(chan error, 1)
	started := sync.OnceFunc(func() { go func() { unloaded <- h.Unload(context.Background(), inference.RoleAnswer) }() })
	result, err := g.Generate(context.Background(), inference.GenerateRequest{Messages: user("?")}, func(inference.Piece) error {
		started()
		return nil
	})
	if err != nil || result.Text != "To the end." {
		t.Errorf("%+v, %v", result, err)
	}
	if err := <-unloaded; err != nil {
		t.Error(err)
	}
	if _, err := g.Generate(context.Background(), inference.GenerateRequest{Messages: user("?")}, nil); err == nil || !strings.Contains(err.Error(), "No model is loaded") {
		t.Errorf("%v", err)
	}
	if g.Info().Name != "toy chat" {
		t.Errorf("%+v", g.Info())
	}
}

// A plan that stores the cache with 8 bits reaches the context.
func TestLoad_APlannedCacheTypeIsUsed(t *testing.T) {
	h := newHost(t)
	size := func(cache offload.CacheType) int64 {
		l, err := h.inspect(context.Background(), inference.LoadSpec{Path: modelFile(smol), Roles: []inference.Role{inference.RoleAnswer}})
		if err != nil {
			t.Fatal(err)
		}
		l.progress = func(float64) {}
		l.planned = map[inference.Role]offload.Placement{inference.RoleAnswer: {Cache: cache, Context: 4096}}
		if err := l.run(context.Background(), h); err != nil {
			t.Fatal(err)
		}
		defer l.resident.drop()
		defer l.evaluators[0].free()
		if l.evaluators[0].nCtx != 4096 {
			t.Errorf("a context of %d", l.evaluators[0].nCtx)
		}
		return l.evaluators[0].bytes
	}
	full, half := size(offload.CacheF16), size(offload.CacheQ8)
	// 30 layers of 2 × 192 values: 90 MiB in 16 bits, 47.8 MiB in 8.
	if saved := full - half; saved < 40<<20 || saved > 45<<20 {
		t.Errorf("16 bits take %d MiB, 8 bits %d MiB", full>>20, half>>20)
	}
}
