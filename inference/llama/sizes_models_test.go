//go:build models

package llama

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/dryrun"
	"referent/inference/gguf"
	"referent/inference/gguf/toy"
	"referent/inference/offload"
	"referent/inference/process"
)

// sizesRole loads a file with some layers on the device and tells what the
// library took there, by kind of buffer.
const sizesRole = "llama-sizes-test"

func sizesChild() int {
	args := process.Args()
	h, err := New(Config{RuntimeDir: args[0], Threads: 1})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer h.Close()
	var out []map[string]int64
	for _, layers := range []int{31, 11} {
		mark := h.lib.log.mark()
		if _, err := h.Load(context.Background(), inference.LoadSpec{
			Roles: []inference.Role{inference.RoleAnswer}, Path: args[1], GPULayers: layers, Context: 4096,
		}, nil); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		took := map[string]int64{}
		for _, line := range h.lib.log.since(mark) {
			for kind, words := range map[string]string{"weights": "model buffer size", "cache": "KV buffer size", "compute": "compute buffer size"} {
				if strings.Contains(line, words) {
					took[kind] += parsePlacement([]string{line}).bytes["Vulkan0"]
				}
			}
		}
		out = append(out, took)
	}
	payload, err := json.Marshal(out)
	if err != nil {
		return 1
	}
	stdin, stdout := process.Stdio()
	if process.NewPipe(stdin, stdout).Send('s', payload) != nil {
		return 1
	}
	return 0
}

// What a plan computes is what a load takes: weights and cache exactly but for
// rounding, working memory exactly after a dry run, and never less without one.
func TestOffload_SizesAreThoseOfARealLoad(t *testing.T) {
	child, err := process.Spawn(t.Context(), process.Spec{
		Role: sizesRole, Args: []string{runtimeDir("vulkan"), modelFile(smol)}, Env: []string{"GGML_VK_VISIBLE_DEVICES=0"}, Dir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close(time.Second)
	_, payload, err := child.Receive()
	if err != nil {
		t.Fatalf("%v: %v", err, child.Wait())
	}
	var took []map[string]int64
	if err := json.Unmarshal(payload, &took); err != nil {
		t.Fatal(err)
	}
	header, err := gguf.Open(modelFile(smol))
	if err != nil {
		t.Fatal(err)
	}
	m := offload.Measure(header)
	dry := dryRunOf(t, dryrun.Trial{Path: modelFile(smol), Role: inference.RoleAnswer, Context: 4096, Cache: offload.CacheF16, Layers: []int{31, 11}})
	for i, layers := range []int{31, 11} {
		measured := m
		measured.Working = dry[i : i+1]
		for _, size := range []struct {
			kind          string
			planned       int64
			least, atMost float64 // planned, as a share of what was taken
		}{
			{"weights", m.WeightBytes(layers), 0.99, 1.05},
			{"cache", m.CacheBytes(layers, 4096, offload.CacheF16), 0.99, 1.01},
			{"compute", m.ComputeBytes(4096, gpuBatch), 1, 6},
			{"compute", measured.ComputeBytes(4096, gpuBatch), 1, 1},
		} {
			share := float64(size.planned) / float64(took[i][size.kind])
			t.Logf("%d layers, %s: planned %.1f MiB, took %.1f MiB", layers, size.kind, float64(size.planned)/(1<<20), float64(took[i][size.kind])/(1<<20))
			if share < size.least || share > size.atMost {
				t.Errorf("%d layers, %s: planned %d, took %d", layers, size.kind, size.planned, took[i][size.kind])
			}
		}
	}
}

func dryRunOf(t *testing.T, trial dryrun.Trial) []offload.Working {
	t.Helper()
	sizes, err := dryrun.Run(t.Context(), runtimeDir("vulkan"), []dryrun.Trial{trial}, "GGML_VK_VISIBLE_DEVICES=0")
	if err != nil {
		t.Fatal(err)
	}
	return sizes[0]
}

// On the processor everything that a dry run tells is what a load takes, for
// chat models of several kinds and for encoders.
func TestDryRun_IsWhatALoadOnTheProcessorTakes(t *testing.T) {
	window := toyChat(t, toy.Chat{Text: "Seen through a window.", Kind: toy.Sliding})
	hybrid := toyChat(t, toy.Chat{Text: "Carried along.", Kind: toy.Hybrid})
	h := newHost(t)
	for _, c := range []struct {
		path    string
		role    inference.Role
		context int
	}{{modelFile(smol), inference.RoleAnswer, 1024}, {window, inference.RoleAnswer, 2048}, {hybrid, inference.RoleAnswer, 2048}, {modelFile(e5), inference.RoleEmbed, 512}} {
		mark := h.lib.log.mark()
		if _, err := h.Load(t.Context(), inference.LoadSpec{Roles: []inference.Role{c.role}, Path: c.path, Context: c.context}, nil); err != nil {
			t.Fatal(err)
		}
		_, took := workingOf(h.lib.log.since(mark), nil)
		sizes, err := dryrun.Run(t.Context(), runtimeDir("cpu"), []dryrun.Trial{{Path: c.path, Role: c.role, Context: c.context, Layers: []int{0}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := sizes[0][0].Host; took == 0 || got != took {
			t.Errorf("%s: told %d, took %d", filepath.Base(c.path), got, took)
		}
	}
}

// What a dry run must not load, and a folder that is none, are errors in words
// and no death of this process.
func TestDryRun_Refuses(t *testing.T) {
	junk := filepath.Join(t.TempDir(), "junk.gguf")
	if err := os.WriteFile(junk, []byte("GGUF and no more"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir   string
		trial dryrun.Trial
	}{
		{runtimeDir("cpu"), dryrun.Trial{Path: junk, Role: inference.RoleAnswer}},
		{runtimeDir("cpu"), dryrun.Trial{Path: modelFile(e5), Role: inference.RoleAnswer}},
		{t.TempDir(), dryrun.Trial{Path: modelFile(smol), Role: inference.RoleAnswer}},
	} {
		c.trial.Layers = []int{0}
		if sizes, err := dryrun.Run(t.Context(), c.dir, []dryrun.Trial{c.trial}); err == nil {
			t.Errorf("%s: %v", c.trial.Path, sizes)
		}
	}
}
