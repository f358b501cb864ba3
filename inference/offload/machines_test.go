package offload

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference"
)

// fortyMachines are cards with what a desktop leaves free on the first.
func fortyMachines() [][]Device {
	var out [][]Device
	for _, total := range []float64{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 24, 32, 40, 48} {
		out = append(out, []Device{card("GPU0", total, total-0.4)})
	}
	for _, pair := range [][2]float64{{2, 2}, {2, 4}, {3, 3}, {4, 4}, {4, 6}, {4, 8}, {6, 6}, {6, 8}, {8, 8}, {8, 12}, {10, 10}, {11, 11}, {12, 12}, {12, 16}, {16, 16}, {16, 24}, {20, 20}, {24, 24}, {24, 48}, {48, 48}} {
		out = append(out, []Device{card("GPU0", pair[0], pair[0]-0.4), card("GPU1", pair[1], pair[1])})
	}
	return out
}

// advised is the largest answer model that runs on the devices as a whole, the
// smallest where none does.
func advised(devices []Device) (Model, Plan) {
	models := []Model{chat27B, chat8B, chat4B, chat1B}
	for _, m := range models {
		p := Make(devices, needs(m, small, 16384))
		if p.Placements[0].Layers == p.Placements[0].Of {
			return m, p
		}
	}
	last := models[len(models)-1]
	return last, Make(devices, needs(last, small, 16384))
}

func TestMake_FortyMachines(t *testing.T) {
	var out strings.Builder
	row := func(cells ...string) {
		fmt.Fprintf(&out, "%-8s %-5s %-6s %7s %-5s %-11s %-6s %-6s %6s %6s\n", cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8], cells[9])
	}
	row("cards GB", "chat", "layers", "context", "cache", "condense", "embed", "rerank", "used", "room")
	machines := fortyMachines()
	if len(machines) != 40 {
		t.Fatalf("%d machines", len(machines))
	}
	for _, devices := range machines {
		var names []string
		for _, d := range devices {
			names = append(names, fmt.Sprint(d.Total/gib))
		}
		m, p := advised(devices)
		at := map[inference.Role]Placement{}
		for _, q := range p.Placements {
			at[q.Role] = q
		}
		where := func(q Placement) string {
			switch {
			case q.Shares:
				return "shared"
			case q.Layers == 0:
				return "CPU"
			case q.Layers < q.Of:
				return fmt.Sprintf("%d/%d", q.Layers, q.Of)
			}
			return "GPU"
		}
		answer := at[inference.RoleAnswer]
		row(strings.Join(names, "+"), m.Name, fmt.Sprintf("%d/%d", answer.Layers, answer.Of), fmt.Sprint(answer.Context), string(answer.Cache), where(at[inference.RoleCondense]),
			where(at[inference.RoleEmbed]), where(at[inference.RoleRerank]), fmt.Sprintf("%.2f", float64(p.Used)/gib), fmt.Sprintf("%.2f", float64(p.Room)/gib))
	}
	path := filepath.Join("testdata", "forty.txt")
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("plans have changed; look at the difference and run with -update if it is right:\n%s", out.String())
	}
}

// randomModel has uneven layers, as mixtures and hybrid models do.
func randomModel(r *rand.Rand, name string) Model {
	m := model(name, 1+r.IntN(70), 1, int64(r.IntN(900)), int64(r.IntN(900)), 0, int64(256+r.IntN(5000)), int64(1000+r.IntN(250_000)))
	for i := range m.Weights.Layers {
		m.Weights.Layers[i] = int64(r.IntN(300 * mib))
		m.CacheWidth[i] = int64(r.IntN(5)) * 512
	}
	m.Encoder = r.IntN(5) == 0
	return m
}

// With more free memory no model gets fewer layers, nothing more is given up, and
// what is used stays within what is there.
func TestMake_MonotoneOnAnyMachine(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		n := []Need{{Role: inference.RoleAnswer, Model: randomModel(r, "a"), Context: 512 + r.IntN(40_000), Layers: -1}}
		if r.IntN(4) > 0 {
			c := Need{Role: inference.RoleCondense, Model: randomModel(r, "c"), Context: 2048, Layers: -1}
			if r.IntN(2) == 0 {
				c.Model = n[0].Model
			}
			n = append(n, c)
		}
		for _, role := range []inference.Role{inference.RoleEmbed, inference.RoleRerank} {
			if r.IntN(3) > 0 {
				n = append(n, Need{Role: role, Model: randomModel(r, string(role)), Context: 512, Layers: -1})
			}
		}
		devices := []Device{{Name: "GPU0", Total: 64 * gib}}
		if r.IntN(2) == 0 {
			devices = append(devices, Device{Name: "GPU1", Total: 16 * gib, Free: int64(r.IntN(16 * gib))})
		}
		last := Make(devices, n)
		for free := int64(0); free <= 64*gib; free += int64(r.IntN(512 * mib)) {
			devices[0].Free = free
			p := Make(devices, n)
			if p.Used > p.Room || p.Over {
				t.Fatalf("seed %d: with %s free the plan uses %s of %s", seed, size(free), size(p.Used), size(p.Room))
			}
			if sacrifices(p) > sacrifices(last) {
				t.Fatalf("seed %d: with %s free more is given up: %v, before %v", seed, size(free), p.GivenUp, last.GivenUp)
			}
			for i, q := range p.Placements {
				was := last.Placements[i]
				if q.Layers < was.Layers && !was.Shares || q.Context < was.Context {
					t.Fatalf("seed %d: with %s free the %s model has %d layers and %d tokens, before %d and %d", seed, size(free), q.Role, q.Layers, q.Context, was.Layers, was.Context)
				}
			}
			last = p
		}
	}
}

// sacrifices counts what was given up; fewer layers count once for all models.
func sacrifices(p Plan) int {
	n, layers := 0, 0
	for _, s := range p.GivenUp {
		if strings.Contains(s, " layers of the ") {
			layers = 1
		} else {
			n++
		}
	}
	return n + layers
}

func TestJudge(t *testing.T) {
	model := Demand{Bytes: 5 * gib, CachePerToken: 128 << 10} // 5 + 1 + 0.5 GiB
	if model.Need() != 6*gib+gib/2 {
		t.Fatalf("needs %s", size(model.Need()))
	}
	for _, c := range []struct {
		name    string
		devices []Device
		memory  int64
		want    Class
	}{
		{"all on one card", []Device{card("a", 8, 8)}, 8 * gib, OnDevice},
		{"the margin counts", []Device{card("a", 8, 7.4)}, 16 * gib, Split},
		{"all on two cards", []Device{card("a", 4, 4), card("b", 6, 6)}, 8 * gib, OnDevice},
		{"a small card gains little", []Device{card("a", 2, 2)}, 16 * gib, OnCPU},
		{"a card and little memory", []Device{card("a", 6, 6)}, 4 * gib, Split},
		{"no card", nil, 16 * gib, OnCPU},
		{"the desktop counts", nil, 8 * gib, TooLarge},
		{"memory that is not known", nil, 0, OnCPU},
	} {
		if got := Judge(c.devices, c.memory, model); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for memory := int64(gib); memory < 64*gib; memory += gib {
		for total := float64(1); total < 48; total++ {
			less, more := Judge([]Device{card("a", total, total)}, memory, model), Judge([]Device{card("a", total+1, total+1)}, memory+gib, model)
			if more.Rank() > less.Rank() {
				t.Fatalf("with more memory %s became %s", less, more)
			}
		}
	}
}
