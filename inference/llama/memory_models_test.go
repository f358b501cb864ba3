//go:build models

package llama

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
	"referent/inference/gguf/toy"
)

// sticky loads a toy whose memory cannot be cut at any position.
func sticky(t *testing.T, h *Host, kind toy.Kind) *evaluator {
	t.Helper()
	path := toyChat(t, toy.Chat{Text: "Two o'clock.", Kind: kind})
	// 8 bits make a sliding window keep no more than it sees.
	if _, err := h.Load(t.Context(), inference.LoadSpec{Roles: []inference.Role{inference.RoleAnswer}, Path: path, Context: 2048, KVType: "q8_0"}, nil); err != nil {
		t.Fatal(err)
	}
	e := h.seats[inference.RoleAnswer]
	if !e.memory.sticks() {
		t.Fatalf("%s: reaches back over everything", kind)
	}
	return e
}

// spread is the largest difference of two rows of logits.
func spread(a, b []float32) float64 {
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(float64(a[i])-float64(b[i])))
	}
	return most
}

func logitsOf(t *testing.T, e *evaluator) []float32 {
	t.Helper()
	l, err := e.logits()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(l)
}

var kinds = []toy.Kind{toy.Full, toy.Sliding, toy.Hybrid}

// Whatever was asked before, a prompt is evaluated to the same values as on an
// empty memory: the claim of a cut is not believed, and a checkpoint is the state
// that it was taken from.
func TestMemory_APromptIsWorthTheSameAfterAnyOther(t *testing.T) {
	h := newHost(t)
	for _, kind := range kinds {
		var e *evaluator
		if kind == toy.Full {
			loadFile(t, h, toyChat(t, toy.Chat{Text: "Two o'clock."}), inference.Profile{}, inference.RoleAnswer)
			e = h.seats[inference.RoleAnswer]
		} else {
			e = sticky(t, h, kind)
		}
		v := e.resident.vocabulary
		long := v.data(strings.Repeat("The tide comes in and goes out. ", 12)) // several windows of letters
		prompts := []laidOut{
			{tokens: long[:300], turns: []int{40, 200}},
			{tokens: append(slices.Clone(long[:250]), v.data("And then something else entirely.")...), turns: []int{40, 250}},
			{tokens: long[:180], turns: []int{40, 120}},
			{tokens: long[:300], turns: []int{40, 200}},
			{tokens: long[:299], turns: []int{40, 200}},
			{tokens: append(slices.Clone(long[:41]), v.data("A new conversation.")...), turns: []int{40}},
		}
		want := make([][]float32, len(prompts))
		for i, p := range prompts {
			e.clear()
			if _, _, err := e.prefill(t.Context(), p, inference.CacheReuse, inference.PriorityInteractive); err != nil {
				t.Fatal(err)
			}
			want[i] = logitsOf(t, e)
		}
		e.clear()
		var reuse []int
		for i, p := range prompts {
			reused, _, err := e.prefill(t.Context(), p, inference.CacheReuse, inference.PriorityInteractive)
			if err != nil {
				t.Fatal(err)
			}
			reuse = append(reuse, reused)
			if d := spread(want[i], logitsOf(t, e)); d > 0.05 {
				t.Errorf("%s memory, prompt %d: %d tokens were reused, and the logits are %.3f off", kind, i, reused, d)
			}
		}
		// By hand: the beginnings in common are 250, 180, 180, 299 and 41 tokens
		// long, and the last token of a prompt is evaluated in any case. A state
		// goes back to a turn, or on from where it is.
		expect := []int{0, 250, 179, 180, 298, 41}
		switch kind {
		case toy.Sliding:
			expect = nil // the window may still hold what a short cut needs
		case toy.Hybrid:
			expect = []int{0, 200, 40, 180, 200, 40}
		}
		if expect != nil && !slices.Equal(reuse, expect) {
			t.Errorf("%s memory: reused %v, want %v", kind, reuse, expect)
		}
		for i := 1; i < len(reuse); i++ {
			if reuse[i] < 40 {
				t.Errorf("%s memory: not even the system prompt was reused for prompt %d: %v", kind, i, reuse)
			}
		}
	}
}

// Without the look at the positions a sliding window says yes to a cut and
// computes something else. This is what the guard is for: it must go on being so.
func TestMemory_ASlidingWindowClaimsTooMuch(t *testing.T) {
	h := newHost(t)
	e := sticky(t, h, toy.Sliding)
	tokens := e.resident.vocabulary.data(strings.Repeat("The tide comes in and goes out. ", 32))[:900]
	read := func(tokens []llama.Token) []float32 {
		t.Helper()
		if _, err := e.extend(t.Context(), tokens, inference.CacheReuse, inference.PriorityInteractive); err != nil {
			t.Fatal(err)
		}
		return logitsOf(t, e)
	}
	want := read(tokens[:100])
	read(tokens[100:])
	if ok, err := llama.MemorySeqRm(e.memory.handle, 0, 99, -1); err != nil || !ok {
		t.Fatalf("the library does not claim it any more (%v, %v): the guard may go", ok, err)
	}
	if e.memory.holds(99) {
		t.Fatal("the positions tell nothing")
	}
	e.cached = e.cached[:99]
	if d := spread(want, read(tokens[99:100])); d < 0.05 {
		t.Fatalf("the logits are only %.4f off: the guard may go", d)
	}
}

// A conversation goes on from the end of the turn before it, whatever the memory
// can do.
func TestMemory_TheSecondTurnIsCheap(t *testing.T) {
	h := newHost(t)
	for _, kind := range kinds[1:] {
		e := sticky(t, h, kind)
		g := generatorOf(t, h, inference.RoleAnswer)
		turns := []inference.Message{{Role: "system", Text: strings.Repeat("Be brief and say what you know. ", 4)}, {Role: "user", Text: strings.Repeat("A passage of the document. ", 8) + "When?"}}
		first := ask(t, g, inference.GenerateRequest{Messages: turns})
		// The passages of the first turn are left out of the second.
		turns[1].Text = "When?"
		turns = append(turns, inference.Message{Role: "assistant", Text: first.Text}, inference.Message{Role: "user", Text: "Where?"})
		second := ask(t, g, inference.GenerateRequest{Messages: turns})
		// Up to the first question the prompt is the same, and there the state was kept.
		system := e.resident.vocabulary.prompt(must(e.resident.render(inference.GenerateRequest{Messages: turns[:2]}))).turns[0]
		if second.CachedTokens < system || system < 20 || second.Text != first.Text {
			t.Errorf("%s: %d of %d tokens were reused; %q", kind, second.CachedTokens, second.PromptTokens, second.Text)
		}
		third := ask(t, g, inference.GenerateRequest{Messages: append(turns, inference.Message{Role: "assistant", Text: second.Text}, inference.Message{Role: "user", Text: "Who?"})})
		// The words of a reply may be cut into other tokens than it was written
		// in: then the last question, of 24 tokens at most, is read once more.
		if evaluated := third.PromptTokens - third.CachedTokens; evaluated > third.PromptTokens-second.PromptTokens+24 {
			t.Errorf("%s: the third turn evaluated %d of %d tokens, the second had %d", kind, evaluated, third.PromptTokens, second.PromptTokens)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The same rewrite is the same bits, also from a checkpoint.
func TestMemory_AFixedCutRepeats(t *testing.T) {
	h := newHost(t)
	for _, kind := range kinds[1:] {
		e := sticky(t, h, kind)
		tokens := e.resident.vocabulary.data(strings.Repeat("Rewrite the question. ", 10) + "When does it open?")
		other := e.resident.vocabulary.data(strings.Repeat("Rewrite the question. ", 10) + "Who repairs the boiler, and for how much?")
		var want []float32
		for i, read := range [][]llama.Token{tokens, other, tokens, tokens} {
			reused, _, err := e.prefill(t.Context(), laidOut{tokens: read, cut: 100}, inference.CacheFixedCut, inference.PriorityCondense)
			if err != nil {
				t.Fatal(err)
			}
			if i > 0 && reused != 100 {
				t.Errorf("%s: %d tokens were reused the %d. time", kind, reused, i+1)
			}
			if i == 0 {
				want = logitsOf(t, e)
			} else if i > 1 && spread(want, logitsOf(t, e)) != 0 {
				t.Errorf("%s: other bits the %d. time", kind, i+1)
			}
		}
	}
}

// Many turns keep the oldest and the newest checkpoints, and not all of them.
func TestMemory_CheckpointsAreFew(t *testing.T) {
	h := newHost(t)
	e := sticky(t, h, toy.Hybrid)
	tokens := e.resident.vocabulary.data(strings.Repeat("On and on it goes. ", 40))
	for at := 30; at < 600; at += 30 {
		if _, _, err := e.prefill(t.Context(), laidOut{tokens: tokens[:at+10], turns: []int{30, at}}, inference.CacheReuse, inference.PriorityInteractive); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(e.kept); n != mostCheckpoints || e.kept[0].tokens != 30 || e.kept[n-1].tokens != 570 {
		t.Errorf("%d checkpoints, from %d to %d", n, e.kept[0].tokens, e.kept[n-1].tokens)
	}
}
