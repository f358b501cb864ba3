package worker

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference"
)

func TestALoadThatDiesIsTriedLower(t *testing.T) {
	d := newDriver(t, func(c *Config) { c.StateDir = t.TempDir() })
	spec := chatSpec()
	spec.Profile.ID = "do assert after 0 times 2"
	info, err := d.Load(d.ctx, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	notes := d.loads()
	if len(notes) != 3 || notes[0].Spec.UBatch != 0 || notes[1].Spec.UBatch != 0 || notes[2].Spec.UBatch != 256 || notes[2].Spec.KVType != "q8_0" || notes[2].Spec.GPULayers != 0 {
		t.Errorf("loaded as %+v; want twice as asked, then on the processor", notes)
	}
	if info.Note != "It runs on the processor only now, which is slower." {
		t.Errorf("the model's note is %q", info.Note)
	}
	expectEvents(t, d, EventDied, EventRestarted, EventDied, EventLowered, EventRestarted)
	if _, err := os.Stat(d.cfg.markerFile()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the note of the load is still there: %v", err)
	}
	d.expectStory()
}

func TestALoadThatAlwaysDiesIsGivenUp(t *testing.T) {
	d := newDriver(t, nil)
	d.load(embedSpec())
	spec := chatSpec()
	spec.Profile.ID = "do memory after 0 times 99"
	_, err := d.Load(d.ctx, spec, nil)
	d.expectDied(err, "Chat ended the model worker 4 times within 5 minutes and was put aside. The last time, there was not enough memory.")
	if _, err := d.Generator(inference.RoleAnswer); !errors.Is(err, inference.ErrNoModel) {
		t.Errorf("the role holds something: %v", err)
	}
	e, err := d.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	if v, err := e.Embed(d.ctx, inference.KindQuery, []string{"boiler"}, inference.PriorityInteractive); err != nil || len(v) != 1 {
		t.Errorf("the other model is lost: %v", err)
	}
}

func TestALackOfMemoryIsReducedOnce(t *testing.T) {
	d := newDriver(t, nil)
	spec := chatSpec()
	spec.Profile.ID = "do refuse after 0 times 1"
	if _, err := d.Load(d.ctx, spec, nil); err != nil {
		t.Fatal(err)
	}
	expectEvents(t, d, EventLowered)
	spec.Profile.ID = "do refuse after 1 times 9"
	_, err := d.Load(d.ctx, spec, nil)
	if !errors.Is(err, inference.ErrOutOfMemory) || err.Error() != "The model does not fit into memory." {
		t.Errorf("got %v, want the host's own sentence", err)
	}
	if n := len(d.loads()); n != 4 {
		t.Errorf("%d loads, want two and two", n)
	}
	d.expectStory() // the first model stays
}

func TestAFailingDeviceMovesToTheOtherRuntime(t *testing.T) {
	dir := t.TempDir()
	d := newDriver(t, func(c *Config) {
		c.RuntimeDir, c.OtherRuntimes = filepath.Join(dir, "cuda"), []Runtime{{Dir: filepath.Join(dir, "vulkan"), Hash: filepath.Join(dir, "vulkan")}}
		c.RuntimeHash = c.RuntimeDir // as the fake worker says
		c.StateDir = filepath.Join(dir, "state")
	})
	spec := chatSpec()
	spec.Profile.ID = "do device after 0 times 3"
	if _, err := d.Load(d.ctx, spec, nil); err != nil {
		t.Fatal(err)
	}
	want := []struct {
		runtime string
		layers  int
	}{{"cuda", -1}, {"cuda", -1}, {"vulkan", -1}, {"vulkan", 0}}
	notes := d.loads()
	if len(notes) != len(want) {
		t.Fatalf("%d loads, want %d", len(notes), len(want))
	}
	for i, w := range want {
		if notes[i].Runtime != w.runtime || notes[i].Spec.GPULayers != w.layers {
			t.Errorf("load %d: %s with %d layers, want %+v", i, notes[i].Runtime, notes[i].Spec.GPULayers, w)
		}
	}
	if err := d.Restart(d.ctx, Runtime{Dir: filepath.Join(dir, "cpu")}); err != nil {
		t.Fatal(err)
	}
	d.expectStory()
	notes = d.loads()
	if last := notes[len(notes)-1]; last.Runtime != "cpu" || last.Spec.GPULayers != -1 {
		t.Errorf("after the switch: %+v", last)
	}
}

// TestALoadThatEndedTheWholeProgram finds the note of earlier runs.
func TestALoadThatEndedTheWholeProgram(t *testing.T) {
	state := t.TempDir()
	d := newDriver(t, func(c *Config) { c.StateDir = state })
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(d.cfg.markerFile(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	note := func(path string, tries int) string {
		b, err := json.Marshal(marker{path, tries})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	last := func() inference.LoadSpec { n := d.loads(); return n[len(n)-1].Spec }

	write(note(chatSpec().Path, 1))
	d.load(chatSpec())
	if last().UBatch != 256 {
		t.Error("after one crash the model is loaded as before")
	}
	write(note("/models/other.gguf", 2))
	d.load(chatSpec())
	if last().UBatch != 0 {
		t.Error("a crash of another model lowered this one")
	}
	write("{ cut of")
	d.load(chatSpec())
	if last().UBatch != 256 {
		t.Error("a note that was cut off counts as a crash")
	}
	write(note(chatSpec().Path, 3))
	before := len(d.loads())
	_, err := d.Load(d.ctx, chatSpec(), nil)
	d.expectDied(err, "Loading Chat ended the whole program 3 times, so it was not loaded this time.")
	if len(d.loads()) != before {
		t.Error("it was loaded all the same")
	}
	d.load(chatSpec()) // by hand once more
}

func TestTheNoteIsThereDuringALoad(t *testing.T) {
	d := newDriver(t, func(c *Config) { c.StateDir = t.TempDir() })
	var during marker
	if _, err := d.Load(d.ctx, chatSpec(), func(float64) {
		if b, err := os.ReadFile(d.cfg.markerFile()); err == nil {
			_ = json.Unmarshal(b, &during)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if want := (marker{chatSpec().Path, 1}); during != want {
		t.Errorf("during the load the note is %+v, want %+v", during, want)
	}
}

// On a full disk the note cannot be written. The load goes on without it.
func TestALoadGoesOnWithoutItsNote(t *testing.T) {
	state := t.TempDir()
	d := newDriver(t, func(c *Config) { c.StateDir = state })
	if err := os.MkdirAll(filepath.Join(state, "trying.json", "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	d.load(chatSpec())
	d.expectStory()
}

func TestRuntimesAreLookedForOnceAndNotBeforeTheFirstLoad(t *testing.T) {
	dir := t.TempDir()
	asked := 0
	d := newDriver(t, func(c *Config) {
		c.StateDir = filepath.Join(dir, "state")
		c.RuntimeDir = filepath.Join(dir, "unused")
		c.Find = func() []Runtime {
			asked++
			return []Runtime{{Dir: filepath.Join(dir, "cuda")}, {Dir: filepath.Join(dir, "vulkan")}}
		}
	})
	if asked != 0 {
		t.Error("a client without a load looked for runtimes")
	}
	d.load(chatSpec())
	d.load(embedSpec())
	if asked != 1 {
		t.Errorf("looked %d times", asked)
	}
	for _, l := range d.loads() {
		if l.Runtime != "cuda" {
			t.Errorf("loaded in %q", l.Runtime)
		}
	}
}

// Libraries that do not start here are no reason to have no model: the next ones
// are tried, and they stay in use.
func TestAnotherRuntimeIsUsedWhereOneDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	d := newDriver(t, func(c *Config) {
		c.StateDir, c.RuntimeDir = filepath.Join(dir, "state"), filepath.Join(dir, "missing")
		c.OtherRuntimes = []Runtime{{Dir: filepath.Join(dir, "changed"), Hash: "another"}, {Dir: filepath.Join(dir, "cpu")}}
	})
	d.load(chatSpec())
	d.expectStory()
	if got := d.loads(); len(got) != 1 || got[0].Runtime != "cpu" || d.Runtime() != filepath.Join(dir, "cpu") {
		t.Errorf("loaded as %+v, runtime %s", got, d.Runtime())
	}
	expectEvents(t, d, EventLowered, EventLowered)
	if !strings.Contains(d.told(), "missing do not start on this computer") {
		t.Errorf("said was %q", d.told())
	}
}

func TestStartsThatFail(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Config)
		kind   error
		says   string
	}{
		{"no runtime", func(c *Config) {
			c.RuntimeDir = filepath.Join(os.TempDir(), "missing")
			c.StateDir = filepath.Join(os.TempDir(), "referent-none")
		}, inference.ErrNoRuntime, "The runtime is not there."},
		{"no executable", func(c *Config) { c.Exe = "/nowhere/referent" }, inference.ErrWorkerDied, "The model worker could not be started."},
		{"another version", func(c *Config) { c.Env = append(c.Env, startVariable+"=old") }, inference.ErrWorkerDied, "The model worker could not be started."},
		{"dead at once", func(c *Config) { c.Env = append(c.Env, startVariable+"=dead") }, inference.ErrWorkerDied, "The model worker could not be started: the reason is not known."},
		{"changed files", func(c *Config) { c.RuntimeHash = "abc"; c.RuntimeDir = os.TempDir() }, inference.ErrNoRuntime, "The runtime's files changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDriver(t, c.change)
			if strings.HasPrefix(d.cfg.StateDir, os.TempDir()) {
				defer os.RemoveAll(d.cfg.StateDir)
			}
			_, err := d.Load(d.ctx, chatSpec(), nil)
			var e *inference.Error
			if !errors.Is(err, c.kind) || !errors.As(err, &e) || !strings.HasPrefix(e.Message, c.says) {
				t.Errorf("got %v, want %v saying %q", err, c.kind, c.says)
			}
		})
	}
}

func TestALoadCanBeCancelled(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec())
	ctx, cancel := context.WithCancel(d.ctx)
	if _, err := d.Load(ctx, chatSpec(), func(float64) { cancel() }); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	d.expectStory() // the first model is back
}

func TestACloseEndsEverything(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec())
	g, err := d.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Host.Close(); err != nil {
		t.Fatal(err)
	}
	if d.PID() != 0 {
		t.Error("the worker lives on")
	}
	_, err = g.Generate(d.ctx, inference.GenerateRequest{Completion: "hello"}, nil)
	d.expectDied(err, "The program is closing.")
	_, err = d.Load(d.ctx, chatSpec(), nil)
	d.expectDied(err, "The program is closing.")
}

func TestR085_FiftyQuickStartsAndCancels(t *testing.T) {
	d := newDriver(t, nil)
	d.load(chatSpec())
	g, err := d.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		ctx, cancel := context.WithCancel(d.ctx)
		pieces := 0
		_, err := g.Generate(ctx, inference.GenerateRequest{Completion: "do nothing after 0 times 0"}, func(inference.Piece) error {
			if pieces++; pieces > i%3 {
				cancel()
			}
			return nil
		})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	d.expectStory()
	if kinds := d.kinds(); len(kinds) != 0 {
		t.Errorf("the worker did not stay alive: %v", kinds)
	}
}
