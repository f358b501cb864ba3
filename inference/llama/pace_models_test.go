//go:build models

package llama

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
	"referent/inference/gguf/toy"
)

// settled loads a toy with the implementation's own choice of threads, two
// wanted.
func settled(t *testing.T) (*Host, *evaluator) {
	t.Helper()
	h, err := New(Config{RuntimeDir: runtimeDir("cpu")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	h.config.Threads = 2
	loadFile(t, h, toyChat(t, toy.Chat{Text: "One after another, word by word, without any haste at all, until everything that had to be said in this long sentence was finally told."}), inference.Profile{}, inference.RoleAnswer)
	return h, h.seats[inference.RoleAnswer]
}

func TestPace_IsTriedAtALoad(t *testing.T) {
	h, e := settled(t)
	if e.threads != 1 && e.threads != 2 || e.wanted != 2 || e.writing.good <= 0 || e.reading.good <= 0 {
		t.Errorf("%d threads, %d wanted, references %v and %v", e.threads, e.wanted, e.reading.good, e.writing.good)
	}
	if len(e.cached) != 0 {
		t.Errorf("the trial left %d tokens behind", len(e.cached))
	}
	if info := h.infoOf(inference.RoleAnswer); info.Threads != e.threads {
		t.Errorf("told %d threads, uses %d", info.Threads, e.threads)
	}
}

func TestPace_ACollapseLowersTheThreads(t *testing.T) {
	h, e := settled(t)
	req := inference.GenerateRequest{Messages: user("?")}
	want := ask(t, generatorOf(t, h, inference.RoleAnswer), req).Text
	for _, test := range []struct {
		name   string
		policy inference.CachePolicy
		spoil  func()
		within int // threads that the reply reports
	}{
		{"while writing", inference.CacheReuse, func() { e.writing.good = 1e9 }, 1},
		{"while reading", inference.CacheReuse, func() { e.clear(); e.reading.good = 1e9 }, 1},
		{"never within a rewrite", inference.CacheFixedCut, func() { e.writing.good, e.reading.good = 1e9, 1e9 }, 2},
	} {
		e.useThreads(2)
		e.reading, e.writing, e.settled = watchdog{}, watchdog{}, time.Now()
		test.spoil()
		req.Cache = test.policy
		got := ask(t, generatorOf(t, h, inference.RoleAnswer), req)
		if got.Threads != test.within || got.Text != want {
			t.Errorf("%s: %d threads, want %d; %q", test.name, got.Threads, test.within, got.Text)
		}
		if e.threads != 1 {
			t.Errorf("%s: the next one has %d threads", test.name, e.threads)
		}
	}
	e.settled = time.Now().Add(-2 * retryAfter)
	req.Cache = inference.CacheReuse
	if got := ask(t, generatorOf(t, h, inference.RoleAnswer), req); got.Text != want || time.Since(e.settled) > retryAfter {
		t.Errorf("the full number was not tried again: %+v", got)
	}
	for _, step := range []struct{ from, to int }{{5, 2}, {4, 2}, {3, 1}, {2, 1}} {
		e.useThreads(step.from)
		if !e.slower() || e.threads != step.to {
			t.Errorf("%d threads were lowered to %d, want %d", step.from, e.threads, step.to)
		}
	}
	if e.slower() {
		t.Error("one thread was lowered")
	}
}

func TestPace_AStepIsGivenUpAndGoesOn(t *testing.T) {
	h, e := settled(t)
	tokens := make([]llama.Token, e.nBatch)
	for i := range tokens {
		tokens[i] = 5
	}
	if _, err := e.step(context.Background(), tokens, true, inference.PriorityInteractive, time.Nanosecond); !errors.Is(err, errTooSlow) {
		t.Fatalf("%v", err)
	}
	if len(e.cached) != 0 && !e.memory.holds(len(e.cached)) {
		t.Errorf("%d tokens are said to be there", len(e.cached))
	}
	if got := ask(t, generatorOf(t, h, inference.RoleAnswer), inference.GenerateRequest{Messages: user("?")}); got.Stop != inference.StopEnd {
		t.Errorf("%+v", got)
	}
}
