package llama

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"referent/inference"
)

func TestThreads_LeaveTheWindowACore(t *testing.T) {
	for cores, want := range map[int]int{1: 1, 2: 2, 3: 2, 4: 3, 8: 7, 0: 1} {
		if got := threadsFor(cores); got != want {
			t.Errorf("%d cores: %d threads, want %d", cores, got, want)
		}
	}
}

func TestWatchdog_NoticesACollapse(t *testing.T) {
	second := time.Second
	for _, test := range []struct {
		name   string
		tokens int
		took   []time.Duration // of each piece of work on tokens
		want   []bool
	}{
		{"a steady rate", 16, []time.Duration{second, second, 2 * second}, []bool{false, false, false}},
		{"a tenth and below", 16, []time.Duration{second, 9 * second, 17 * second}, []bool{false, false, true}},
		{"a collapse in steps", 16, []time.Duration{second, 4 * second, 14 * second}, []bool{false, false, true}},
		{"nothing to compare with", 16, []time.Duration{100 * second, second}, []bool{false, false}},
		{"single tokens, noticed after the third", 1, append(slices.Repeat([]time.Duration{second / 20}, 16), 4*second, 4*second, 4*second),
			append(slices.Repeat([]bool{false}, 18), true)},
	} {
		var w watchdog
		for i, took := range test.took {
			if got := w.observe(test.tokens, took); got != test.want[i] {
				t.Errorf("%s: step %d: %v", test.name, i, got)
			}
		}
	}
}

func TestWatchdog_Patience(t *testing.T) {
	if p := (&watchdog{}).patience(100); p != 0 {
		t.Errorf("without a reference it waits %v", p)
	}
	if p := (&watchdog{good: 20}).patience(10); p != 6*time.Second {
		t.Errorf("10 tokens at a tenth of 20 a second and one second more: %v", p)
	}
}

func TestPlacement_IsReadFromTheLog(t *testing.T) {
	ring := newLogRing()
	mark := ring.mark()
	for _, text := range []string{
		"load_tensors: offloading output layer to GPU\nload_tensors: offl", "oaded 3/31 layers to GPU\n",
		"load_tensors:      Vulkan0 model buffer size =    20.50 MiB\nload_tensors:   CPU_Mapped model buffer size =    93.50 MiB\n",
		"llama_kv_cache:    Vulkan0 KV buffer size =     2.00 MiB\nllama_context:        CPU  output buffer size =     0.19 MiB\n",
		"sched_reserve:    Vulkan0 compute buffer size =     1.00 MiB\n",
	} {
		ring.write(2, text)
	}
	ring.write(levelDebug, "sched_reserve:    Vulkan0 compute buffer size =     5.00 MiB\n")
	p := parsePlacement(ring.since(mark))
	if p.gpuLayers != 3 || p.total != 31 {
		t.Errorf("%d of %d layers", p.gpuLayers, p.total)
	}
	if got := p.bytes["Vulkan0"]; got != 23.5*(1<<20) {
		t.Errorf("%d bytes on the device", got)
	}
	if got := p.resident(); got != 117<<20+199229 { // 23.5 + 93.5 + 0.19 MiB, bytes cut off
		t.Errorf("%d bytes in all", got)
	}
}

func TestLog_KeepsTheNewestAndTellsWarnings(t *testing.T) {
	ring := newLogRing()
	var told []string
	ring.forward(func(s string) { told = append(told, s) })
	for range logLines + 10 {
		ring.write(2, "info\n")
	}
	mark := ring.mark()
	ring.write(levelWarn, "careful: ")
	ring.write(levelContinue, "hot\n")
	ring.write(levelError, "ggml_vulkan: Device memory allocation of size 1 failed: ErrorOutOfDeviceMemory\n")
	if lines := ring.since(mark); len(lines) != 2 || lines[0] != "careful: hot" || !outOfMemory(lines) {
		t.Errorf("%q", lines)
	}
	if len(told) != 2 || len(ring.since(0)) != logLines {
		t.Errorf("told %q, kept %d", told, len(ring.since(0)))
	}
}

func TestArgmax(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, test := range []struct {
		v    []float32
		want int
		ok   bool
	}{
		{[]float32{1, 3, 2}, 1, true},
		{[]float32{3, 1, 3}, 0, true}, // the first of equals
		{[]float32{-5, -2}, 1, true},
		{[]float32{1, inf}, 1, true},
		{[]float32{1, nan, 2}, -1, false},
		{[]float32{-inf, -inf}, -1, false},
		{nil, -1, false},
	} {
		if got, ok := argmax(test.v); got != test.want || ok != test.ok {
			t.Errorf("%v: %d, %v", test.v, got, ok)
		}
	}
}

func TestNormalized(t *testing.T) {
	for _, test := range []struct {
		form     inference.Normalization
		in, want string
	}{
		{inference.NormalizeNone, " a  b ", " a  b "},
		{inference.NormalizeNFKC, " ﬁve\n\n１２３　ｋｍ ", "five 123 km"},
		{inference.NormalizeStripMarks, "Crème brûlée", "Creme brulee"},
		{inference.NormalizeStripMarks, "한", "\u1112\u1161\u11ab"},
	} {
		if got := normalized(test.form, test.in); got != test.want {
			t.Errorf("%s %q: %q, want %q", test.form, test.in, got, test.want)
		}
	}
	profile := inference.Profile{QueryPrefix: "query: ", PassagePrefix: "passage: "}
	if prefix, _ := prepared(profile, inference.KindQuery, "x"); prefix != "query: " {
		t.Error(prefix)
	}
	if prefix, body := prepared(profile, inference.KindPassage, "x\x00y"); prefix != "passage: " || body != "xy" {
		t.Error(prefix, body)
	}
}

func TestUnitAndMean(t *testing.T) {
	if v := unit([]float32{3, 4}); v[0] != 0.6 || v[1] != 0.8 {
		t.Error(v)
	}
	if v := unit([]float32{0, 0}); v[0] != 1 || v[1] != 0 {
		t.Error("a vector without a direction", v)
	}
	if v := unit([]float32{float32(math.NaN()), 1}); v[0] != 1 || v[1] != 0 {
		t.Error("a vector that is none", v)
	}
	if v := mean([][]float32{{1, 0}, {0, 1}}); math.Abs(float64(v[0])-math.Sqrt2/2) > 1e-7 || v[0] != v[1] {
		t.Error(v)
	}
}

func TestScore(t *testing.T) {
	for _, test := range []struct {
		v    []float32
		want float32
	}{{[]float32{0}, 0.5}, {[]float32{float32(math.NaN())}, 0}, {[]float32{0.8, 0.2}, 0.8}, {[]float32{1000}, 1}} {
		if got := score(test.v); got != test.want {
			t.Errorf("%v: %v", test.v, got)
		}
	}
}

func TestHashes_AreComputedOnce(t *testing.T) {
	state, path := t.TempDir(), filepath.Join(t.TempDir(), "model.gguf")
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	put := func(content string) {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	of := func(h *hashes) string {
		sum, err := h.of(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-2, "abc"
	put("abc")
	if got := of(newHashes(state)); got != abc {
		t.Fatal(got)
	}
	put("abd") // same size, same time: not read again, also by the next process
	if got := of(newHashes(state)); got != abc {
		t.Errorf("read again: %s", got)
	}
	when = when.Add(time.Second)
	put("abd")
	if got := of(newHashes(state)); got == abc {
		t.Error("a changed file kept its hash")
	}
	if err := os.WriteFile(filepath.Join(state, hashesFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := of(newHashes(state)); got == abc || got == "" {
		t.Errorf("after a damaged file: %s", got)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newHashes("").of(ctx, path); err == nil {
		t.Error("a cancelled hash has no error")
	}
}

func TestNew_WithoutLibraries(t *testing.T) {
	_, err := New(Config{RuntimeDir: t.TempDir()})
	if !errors.Is(err, inference.ErrNoRuntime) || !strings.HasSuffix(err.Error(), ".") {
		t.Errorf("%v", err)
	}
}

// A load that runs out of memory steps down, says so, and ends on the processor.
func TestR071_OutOfMemoryStepsDown(t *testing.T) {
	full := &inference.Error{Kind: inference.ErrOutOfMemory, Message: "Full."}
	for _, test := range []struct {
		name  string
		fits  int
		tried []int
		notes int
		err   error
	}{
		{"all fits", 30, []int{30}, 0, nil},
		{"half fits", 15, []int{30, 15}, 1, nil},
		{"nothing fits", 0, []int{30, 15, 0}, 2, nil},
		{"not even in main memory", -1, []int{30, 15, 0}, 2, inference.ErrOutOfMemory},
	} {
		var tried []int
		notes, err := firstThatFits([]int{30, 15, 0}, func(layers int) error {
			if tried = append(tried, layers); layers > test.fits {
				return full
			}
			return nil
		})
		if !slices.Equal(tried, test.tried) || len(notes) != test.notes || !errors.Is(err, test.err) {
			t.Errorf("%s: tried %v, %v, %q", test.name, tried, err, notes)
		}
	}
	broken := errors.New("broken")
	if _, err := firstThatFits([]int{30, 15, 0}, func(int) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("a fault that is not about memory: %v", err)
	}
}
