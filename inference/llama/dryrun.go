package llama

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hybridgroup/yzma/pkg/llama"

	"referent/inference"
	"referent/inference/dryrun"
	"referent/inference/gguf"
	"referent/inference/offload"
	"referent/inference/process"
)

// DryRun is the child of dryrun.Run. Its arguments are the folder of the
// libraries and the trials as JSON.
func DryRun() int {
	if err := dryRun(process.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "dry run:", err)
		return 1
	}
	return 0
}

func dryRun(args []string) error {
	if len(args) != 2 {
		return errors.New("a folder and trials are needed")
	}
	var trials []dryrun.Trial
	if err := json.Unmarshal([]byte(args[1]), &trials); err != nil {
		return err
	}
	lib, err := openLibrary(args[0], nil)
	if err != nil {
		return err
	}
	out := [][]offload.Working{}
	for _, t := range trials {
		sizes, err := lib.layOut(t)
		if err != nil {
			return err
		}
		out = append(out, sizes)
	}
	payload, err := json.Marshal(out)
	if err != nil {
		return err
	}
	in, pipe := process.Stdio()
	return process.NewPipe(in, pipe).Send(dryrun.FrameSizes, payload)
}

// layOut makes model and context of a trial without memory for them.
func (lib *library) layOut(t dryrun.Trial) ([]offload.Working, error) {
	if err := gguf.Check(t.Path); err != nil {
		return nil, err
	}
	header, err := gguf.Open(t.Path)
	if err != nil {
		return nil, err
	}
	l := &load{spec: inference.LoadSpec{Roles: []inference.Role{t.Role}, Path: t.Path, Context: t.Context, KVType: string(t.Cache)}, header: header}
	if err := suits(header, l.spec); err != nil {
		return nil, err
	}
	var out []offload.Working
	for _, layers := range t.Layers {
		mark := lib.log.mark()
		if err := l.withoutMemory(layers); err != nil {
			return nil, err
		}
		w := offload.Working{Context: t.Context, Layers: layers}
		w.Device, w.Host = workingOf(lib.log.since(mark), lib.gpus())
		out = append(out, w)
	}
	return out, nil
}

// withoutMemory makes a model and a context that only know their sizes.
func (l *load) withoutMemory(layers int) error {
	params := llama.ModelDefaultParams()
	params.NGpuLayers = int32(layers)
	// Any other mode would map the file, which ends the process here.
	params.NoAlloc, params.LoadMode = 1, llama.LoadModeNone
	model, err := llama.ModelLoadFromFile(l.spec.Path, params)
	if err != nil {
		return err
	}
	defer func() { _ = llama.ModelFree(model) }()
	ctx, err := llama.InitFromModel(model, l.params(l.spec.Roles[0], layers, 1))
	if err != nil {
		return err
	}
	return llama.Free(ctx)
}

// workingOf adds up the buffers in which a context computes: the most on one
// of the devices, and all of those in main memory.
func workingOf(lines []string, gpus []device) (onDevice, onHost int64) {
	var told []string
	for _, line := range lines {
		if strings.Contains(line, "compute buffer size =") || strings.Contains(line, "output buffer size =") {
			told = append(told, line)
		}
	}
	for name, bytes := range parsePlacement(told).bytes {
		gpu := false
		for _, d := range gpus {
			gpu = gpu || d.name == name
		}
		if gpu {
			onDevice = max(onDevice, bytes)
		} else {
			onHost += bytes
		}
	}
	return onDevice, onHost
}
