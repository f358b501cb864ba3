//go:build models

package llama

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// offloadChild loads args[1] on the libraries of args[0], with each number of
// layers in args[2:], and lets it reply.
func offloadChild() int {
	args := process.Args()
	var out []offloaded
	err := func() error {
		h, err := New(Config{RuntimeDir: args[0], Threads: 1})
		if err != nil {
			return err
		}
		defer h.Close()
		for _, number := range args[2:] {
			layers, err := strconv.Atoi(number)
			if err != nil {
				return err
			}
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

// onSoftwareGPU loads a toy with each number of layers.
func onSoftwareGPU(t *testing.T, layers []string, env ...string) []offloaded {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chat.gguf")
	if _, err := (toy.Chat{Text: "Seen from anywhere."}).Write(path); err != nil {
		t.Fatal(err)
	}
	child, err := process.Spawn(t.Context(), process.Spec{
		Role: offloadRole, Args: append([]string{runtimeDir("vulkan"), path}, layers...), Env: append(env, "GGML_VK_VISIBLE_DEVICES=0"), Dir: t.TempDir(),
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
	return got
}

// A device that refuses the buffers it promised has the load step down, each step
// told, until it fits; the reply is the same.
func TestR071_ADeviceWithoutTheMemoryGetsFewerLayersOrNone(t *testing.T) {
	for _, c := range []struct {
		limit  string // bytes of the largest buffer that the device gives
		layers int
		note   string
	}{
		{"3000000", 2, "so it was given 2 layers."},
		{"1000", 0, "so the model runs on the processor."},
	} {
		got := onSoftwareGPU(t, []string{"99"}, "GGML_VK_FORCE_MAX_BUFFER_SIZE="+c.limit)[0]
		if got.Info.GPULayers != c.layers || !strings.HasSuffix(got.Info.Note, c.note) || got.Reply.Text != "Seen from anywhere." {
			t.Errorf("%s bytes: %d layers, %q; it writes %q", c.limit, got.Info.GPULayers, got.Info.Note, got.Reply.Text)
		}
	}
}

func TestOffload_LayersOnASoftwareGPU(t *testing.T) {
	got := onSoftwareGPU(t, []string{"0", "2", "4", "99", "-1"})
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
