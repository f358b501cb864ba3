package app

import (
	"context"
	"fmt"
	"slices"

	"referent/inference"
	"referent/inference/catalogue"
	"referent/inference/offload"
	"referent/inference/runtime"
	"referent/rag"
)

// FitRequest asks what would go where. GPUs pretends graphics processors of so
// many GiB each, all of it free; nil: those of this machine. Models replaces the
// chosen model of a role by another installed one.
type FitRequest struct {
	GPUs   []float64         `json:"gpus"`
	Models map[string]string `json:"models"`
	// Layers replaces the setting model.gpu_layers: -1 takes as many as fit; nil:
	// the setting.
	Layers *int `json:"layers"`
}

// Fit is a plan for the installed models, and a judgement of each model of the
// catalogue for this machine, the fastest first.
type Fit struct {
	Devices []FitDevice `json:"devices"`
	Memory  int64       `json:"memory"` // main memory in bytes; 0: not known
	Roles   []FitRole   `json:"roles"`
	GivenUp []string    `json:"given_up"`
	Room    int64       `json:"room"` // bytes on the devices, the margins taken off
	Used    int64       `json:"used"`
	Over    bool        `json:"over"` // what was chosen needs more than there is
	Models  []FitModel  `json:"models"`
}

// FitDevice is a graphics processor. Sizes are bytes.
type FitDevice struct {
	Name  string `json:"name"`
	Free  int64  `json:"free"`
	Total int64  `json:"total"`
}

// FitRole is the planned place of a role's model.
type FitRole struct {
	Role        string `json:"role"`
	Model       string `json:"model"`
	Layers      int    `json:"layers"` // on devices
	Of          int    `json:"of"`
	Context     int    `json:"context"`
	Cache       string `json:"cache"` // f16 | q8_0
	DeviceBytes int64  `json:"device_bytes"`
	HostBytes   int64  `json:"host_bytes"` // weights in main memory
	Shares      bool   `json:"shares"`
}

// FitModel is a model of the catalogue. Class is gpu, split, cpu or too_large.
type FitModel struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Roles     []string `json:"roles"`
	SizeBytes int64    `json:"size_bytes"`
	Class     string   `json:"class"`
	Installed bool     `json:"installed"`
}

// contexts are what each role holds at once, in tokens; the answer's is a setting.
var contexts = map[inference.Role]int{inference.RoleCondense: 2048, inference.RoleEmbed: 512, inference.RoleRerank: 1024}

// FitModels implements UseCases. Nothing is loaded.
func (a *App) FitModels(ctx context.Context, req FitRequest) (Fit, error) {
	devices, err := a.fitDevices(ctx, req.GPUs)
	if err != nil {
		return Fit{}, err
	}
	f := Fit{Devices: []FitDevice{}, Memory: runtime.Memory(), Roles: []FitRole{}, GivenUp: []string{}, Models: []FitModel{}}
	for _, d := range devices {
		f.Devices = append(f.Devices, FitDevice{Name: d.Name, Free: d.Free, Total: d.Total})
	}
	needs, err := a.needs(ctx, req.Models, req.Layers)
	if err != nil {
		return Fit{}, err
	}
	plan := offload.Make(devices, needs)
	f.Room, f.Used, f.Over = plan.Room, plan.Used, plan.Over
	if len(devices) > 0 {
		f.GivenUp = append(f.GivenUp, plan.GivenUp...)
	}
	for i, p := range plan.Placements {
		row := FitRole{Role: string(p.Role), Model: p.Name, Layers: p.Layers, Of: p.Of, Context: p.Context, Cache: string(p.Cache), DeviceBytes: p.DeviceBytes, Shares: p.Shares}
		if !p.Shares {
			row.HostBytes = max(0, needs[i].Model.TotalBytes()-needs[i].Model.WeightBytes(p.Layers))
		}
		f.Roles = append(f.Roles, row)
	}
	for _, e := range a.roles.entries() {
		_, installed := a.roles.find(e)
		row := FitModel{ID: e.ID, Name: e.Name, Roles: []string{}, SizeBytes: e.Size(), Class: string(judge(devices, f.Memory, e)), Installed: installed}
		for _, role := range e.Roles {
			row.Roles = append(row.Roles, string(role))
		}
		f.Models = append(f.Models, row)
	}
	slices.SortStableFunc(f.Models, func(a, b FitModel) int {
		return offload.Class(a.Class).Rank() - offload.Class(b.Class).Rank()
	})
	return f, nil
}

// judge says how a model of the catalogue would run here.
func judge(devices []offload.Device, memory int64, e catalogue.Entry) offload.Class {
	return offload.Judge(devices, memory, offload.Demand{Bytes: e.Size(), CachePerToken: int64(e.KVBytesPerToken)})
}

func (a *App) fitDevices(ctx context.Context, pretend []float64) ([]offload.Device, error) {
	if pretend == nil {
		found, _ := a.found(ctx) // without one everything runs on the processor
		return a.machine.gpus(ctx, found), nil
	}
	var out []offload.Device
	for i, size := range pretend {
		if !(size >= 1 && size <= 1024) { // also refuses NaN
			return nil, &rag.Error{Code: rag.CodeInvalidSetting, Message: "A graphics processor has from 1 to 1024 GiB of memory."}
		}
		out = append(out, offload.Device{Name: fmt.Sprintf("GPU%d", i), Free: int64(size * (1 << 30)), Total: int64(size * (1 << 30))})
	}
	return out, nil
}

// needs measures the installed model of each role; a role without one that can
// be read is left out, one that runs elsewhere too. Where this machine has a graphics processor,
// a dry run on it tells the working memory.
func (a *App) needs(ctx context.Context, instead map[string]string, layers *int) ([]offload.Need, error) {
	values := a.settings()
	var out []offload.Need
	var paths []string
	for _, role := range inference.Roles() {
		c, err := a.roles.wanted(role)
		if id := instead[string(role)]; id != "" {
			if c.entry, c.path, err = a.installed(id, role); err != nil {
				return nil, err
			}
		}
		if err != nil || remoteAddress(c.path) {
			continue
		}
		header, err := headerOf(c.path)
		if err != nil && instead[string(role)] == "" {
			continue // what cannot be read plays no role; the doctor tells of it
		}
		if err != nil {
			return nil, modelFileError(err)
		}
		wanted := layersOf(role, values)
		if layers != nil && (role == inference.RoleAnswer || *layers == 0 && values.IsAuto(layersKey[role])) {
			wanted = *layers
		}
		if n := len(out); role == inference.RoleCondense && n > 0 && paths[n-1] == c.path {
			wanted = out[n-1].Layers // one load for both
		}
		n := offload.Need{Role: role, Model: offload.Measure(header), Context: contexts[role], Layers: wanted}
		n.Model.Name = c.entry.ID // one file in two roles has one name
		if role == inference.RoleAnswer {
			n.Context = values.Int("model.context", 8192)
		}
		if n.Model.Trained > 0 {
			n.Context = min(n.Context, n.Model.Trained)
		}
		out, paths = append(out, n), append(paths, c.path)
	}
	found, _ := a.found(ctx) // without one nothing can be tried
	a.machine.measure(ctx, found, out, paths)
	return out, nil
}

// installed finds a model that can play a role.
func (a *App) installed(id string, role inference.Role) (catalogue.Entry, string, error) {
	e, ok := a.roles.byID(id)
	path := ""
	if ok {
		path, ok = a.roles.find(e)
	}
	if !ok {
		return e, "", notInstalled(id)
	}
	if !e.Plays(role) {
		return e, "", &rag.Error{Code: rag.CodeNoModel, Message: e.Name + " does not play the role " + string(role) + ".", Hint: "`referent models list` shows the roles of each model."}
	}
	return e, path, nil
}
