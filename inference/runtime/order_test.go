package runtime

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestOrder(t *testing.T) {
	card := Report{Devices: []Device{{Name: "CPU", Kind: "cpu"}, {Name: "CUDA0", Kind: "gpu"}}}
	chip := Report{Devices: []Device{{Name: "Vulkan0", Kind: "igpu"}}}
	bare := Report{Devices: []Device{{Name: "CPU", Kind: "cpu"}}}
	broken := Report{Devices: bare.Devices, Backends: []Backend{{File: "libggml-cuda.so", Reason: "libcudart.so.13: cannot open shared object file"}}}
	for _, c := range []struct {
		name    string
		wanted  string
		reports map[string]Report
		want    []string
		reason  string // for cuda
		probes  int
	}{
		{"the fastest that has a card", Auto, map[string]Report{"cuda": card, "vulkan": chip}, []string{"cuda", "vulkan", "cpu"}, "", 1},
		{"without its libraries it goes back", Auto, map[string]Report{"cuda": broken, "vulkan": chip}, []string{"vulkan", "cpu", "cuda"}, "libggml-cuda.so does not load: libcudart.so.13: cannot open shared object file", 1},
		{"no card at all", Auto, map[string]Report{"cuda": bare, "vulkan": bare}, []string{"vulkan", "cpu", "cuda"}, "no graphics processor was found", 1},
		{"a driver that ends the probe", Auto, map[string]Report{"vulkan": chip}, []string{"vulkan", "cpu", "cuda"}, "it ended", 1},
		{"a person's choice is not judged", "cpu", nil, []string{"cpu", "cuda", "vulkan"}, "", 0},
		{"a choice that is not there changes nothing", "metal", nil, []string{"cuda", "vulkan", "cpu"}, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			probes := 0
			order, reasons := Order(t.Context(), []Info{{Name: "cuda", Dir: "cuda"}, {Name: "vulkan", Dir: "vulkan"}, {Name: "cpu", Dir: "cpu"}}, c.wanted,
				func(_ context.Context, dir string) (Report, error) {
					probes++
					r, ok := c.reports[dir]
					if !ok {
						return r, errors.New("it ended")
					}
					return r, nil
				})
			var got []string
			for _, f := range order {
				got = append(got, f.Name)
			}
			if !slices.Equal(got, c.want) || reasons["cuda"] != c.reason || probes != c.probes {
				t.Errorf("order %v, want %v; reasons %v; %d probes, want %d", got, c.want, reasons, probes, c.probes)
			}
		})
	}
}
