package app

import (
	"context"
	"sync"

	"referent/inference/offload"
	"referent/inference/runtime"
)

// machine is what models can run on here. Devices are asked for in a child of
// the program, once: what is free on them then is what counts for advice.
type machine struct {
	mu      sync.Mutex
	asked   bool
	devices []offload.Device
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
