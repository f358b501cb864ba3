package app

import (
	"context"
	"os"
	"sync"

	"referent/inference/dryrun"
	"referent/inference/offload"
	"referent/inference/runtime"
	"referent/inference/runtime/pack"
)

// machine is what models can run on here. Devices are asked for in a child of
// the program, once: what is free on them then is what counts for advice.
type machine struct {
	mu      sync.Mutex
	asked   bool
	devices []offload.Device
	known   dryrun.Known
	orders  map[string]ordered // by the folders found and the wish
	drivers map[string]string  // by pack, what the driver here lacks for it
}

// ordered are runtimes in the order of trial, and why some went back.
type ordered struct {
	list    []runtime.Info
	reasons map[string]string
}

// order sorts runtimes. What a probe has told is remembered: drivers are not
// asked twice.
func (m *machine) order(ctx context.Context, found []runtime.Info, wanted string) ordered {
	key := wanted
	for _, f := range found {
		key += " " + f.Dir
	}
	m.mu.Lock()
	known, ok := m.orders[key]
	m.mu.Unlock()
	if ok {
		return known
	}
	var o ordered
	o.list, o.reasons = runtime.Order(ctx, found, wanted, nil)
	if ctx.Err() != nil {
		return o
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.orders == nil {
		m.orders = map[string]ordered{}
	}
	m.orders[key] = o
	return o
}

// forget makes the next caller ask anew: other libraries are in use.
func (m *machine) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked, m.devices, m.orders, m.known, m.drivers = false, nil, nil, nil, nil
}

// lacks says why a pack would not run here; empty: nothing is known to be missing.
// look asks the driver; nil: Pack.Lacks. The answer is remembered.
func (m *machine) lacks(ctx context.Context, p pack.Pack, look func(context.Context, pack.Pack) error) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if known, ok := m.drivers[p.Name]; ok {
		return known
	}
	if look == nil {
		look = func(ctx context.Context, p pack.Pack) error { return p.Lacks(ctx) }
	}
	sentence := ""
	if err := look(ctx, p); err != nil {
		sentence = modelSentence(err)
	}
	if ctx.Err() != nil {
		return ""
	}
	if m.drivers == nil {
		m.drivers = map[string]string{}
	}
	m.drivers[p.Name] = sentence
	return sentence
}

func (m *machine) forgetDriver(p pack.Pack) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.drivers, p.Name)
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
		if d.GPU() {
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
