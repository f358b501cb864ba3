package runtime

import (
	"context"
	"slices"
)

// Auto asks Order for the runtime that works best here.
const Auto = "auto"

// Order sorts verified runtimes as they are to be tried. A wanted one goes
// first, whatever a probe says; with Auto, those whose graphics processor is not
// found here go behind the others, since a plug-in that does not load leaves a
// plain processor. probe is asked only about runtimes that have another one for
// graphics processors behind them; nil: Probe. reasons tells, by name, why one
// was moved back.
func Order(ctx context.Context, found []Info, wanted string, probe func(context.Context, string) (Report, error)) (order []Info, reasons map[string]string) {
	if probe == nil {
		probe = func(ctx context.Context, dir string) (Report, error) { return Probe(ctx, dir) }
	}
	reasons = map[string]string{}
	if wanted != Auto && wanted != "" {
		order = slices.Clone(found)
		slices.SortStableFunc(order, func(a, b Info) int {
			switch {
			case a.Name == b.Name:
				return 0
			case a.Name == wanted:
				return -1
			case b.Name == wanted:
				return 1
			}
			return 0
		})
		return order, reasons
	}
	var back []Info
	for i, f := range found {
		more := slices.ContainsFunc(found[i+1:], func(o Info) bool { return o.Name != "cpu" })
		if why := ""; f.Name != "cpu" && more {
			if report, err := probe(ctx, f.Dir); err != nil {
				why = err.Error()
			} else {
				why = report.Lacks()
			}
			if why != "" && ctx.Err() == nil {
				reasons[f.Name] = why
				back = append(back, f)
				continue
			}
		}
		order = append(order, f)
	}
	return append(order, back...), reasons
}

// Lacks says why a runtime has no graphics processor here; empty: it has one.
func (r Report) Lacks() string {
	for _, d := range r.Devices {
		if d.GPU() {
			return ""
		}
	}
	for _, b := range r.Backends {
		if !b.Loaded {
			return b.File + " does not load: " + b.Reason
		}
	}
	return "no graphics processor was found"
}

// GPU says whether layers of a model can be put on the device.
func (d Device) GPU() bool { return d.Kind == "gpu" || d.Kind == "igpu" }
