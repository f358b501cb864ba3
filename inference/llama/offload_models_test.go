//go:build models

package llama

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/gguf/toy"
	"referent/inference/process"
)

// A process has one set of libraries, so the graphics processor is tried in a
// child.
const offloadRole = "llama-offload-test"

type offloaded struct {
	Info  inference.ModelInfo
	Reply inference.GenerateResult
}

func offloadChild() int {
	args := process.Args()
	var out []offloaded
	err := func() error {
		h, err := New(Config{RuntimeDir: args[0], Threads: 1})
		if err != nil {
			return err
		}
		defer h.Close()
		for _, layers := range []int{0, 2, 4, 99, -1} {
			info, err := h.Load(context.Background(), inference.LoadSpec{
				Roles: []inference.Role{inference.RoleAnswer}, Path: args[1], GPULayers: layers, Context: 512,
			}, nil)
			if err != nil {
				return fmt.Errorf("%d layers: %w", layers, err)
			}
			g, err := h.Generator(inference.RoleAnswer)
			if err != nil {
				return err
			}
			reply, err := g.Generate(context.Background(), inference.GenerateRequest{Messages: []inference.Message{{Role: "user", Text: "?"}}}, nil)
			if err != nil {
				return fmt.Errorf("%d layers: %w", layers, err)
			}
			out = append(out, offloaded{info, reply})
		}
		return nil
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	payload, err := json.Marshal(out)
	if err != nil {
		return 1
	}
	stdin, stdout := process.Stdio()
	if process.NewPipe(stdin, stdout).Send('r', payload) != nil {
		return 1
	}
	return 0
}

func TestOffload_LayersOnASoftwareGPU(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.gguf")
	if _, err := (toy.Chat{Text: "Seen from anywhere."}).Write(path); err != nil {
		t.Fatal(err)
	}
	child, err := process.Spawn(t.Context(), process.Spec{
		Role: offloadRole, Args: []string{runtimeDir("vulkan"), path}, Env: []string{"GGML_VK_VISIBLE_DEVICES=0"}, Dir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close(time.Second)
	_, payload, err := child.Receive()
	if err != nil {
		t.Fatalf("%v: %v", err, child.Wait())
	}
	var got []offloaded
	if err := json.Unmarshal(payload, &got); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		layers int
		device string
	}{{0, "CPU"}, {2, "Vulkan0"}, {4, "Vulkan0"}, {5, "Vulkan0"}, {5, "Vulkan0"}} {
		info := got[i].Info
		if info.GPULayers != want.layers || info.Layers != 5 || info.Device != want.device || info.Runtime != "vulkan" || info.ResidentBytes <= 0 {
			t.Errorf("%d layers wanted: %+v", info.GPULayersWanted, info)
		}
		if got[i].Reply.Text != "Seen from anywhere." {
			t.Errorf("%d layers wanted: %+v", info.GPULayersWanted, got[i].Reply)
		}
	}
}
