//go:build models

package llama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/dryrun"
	"referent/inference/gguf"
	"referent/inference/offload"
	"referent/inference/process"
)

// besideRole loads the embedder on a device that has not room for it and the chat
// model: once beside the chat model that is still to come, once beside a file
// that is not there.
const besideRole = "llama-beside-test"

func besideChild() int {
	args := process.Args()
	infos, err := besideLoads(args[0], args[1], args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	payload, err := json.Marshal(infos)
	if err != nil {
		return 1
	}
	stdin, stdout := process.Stdio()
	if process.NewPipe(stdin, stdout).Send('b', payload) != nil {
		return 1
	}
	return 0
}

func besideLoads(dir, chat, encoder string) ([]inference.ModelInfo, error) {
	ctx := context.Background()
	h, err := New(Config{RuntimeDir: dir, Threads: 1})
	if err != nil {
		return nil, err
	}
	defer h.Close()
	gpus := h.lib.gpus()
	if len(gpus) == 0 {
		return nil, errors.New("no device")
	}
	free, total := gpus[0].memory()
	device := offload.Device{Name: gpus[0].name, Free: free, Total: total}
	var needs []offload.Need
	var files []dryrun.File
	for _, n := range []struct {
		role    inference.Role
		path    string
		context int
	}{{inference.RoleAnswer, chat, 2048}, {inference.RoleEmbed, encoder, 512}} {
		stat, err := os.Stat(n.path)
		if err != nil {
			return nil, err
		}
		header, err := gguf.Open(n.path)
		if err != nil {
			return nil, err
		}
		need := offload.Need{Role: n.role, Model: offload.Measure(header), Context: n.context, Layers: -1}
		need.Model.Name = n.path
		needs = append(needs, need)
		files = append(files, dryrun.File{Path: n.path, Size: stat.Size(), Modified: stat.ModTime().UnixNano()})
	}
	// On a busy machine the dry run may take too long: then estimates count, here
	// and in the load.
	_ = dryrun.Needs(ctx, dir, needs, files, h.lib.known)
	embedder := offload.Make([]offload.Device{device}, needs[1:]).Used
	margin := int64(0) // the least that takes the embedder from the device, and somewhat more
	for p := offload.Make([]offload.Device{device}, needs); p.Placements[1].Layers > 0; margin += embedder / 8 {
		p = offload.Make([]offload.Device{{Name: device.Name, Free: max(0, free-margin), Total: total}}, needs)
	}
	spec := inference.LoadSpec{Roles: []inference.Role{inference.RoleEmbed}, Path: encoder, Profile: e5Profile, GPULayers: -1, MarginBytes: margin + embedder/8}
	var out []inference.ModelInfo
	for _, beside := range [][]inference.Beside{{{Role: inference.RoleAnswer, Path: chat, GPULayers: -1, Context: 2048}}, {{Role: inference.RoleAnswer, Path: chat + "x", GPULayers: -1}}} {
		spec.Beside = beside
		info, err := h.Load(ctx, spec, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, info)
		if err := h.Unload(ctx, inference.RoleEmbed); err != nil { // else the weights stay where they are
			return nil, err
		}
	}
	return out, nil
}

// The plan is one for all models: the embedder, which is loaded first, leaves the
// device to the chat model where both do not fit. A file that is not there takes
// nothing: then the embedder is as good as alone.
func TestOffload_ThePlanIsOneForAllRoles(t *testing.T) {
	child, err := process.Spawn(t.Context(), process.Spec{
		Role: besideRole, Args: []string{runtimeDir("vulkan"), modelFile(smol), modelFile(e5)}, Env: []string{"GGML_VK_VISIBLE_DEVICES=0"}, Dir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer child.Close(time.Second)
	_, payload, err := child.Receive()
	if err != nil {
		t.Fatalf("%v: %v: %s", err, child.Wait(), child.Death().Stderr)
	}
	var got []inference.ModelInfo
	if err := json.Unmarshal(payload, &got); err != nil {
		t.Fatal(err)
	}
	if i := got[0]; i.GPULayers != 0 || i.Note != "The attention cache is stored with 8 bits. The embedder runs on the processor." {
		t.Errorf("beside the chat model: %d layers, %q", i.GPULayers, i.Note)
	}
	for _, i := range got[1:] {
		if i.GPULayers != i.Layers || i.Note != "" {
			t.Errorf("alone: %d of %d layers, %q", i.GPULayers, i.Layers, i.Note)
		}
	}
}
