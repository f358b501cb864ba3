package llama

import "github.com/hybridgroup/yzma/pkg/llama"

// device is a processor that the library can put layers on.
type device struct {
	name   string // "CPU", "Vulkan0", …
	handle llama.GGMLBackendDevice
	gpu    bool
}

func listDevices() []device {
	var out []device
	for i := range llama.GGMLBackendDeviceCount() {
		handle := llama.GGMLBackendDeviceGet(i)
		if handle == 0 {
			continue
		}
		kind := llama.GGMLBackendDevType(handle)
		out = append(out, device{
			name:   llama.GGMLBackendDeviceName(handle),
			handle: handle,
			gpu:    kind == llama.GGMLBackendDeviceTypeGPU || kind == llama.GGMLBackendDeviceTypeIGPU,
		})
	}
	return out
}

// gpus lists the devices that layers can be offloaded to.
func (l *library) gpus() []device {
	var out []device
	for _, d := range l.devices {
		if d.gpu {
			out = append(out, d)
		}
	}
	return out
}

// memory returns the free and total memory of a device in bytes. Some drivers
// always report the total as free.
func (d device) memory() (free, total int64) {
	f, t := llama.GGMLBackendDeviceMemory(d.handle)
	return int64(f), int64(t)
}
