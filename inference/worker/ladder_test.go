package worker

import (
	"testing"
	"time"

	"referent/inference"
	"referent/inference/process"
)

func TestLadder(t *testing.T) {
	gpu := inference.LoadSpec{GPULayers: -1}
	cpu := inference.LoadSpec{GPULayers: 0}
	type death struct {
		minute int
		why    class
		rung   rung // after it
		parked bool
	}
	for _, c := range []struct {
		name     string
		spec     inference.LoadSpec
		runtimes int
		deaths   []death
	}{
		{"a model that dies by itself is parked after two deaths", cpu, 2, []death{
			{0, classAssertion, rungPlain, false}, {1, classAssertion, rungPlain, true}}},
		{"whatever the two reasons are", cpu, 1, []death{
			{0, classHang, rungPlain, false}, {1, classGarbage, rungPlain, true}}},
		{"on a device it may be the driver: another runtime, then the processor, then parked", gpu, 2, []death{
			{0, classCrash, rungPlain, false}, {1, classCrash, rungOther, false}, {2, classCrash, rungCPU, false}, {3, classCrash, rungCPU, true}}},
		{"with one runtime the processor, and parked after two deaths there", gpu, 1, []death{
			{0, classAssertion, rungPlain, false}, {1, classAssertion, rungCPU, false}, {2, classAssertion, rungCPU, false}, {3, classAssertion, rungCPU, true}}},
		{"a lack of memory lowers at once", gpu, 1, []death{
			{0, classMemory, rungSmall, false}, {1, classMemory, rungMargin, false}, {2, classMemory, rungCPU, false}, {3, classMemory, rungCPU, true}}},
		{"on the processor only smaller buffers answer it, and two deaths with them park", cpu, 1, []death{
			{0, classMemory, rungSmall, false}, {1, classMemory, rungSmall, false}, {2, classMemory, rungSmall, true}}},
		{"a failing device goes to the other runtime, then to the processor", gpu, 2, []death{
			{0, classDevice, rungPlain, false}, {1, classDevice, rungOther, false}, {2, classDevice, rungCPU, false}}},
		{"without another runtime straight to the processor", gpu, 1, []death{
			{0, classDevice, rungPlain, false}, {1, classDevice, rungCPU, false}}},
		{"what is ended from outside may have taken too much memory", cpu, 2, []death{
			{0, classKilled, rungPlain, false}, {1, classKilled, rungSmall, false}, {2, classKilled, rungSmall, false}, {3, classKilled, rungSmall, true}}},
		{"five minutes later the count starts again, the rung stays", gpu, 1, []death{
			{0, classCrash, rungPlain, false}, {1, classCrash, rungCPU, false}, {6, classCrash, rungCPU, false}, {7, classCrash, rungCPU, true}}},
		{"deaths that are far apart park nothing", cpu, 1, []death{
			{0, classCrash, rungPlain, false}, {5, classCrash, rungPlain, false}, {10, classCrash, rungPlain, false}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l ladder
			for n, d := range c.deaths {
				parked := l.fell(fall{at: time.Unix(0, 0).Add(time.Duration(d.minute) * time.Minute), alone: true}, d.why, useful(c.spec, c.runtimes))
				if l.rung != d.rung || parked != d.parked {
					t.Errorf("after death %d: rung %d, parked %v; want %d, %v", n+1, l.rung, parked, d.rung, d.parked)
				}
			}
		})
	}
}

// Which of two models ended the worker is not known: neither is parked for it
// before the last.
func TestLadder_TwoModelsAtWorkAreNotBlamedAtOnce(t *testing.T) {
	var l ladder
	for n, want := range []bool{false, false, false, true} {
		if got := l.fell(fall{at: time.Unix(int64(n), 0)}, classCrash, useful(inference.LoadSpec{}, 1)); got != want {
			t.Errorf("after death %d: parked %v", n+1, got)
		}
	}
}

// A model that was alone the first time is, even when another was being loaded
// the second time.
func TestLadder_OneDeathAloneIsEnoughToBlame(t *testing.T) {
	var l ladder
	cpu := useful(inference.LoadSpec{}, 1)
	if l.fell(fall{at: time.Unix(0, 0), alone: true}, classCrash, cpu) || !l.fell(fall{at: time.Unix(1, 0)}, classCrash, cpu) {
		t.Error("not parked by the second death")
	}
}

// Texts for an index count neither themselves nor towards a later death, however
// many they are. They lower a model all the same.
func TestLadder_TextsForAnIndexAreNotHeldAgainstTheModel(t *testing.T) {
	for _, c := range []struct {
		layers int
		rung   rung
	}{{0, rungPlain}, {-1, rungCPU}} {
		var l ladder
		can := useful(inference.LoadSpec{GPULayers: c.layers}, 1)
		second := time.Unix(0, 0)
		die := func(index bool) bool {
			second = second.Add(time.Second)
			return l.fell(fall{at: second, alone: true, index: index}, classCrash, can)
		}
		for range 2 * maxRestarts {
			if die(true) {
				t.Fatalf("%d layers: parked by texts for an index", c.layers)
			}
		}
		if l.rung != c.rung {
			t.Errorf("%d layers: rung %d, want %d", c.layers, l.rung, c.rung)
		}
		if die(false) || die(true) || !die(false) {
			t.Errorf("%d layers: two other deaths did not park, or one did", c.layers)
		}
	}
}

func TestRungsKeepWhatIsAboveThem(t *testing.T) {
	spec := inference.LoadSpec{GPULayers: 20, MarginBytes: 5}
	got := rungCPU.apply(spec)
	want := inference.LoadSpec{GPULayers: 0, MarginBytes: 5 + 1<<30, UBatch: 256, KVType: "q8_0"}
	if got.GPULayers != want.GPULayers || got.MarginBytes != want.MarginBytes || got.UBatch != want.UBatch || got.KVType != want.KVType {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if plain := rungPlain.apply(spec); plain.UBatch != 0 || plain.GPULayers != 20 {
		t.Errorf("the plain rung changed the specification: %+v", plain)
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		name  string
		death process.Death
		want  class
	}{
		{"cap", process.Death{Kind: process.DeathMemory}, classMemory},
		{"hang beats words", process.Death{Kind: process.DeathHang, Stderr: "GGML_ASSERT(x) failed"}, classHang},
		{"garbage", process.Death{Kind: process.DeathGarbage}, classGarbage},
		{"killed from outside", process.Death{Kind: process.DeathSignal, Signal: "SIGKILL"}, classKilled},
		{"abort", process.Death{Kind: process.DeathSignal, Signal: "SIGABRT"}, classCrash},
		{"assertion", process.Death{Kind: process.DeathSignal, Signal: "SIGABRT", Stderr: "/x/llama-vocab.cpp:12: GGML_ASSERT(a == b) failed\n"}, classAssertion},
		{"CUDA memory above an abort", process.Death{Kind: process.DeathExit, Code: 2, Stderr: "ggml_cuda: cudaMalloc failed: out of memory\n/x/ggml-cuda.cu:99: CUDA error\nSIGABRT: abort\n"}, classMemory},
		{"Vulkan memory", process.Death{Kind: process.DeathExit, Code: 2, Stderr: "  what():  vk::Device::allocateMemory: ErrorOutOfDeviceMemory\n"}, classMemory},
		{"lost device", process.Death{Kind: process.DeathExit, Code: 2, Stderr: "  what():  vk::Queue::submit: ErrorDeviceLost\n"}, classDevice},
		{"C++ exception", process.Death{Kind: process.DeathExit, Code: 2, Stderr: "terminate called after throwing an instance of 'std::out_of_range'\n"}, classException},
		{"segmentation fault in C", process.Death{Kind: process.DeathExit, Code: 2, Stderr: "SIGSEGV: segmentation violation\nPC=0x7f\n"}, classCrash},
		{"plain code", process.Death{Kind: process.DeathExit, Code: 9}, classUnknown},
	} {
		if got := classify(c.death); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestHung(t *testing.T) {
	const limit = time.Minute
	for _, c := range []struct {
		name      string
		idle, cpu time.Duration
		want      bool
	}{
		{"fresh", 59 * time.Second, 0, false},
		{"idle for the limit", time.Minute, 0, true},
		{"almost no processor time", time.Minute, 2 * time.Second, true},
		{"computing beside much other work", time.Minute, 3 * time.Second, false},
		{"computing for nine minutes", 9 * time.Minute, 9 * time.Minute, false},
		{"an endless loop", 10 * time.Minute, 10 * time.Minute, true},
	} {
		if got := hung(c.idle, limit, c.cpu); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A model that comes back after a death is loading when the next text for an index
// ends the worker again: it is neither lowered nor put aside for that.
func TestFell_WhoComesBackIsNotToBlameForTextsForAnIndex(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec(), embedSpec())
	chat, embed := &model{spec: chatSpec()}, &model{spec: embedSpec()}
	for range 2 * maxRestarts {
		d.fell(&session{why: classCrash}, []atWork{{model: chat}, {model: embed, index: true}})
	}
	if chat.parked != "" || chat.ladder.rung != rungPlain || embed.parked != "" {
		t.Errorf("chat: rung %d, %q; embed: %q", chat.ladder.rung, chat.parked, embed.parked)
	}
}
