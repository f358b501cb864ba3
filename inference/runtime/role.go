package runtime

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/ebitengine/purego"
	"github.com/jupiterrider/ffi"

	"referent/inference/process"
)

// ProbeRole is the child of Probe and CUDADriver. Its argument is the folder, or
// askDriver.
func ProbeRole() int {
	args := process.Args()
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "probe: one folder is needed")
		return 2
	}
	var report any
	var err error
	if args[0] == askDriver {
		report = cudaDriver()
	} else {
		report, err = probe(args[0])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		return 1
	}
	payload, err := json.Marshal(report)
	if err == nil {
		in, out := process.Stdio()
		err = process.NewPipe(in, out).Send(frameReport, payload)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		return 1
	}
	return 0
}

func probe(dir string) (Report, error) {
	var r Report
	entries, err := os.ReadDir(dir)
	if err != nil {
		return r, err
	}
	// The library passes over a plug-in that does not load without a word, so
	// each one is opened here first: the system's linker gives the reason.
	for _, e := range entries {
		if partOf(e.Name()) != partPlugin {
			continue
		}
		b := Backend{File: e.Name(), Loaded: true}
		if _, err := ffi.Load(filepath.Join(dir, e.Name())); err != nil {
			b.Loaded, b.Reason = false, err.Error()
		}
		r.Backends = append(r.Backends, b)
	}
	r.Devices, err = devices(dir)
	return r, err
}

// kinds is the enum ggml_backend_dev_type.
var kinds = []string{"cpu", "gpu", "igpu", "accel"}

// devices starts the runtime and lists what it offers. The few functions are
// bound here, because the binding of whole models is no business of a probe.
func devices(dir string) ([]Device, error) {
	var (
		loadAll     func(path string)
		count       func() uint64
		get         func(i uint64) uintptr
		name        func(device uintptr) string
		description func(device uintptr) string
		memory      func(device uintptr, free, total unsafe.Pointer)
		kind        func(device uintptr) int32
	)
	for _, lib := range []struct {
		file      string
		functions map[string]any
	}{
		{"libggml.so", map[string]any{
			"ggml_backend_load_all_from_path": &loadAll, "ggml_backend_dev_count": &count, "ggml_backend_dev_get": &get,
		}},
		{"libggml-base.so", map[string]any{
			"ggml_backend_dev_name": &name, "ggml_backend_dev_description": &description,
			"ggml_backend_dev_memory": &memory, "ggml_backend_dev_type": &kind,
		}},
	} {
		handle, err := ffi.Load(filepath.Join(dir, lib.file))
		if err != nil {
			return nil, err
		}
		for symbol, fn := range lib.functions {
			address, err := handle.Get(symbol)
			if err != nil {
				return nil, err
			}
			purego.RegisterFunc(fn, address)
		}
	}
	loadAll(dir)
	var out []Device
	for i := range count() {
		handle := get(i)
		if handle == 0 {
			continue
		}
		d := Device{Name: name(handle), Description: description(handle), Kind: "accel"}
		if k := kind(handle); k >= 0 && int(k) < len(kinds) {
			d.Kind = kinds[k]
		}
		var free, total uint64
		memory(handle, unsafe.Pointer(&free), unsafe.Pointer(&total))
		d.Free, d.Total = int64(free), int64(total)
		out = append(out, d)
	}
	return out, nil
}
