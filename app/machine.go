package app

import (
	"context"
	"os"
	"sync"

	"referent/inference/dryrun"
	"referent/inference/offload"
	"referent/inference/runtime"
)

// machine is what models can run on here. Devices are asked for in a child of
// the program, once: what is free on them then is what counts for advice.
type machine struct {
	mu      sync.Mutex
	asked   bool
	devices []offload.Device
	known   dryrun.Known
}

// gpus returns the graphics processors, none without a runtime that finds any.
func (m *machine) gpus(ctx context.Context, found []runtime.Info) []offload.Device {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.asked || len(found) == 0 {
		return m.devices
	}
	report, err := runtime.Probe(ctx, found[0].Dir)
	if err != nil {
		return nil // the doctor tells why; the next caller asks again
	}
	m.asked = true
	for _, d := range report.Devices {
		if d.Kind == "gpu" || d.Kind == "igpu" {
			m.devices = append(m.devices, offload.Device{Name: d.Name, Free: d.Free, Total: d.Total})
		}
	}
	return m.devices
}

// measure adds to each need the working memory that a dry run on the devices
// here tells. Without devices, or where the dry run fails, it stays an estimate.
func (m *machine) measure(ctx context.Context, found []runtime.Info, needs []offload.Need, paths []string) {
	if len(m.gpus(ctx, found)) == 0 {
		return
	}
	var files []dryrun.File
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return
		}
		files = append(files, dryrun.File{Path: path, Size: info.Size(), Modified: info.ModTime().UnixNano()})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = dryrun.Known{}
	}
	if err := dryrun.Needs(ctx, found[0].Dir, needs, files, m.known); err != nil && ctx.Err() == nil {
		Log("the working memory is estimated: " + err.Error())
	}
}
