package offload

import (
	"fmt"
	"slices"

	"referent/inference"
)

// Comfortable is the context that a turn needs, in tokens; more is the first
// thing to go.
const Comfortable = 8192

// Sizes of a micro-batch in tokens on a device.
const microBatch = 512

// Device is a graphics processor as the worker sees it.
type Device struct {
	Name  string `json:"name"`
	Free  int64  `json:"free"`
	Total int64  `json:"total"`
}

// Margin is kept free on a device, which draws the screen too: the larger of
// 1 GiB and 8 % of its memory.
func (d Device) Margin() int64 { return max(1<<30, d.Total*8/100) }

// Need is a model in a role.
type Need struct {
	Role    inference.Role `json:"role"`
	Model   Model          `json:"model"`
	Context int            `json:"context"` // tokens
	Layers  int            `json:"layers"`  // -1: as many as fit; otherwise what the person chose
}

// Placement is what a plan gives to a need.
type Placement struct {
	Role        inference.Role `json:"role"`
	Name        string         `json:"name"`
	Layers      int            `json:"layers"` // on devices
	Of          int            `json:"of"`     // layers of the model, the output included
	Context     int            `json:"context"`
	Cache       CacheType      `json:"cache"`
	DeviceBytes int64          `json:"device_bytes"`
	Shares      bool           `json:"shares"` // uses the weights of the answer model
}

// Plan is the outcome: a placement a need, in the order of the needs, and in
// sentences what was given up.
type Plan struct {
	Placements []Placement `json:"placements"`
	GivenUp    []string    `json:"given_up"`
	Room       int64       `json:"room"` // bytes on all devices, the margins taken off
	Used       int64       `json:"used"` // of them
	Fits       bool        `json:"fits"` // nothing was given up
	Over       bool        `json:"over"` // what the person chose needs more than there is
}

// step is one sacrifice, in order.
type step int

const (
	shortContext step = iota
	smallCache
	rerankOnCPU
	condenseShares
	embedOnCPU
	fewerLayers
	steps
)

// Make plans the needs on the devices. Needs that share a model file with the
// answer should be given as the role condense with the same Model.Name.
func Make(devices []Device, needs []Need) Plan {
	var room int64
	for _, d := range devices {
		room += max(0, d.Free-d.Margin())
	}
	var p Plan
	for given := step(0); given <= steps; given++ {
		p = attempt(devices, needs, given, room)
		if p.Used <= room {
			break
		}
	}
	p.Room = room
	p.Fits = p.Used <= room && len(p.GivenUp) == 0
	p.Over = p.Used > room
	return p
}

// attempt places everything with the first given sacrifices made.
func attempt(devices []Device, needs []Need, given step, room int64) Plan {
	var p Plan
	made := func(s step) bool { return s < given }
	for _, n := range needs {
		p.Placements = append(p.Placements, place(n, made, &p, needs))
	}
	if len(devices) == 0 || made(fewerLayers) {
		p.reduce(needs, devices, room)
	}
	p.Used = 0
	for i := range p.Placements {
		p.Placements[i].DeviceBytes = deviceBytes(modelOf(p.Placements[i], needs, i), p.Placements[i], len(devices))
		p.Used += p.Placements[i].DeviceBytes
	}
	return p
}

// place is a need with everything on the device that was not given up.
func place(n Need, made func(step) bool, p *Plan, needs []Need) Placement {
	out := Placement{Role: n.Role, Name: n.Model.Name, Layers: n.Model.Layers(), Of: n.Model.Layers(), Context: n.Context, Cache: CacheF16}
	if n.Layers >= 0 {
		out.Layers = min(n.Layers, out.Of)
	}
	chosen := n.Layers >= 0
	if made(shortContext) && out.Context > Comfortable && !n.Model.Encoder {
		out.Context = Comfortable
		p.GivenUp = append(p.GivenUp, fmt.Sprintf("The context of the %s model is %d tokens instead of %d.", n.Role, Comfortable, n.Context))
	}
	if made(smallCache) && !n.Model.Encoder {
		out.Cache = CacheQ8
		if n.Role == inference.RoleAnswer {
			p.GivenUp = append(p.GivenUp, "The attention cache is stored with 8 bits.")
		}
	}
	if n.Role == inference.RoleRerank && made(rerankOnCPU) && !chosen {
		out.Layers = 0
		p.GivenUp = append(p.GivenUp, "The reranker runs on the processor.")
	}
	if n.Role == inference.RoleCondense {
		if answer := slices.IndexFunc(needs, func(o Need) bool { return o.Role == inference.RoleAnswer }); answer >= 0 {
			same := needs[answer].Model.Name == n.Model.Name
			if same || made(condenseShares) {
				out.Shares = true
			}
			if !same && made(condenseShares) {
				out.Name, out.Of = needs[answer].Model.Name, needs[answer].Model.Layers()
				out.Layers = min(out.Layers, out.Of)
				p.GivenUp = append(p.GivenUp, "The answer model also rewrites the questions.")
			}
		}
	}
	if n.Role == inference.RoleEmbed && made(embedOnCPU) && !chosen {
		out.Layers = 0
		p.GivenUp = append(p.GivenUp, "The embedder runs on the processor.")
	}
	return out
}

// reduce lowers the layers of the automatic chat models until all fits.
func (p *Plan) reduce(needs []Need, devices []Device, room int64) {
	fits := func(layers int) bool {
		var used int64
		for i, q := range p.Placements {
			if needs[i].Layers < 0 {
				q.Layers = min(q.Layers, layers)
			}
			used += deviceBytes(modelOf(q, needs, i), q, len(devices))
		}
		return used <= room
	}
	most := 0
	for _, q := range p.Placements {
		most = max(most, q.Layers)
	}
	n := most
	for n > 0 && (len(devices) == 0 || !fits(n)) {
		n--
	}
	for i := range p.Placements {
		q := &p.Placements[i]
		if needs[i].Layers >= 0 || q.Layers <= n {
			continue
		}
		q.Layers = n
		if !q.Shares && len(devices) > 0 {
			p.GivenUp = append(p.GivenUp, fmt.Sprintf("%d of %d layers of the %s model run on the graphics processor.", n, q.Of, q.Role))
		}
	}
}

// deviceBytes is what a placement takes on the devices. Each device has
// working memory of its own.
func deviceBytes(m Model, q Placement, devices int) int64 {
	if q.Layers <= 0 || devices == 0 {
		return 0
	}
	sum := m.CacheBytes(q.Layers, q.Context, q.Cache) + m.ComputeBytes(q.Context, microBatch)*int64(devices)
	if !q.Shares {
		sum += m.WeightBytes(q.Layers)
	}
	return sum
}

// modelOf is the model that a placement really runs.
func modelOf(q Placement, needs []Need, i int) Model {
	for _, n := range needs {
		if q.Shares && n.Role == inference.RoleAnswer {
			return n.Model
		}
	}
	return needs[i].Model
}
