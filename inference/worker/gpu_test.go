//go:build gpu

package worker

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/conformance"
	"referent/inference/gguf"
	"referent/inference/offload"
	"referent/inference/runtime"
)

// card is a runtime that finds a graphics processor on this machine.
type card struct {
	runtime string
	dir     string
	devices []offload.Device
}

// cards lists them, the fastest runtime first.
func cards(t testing.TB) []card {
	t.Helper()
	found, err := runtime.Find(cacheFolder())
	if len(found) == 0 {
		t.Fatal(err)
	}
	var out []card
	for _, f := range found {
		report, err := runtime.Probe(t.Context(), f.Dir)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		c := card{runtime: f.Name, dir: f.Dir}
		for _, d := range report.Devices {
			if d.GPU() {
				c.devices = append(c.devices, offload.Device{Name: d.Name, Free: d.Free, Total: d.Total})
			}
		}
		if len(c.devices) > 0 {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		t.Fatal("there is no graphics processor that models can run on here")
	}
	return out
}

// driver has time: where a plug-in holds no machine code for a card, the driver
// makes it at the first load.
func (c card) driver(t testing.TB) *driver {
	d := newDriver(t, func(cfg *Config) {
		cfg.RuntimeDir, cfg.Env = c.dir, append(cfg.Env, startVariable+"=real")
	})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	d.ctx = ctx
	return d
}

// starter is the starter chat model.
func starter() inference.LoadSpec {
	return inference.LoadSpec{
		Roles: []inference.Role{inference.RoleAnswer}, Context: 4096, Path: filepath.Join(cacheFolder(), "models", "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"),
		Profile: inference.Profile{ID: "starter", Name: "Starter"},
	}
}

// TestGPU_Conformance is the whole suite with no, some and all layers on the
// card, in each runtime.
func TestGPU_Conformance(t *testing.T) {
	for _, c := range cards(t) {
		for name, layers := range map[string]int{"processor": 0, "some layers": 2, "all layers": 99} {
			t.Run(c.runtime+"/"+name, func(t *testing.T) {
				models, err := conformance.Toys(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				models.Chat.GPULayers, models.Embed.GPULayers, models.Rerank.GPULayers, models.References.Spec.GPULayers = layers, layers, layers, layers
				for i := range models.Scripted {
					models.Scripted[i].Spec.GPULayers = layers
				}
				conformance.Run(t, func(t *testing.T) inference.Host { return c.driver(t).Host }, models)
			})
		}
	}
}

// TestGPU_Fit loads what fits, by the program's own plan, and compares with the
// plan: the number of layers, and the memory that the device has lost.
func TestGPU_Fit(t *testing.T) {
	header, err := gguf.Open(starter().Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cards(t) {
		t.Run(c.runtime, func(t *testing.T) {
			plan := offload.Make(c.devices, []offload.Need{{Role: inference.RoleAnswer, Model: offload.Measure(header), Context: 4096, Layers: -1}})
			want := plan.Placements[0]
			d := c.driver(t)
			spec := starter()
			spec.GPULayers = -1
			info, err := d.Load(d.ctx, spec, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("planned %d of %d layers and %.2f GiB of %.2f free; loaded %d, %s", want.Layers, want.Of, gib(want.DeviceBytes), gib(c.devices[0].Free), info.GPULayers, info.Note)
			if info.GPULayers < want.Layers || info.GPULayers == 0 {
				t.Errorf("%d layers are on the card, the plan says %d", info.GPULayers, want.Layers)
			}
			report, err := runtime.Probe(t.Context(), c.dir)
			if err != nil {
				t.Fatal(err)
			}
			var now, before int64
			for _, dev := range report.Devices {
				if dev.GPU() {
					now += dev.Free
				}
			}
			for _, dev := range c.devices {
				before += dev.Free
			}
			if took := before - now; took == 0 {
				t.Log("this driver does not tell what is free")
			} else if took > want.DeviceBytes+1<<30 {
				t.Errorf("the card has lost %.2f GiB, the plan says %.2f", gib(took), gib(want.DeviceBytes))
			}
			g, err := d.Generator(inference.RoleAnswer)
			if err != nil {
				t.Fatal(err)
			}
			res, err := g.Generate(d.ctx, inference.GenerateRequest{Messages: []inference.Message{{Role: "user", Text: "How many days has a week? Answer with one number."}}, MaxTokens: 8}, nil)
			if err != nil || !strings.Contains(res.Text, "7") {
				t.Errorf("the model says %q, %v", res.Text, err)
			}
		})
	}
}

func gib(n int64) float64 { return float64(n) / (1 << 30) }

// BenchmarkGPU_Speed is the table of speeds: tokens read and written a second
// with no, half and all layers on the card.
func BenchmarkGPU_Speed(b *testing.B) {
	header, err := gguf.Open(starter().Path)
	if err != nil {
		b.Fatal(err)
	}
	all := header.BlockCount() + 1
	for _, c := range cards(b) {
		for _, layers := range []int{0, all / 2, all} {
			b.Run(fmt.Sprintf("%s/%d-of-%d", c.runtime, layers, all), func(b *testing.B) {
				d := c.driver(b)
				spec := starter()
				spec.GPULayers = layers
				d.load(spec)
				g, err := d.Generator(inference.RoleAnswer)
				if err != nil {
					b.Fatal(err)
				}
				var prefill, decode float64
				for i := 0; b.Loop(); i++ {
					text := fmt.Sprintf("%d. ", i) + strings.Repeat("The keeper of the lighthouse writes down the weather. ", 50)
					res, err := g.Generate(d.ctx, inference.GenerateRequest{Completion: text, MaxTokens: 64}, nil)
					if err != nil {
						b.Fatal(err)
					}
					prefill, decode = prefill+res.PrefillPerSecond, decode+res.DecodePerSecond
				}
				b.ReportMetric(prefill/float64(b.N), "prefill-tok/s")
				b.ReportMetric(decode/float64(b.N), "decode-tok/s")
			})
		}
	}
}
