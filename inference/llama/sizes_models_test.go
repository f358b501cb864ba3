//go:build models

package llama

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/gguf"
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
// rounding, working memory never less.
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
	for i, layers := range []int{31, 11} {
		for _, size := range []struct {
			kind          string
			planned       int64
			least, atMost float64 // planned, as a share of what was taken
		}{
			{"weights", m.WeightBytes(layers), 0.99, 1.05},
			{"cache", m.CacheBytes(layers, 4096, offload.CacheF16), 0.99, 1.01},
			{"compute", m.ComputeBytes(4096, gpuBatch), 1, 6},
		} {
			share := float64(size.planned) / float64(took[i][size.kind])
			t.Logf("%d layers, %s: planned %.1f MiB, took %.1f MiB", layers, size.kind, float64(size.planned)/(1<<20), float64(took[i][size.kind])/(1<<20))
			if share < size.least || share > size.atMost {
				t.Errorf("%d layers, %s: planned %d, took %d", layers, size.kind, size.planned, took[i][size.kind])
			}
		}
	}
}
