package offload

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"referent/inference"
	"referent/inference/gguf"
)

var update = flag.Bool("update", false, "write the snapshots anew")

const (
	mib = 1 << 20
	gib = 1 << 30
)

// model is a pretend model: equal layers of some MiB, tables of others, and a
// cache of some values a token and layer.
func model(name string, layers int, layer, table, output int64, cache int64, embedding, vocabulary int64) Model {
	m := Model{Name: name, Embedding: embedding, Heads: 32, Vocabulary: vocabulary}
	m.Weights = gguf.Weights{Input: table * mib, Output: output * mib, TiedOutput: output == 0}
	for range layers {
		m.Weights.Layers = append(m.Weights.Layers, layer*mib)
		m.CacheWidth = append(m.CacheWidth, cache)
	}
	return m
}

// In the shape of models of these sizes at 4 bits.
var (
	chat1B  = model("1.5B", 28, 29, 130, 182, 512, 1536, 151936)
	chat4B  = model("4B", 36, 60, 210, 0, 2048, 2560, 151936)
	chat8B  = model("8B", 36, 120, 330, 480, 2048, 4096, 151936)
	chat27B = model("27B", 64, 235, 700, 900, 2048, 5120, 151936)
	small   = model("0.6B", 28, 16, 160, 0, 2048, 1024, 151936)
	embed   = encoder("embedder", 12, 10, 70, 384)
	rerank  = encoder("reranker", 24, 14, 270, 1024)
)

func encoder(name string, layers int, layer, table, embedding int64) Model {
	m := model(name, layers, layer, table, 0, 0, embedding, 250_000)
	m.Encoder, m.Heads = true, 12
	return m
}

func needs(answer Model, condense Model, context int) []Need {
	return []Need{
		{Role: inference.RoleAnswer, Model: answer, Context: context, Layers: -1},
		{Role: inference.RoleCondense, Model: condense, Context: 2048, Layers: -1},
		{Role: inference.RoleEmbed, Model: embed, Context: 512, Layers: -1},
		{Role: inference.RoleRerank, Model: rerank, Context: 1024, Layers: -1},
	}
}

func card(name string, total, free float64) Device {
	return Device{Name: name, Total: int64(total * gib), Free: int64(free * gib)}
}

func TestMake_PretendMachines(t *testing.T) {
	var out strings.Builder
	line := func(title string, devices []Device, n []Need) {
		p := Make(devices, n)
		fmt.Fprintf(&out, "%s: %s of %s used", title, size(p.Used), size(p.Room))
		if p.Fits {
			out.WriteString(", all fits")
		}
		out.WriteString("\n")
		for _, q := range p.Placements {
			shares := ""
			if q.Shares {
				shares = ", shares"
			}
			fmt.Fprintf(&out, "  %-8s %-8s %2d/%-2d context %5d %s %s%s\n", q.Role, q.Name, q.Layers, q.Of, q.Context, q.Cache, size(q.DeviceBytes), shares)
		}
		for _, g := range p.GivenUp {
			fmt.Fprintf(&out, "  - %s\n", g)
		}
	}
	line("no card", nil, needs(chat4B, small, 8192))
	for _, total := range []float64{2, 3, 4, 5, 6, 8, 10, 11, 12, 16, 20, 24, 32, 48} {
		devices := []Device{card("GPU0", total, total-0.4)}
		line(fmt.Sprintf("%v GB, 4B with 0.6B", total), devices, needs(chat4B, small, 8192))
		line(fmt.Sprintf("%v GB, 8B alone", total), devices, needs(chat8B, chat8B, 16384))
	}
	for _, total := range []float64{4, 8, 12, 16, 24} {
		devices := []Device{card("GPU0", total, total-0.4), card("GPU1", total, total)}
		line(fmt.Sprintf("two of %v GB, 27B with 0.6B", total), devices, needs(chat27B, small, 16384))
	}
	line("4 GB nearly full", []Device{card("GPU0", 4, 1.2)}, needs(chat1B, chat1B, 8192))
	line("8 GB, half in use", []Device{card("GPU0", 8, 4)}, needs(chat8B, chat8B, 8192))

	path := filepath.Join("testdata", "machines.txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
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

func size(n int64) string { return fmt.Sprintf("%.2f GB", float64(n)/gib) }

func TestMake_NeverGivesUpMoreWithMoreMemory(t *testing.T) {
	n := needs(chat8B, small, 16384)
	last := Make(nil, n)
	for free := int64(0); free <= 24*gib; free += 64 * mib {
		p := Make([]Device{{Name: "GPU0", Free: free, Total: 24 * gib}}, n)
		for i := range p.Placements {
			was, is := last.Placements[i], p.Placements[i]
			if is.Layers < was.Layers || is.Context < min(was.Context, Comfortable) {
				t.Fatalf("with %s free the %s model has %d layers, with less it had %d", size(free), is.Role, is.Layers, was.Layers)
			}
		}
		if p.Used > p.Room {
			t.Fatalf("with %s free the plan uses %s of %s", size(free), size(p.Used), size(p.Room))
		}
		last = p
	}
	if !last.Fits {
		t.Errorf("24 GB are not enough: %+v", last)
	}
}

func TestMake_GivesUpInOrder(t *testing.T) {
	n := needs(chat8B, small, 16384)
	var order []string
	for free := int64(24 * gib); free >= 0; free -= 32 * mib {
		p := Make([]Device{{Name: "GPU0", Free: free, Total: 24 * gib}}, n)
		for _, g := range p.GivenUp {
			key := strings.Fields(g)[1]
			if strings.HasPrefix(g, "The") && !contains(order, key) {
				order = append(order, key)
			}
		}
	}
	if got := strings.Join(order, " "); got != "context attention reranker answer embedder" {
		t.Errorf("given up in the order: %s", got)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// A person's own choice is kept, and said to be too much where it is.
func TestR067_AChoiceThatIsTooLargeIsSaid(t *testing.T) {
	n := needs(chat8B, chat8B, 8192)[:1]
	n[0].Layers = 37
	p := Make([]Device{card("GPU0", 4, 3.5)}, n)
	if p.Placements[0].Layers != 37 || !p.Over || p.Fits {
		t.Errorf("%+v", p)
	}
	n[0].Layers = 3
	if p := Make([]Device{card("GPU0", 4, 3.5)}, n); p.Placements[0].Layers != 3 || p.Over {
		t.Errorf("%+v", p)
	}
}

// Weights and cache of a 1B model fit into 2 GB, its working memory does not.
func TestR069_WorkingMemoryCounts(t *testing.T) {
	n := needs(chat1B, chat1B, 8192)[:1]
	m := n[0].Model
	bare := m.WeightBytes(m.Layers()) + m.CacheBytes(m.Layers(), 8192, CacheF16)
	// What is free above the margin holds the two, and a little more.
	two := Device{Name: "GPU0", Total: 2 * gib}
	two.Free = two.Margin() + bare + 16*mib
	if two.Free > 3*gib {
		t.Fatalf("the model is none for a small card: %d bytes", bare)
	}
	p := Make([]Device{two}, n)
	if p.Fits || len(p.GivenUp) == 0 {
		t.Errorf("predicted to fit: %+v", p)
	}
	two.Free += m.ComputeBytes(8192, microBatch)
	if p := Make([]Device{two}, n); !p.Fits {
		t.Errorf("with room for the working memory: %+v", p)
	}
	if p := Make([]Device{card("GPU0", 2, 2)}, n); p.Fits || p.Placements[0].Layers >= p.Placements[0].Of {
		t.Errorf("predicted to fit into 2 GB: %+v", p)
	}
}

func TestSizes(t *testing.T) {
	m := Model{
		Weights:    gguf.Weights{Layers: []int64{10, 20, 30}, Input: 7, Output: 5},
		CacheWidth: []int64{100, 100, 0}, // the last layer has no attention
	}
	for _, test := range []struct {
		layers         int
		weights, cache int64 // for 300 tokens, which the library rounds to 512
	}{{0, 0, 0}, {1, 5, 0}, {2, 35, 0}, {3, 55, 100 * 512 * 2}, {4, 65, 200 * 512 * 2}, {9, 65, 200 * 512 * 2}} {
		if w, c := m.WeightBytes(test.layers), m.CacheBytes(test.layers, 300, CacheF16); w != test.weights || c != test.cache {
			t.Errorf("%d layers: %d and %d, want %d and %d", test.layers, w, c, test.weights, test.cache)
		}
	}
	if got := m.CacheBytes(4, 256, CacheQ8); got != 200*256*34/32 {
		t.Errorf("q8_0: %d", got)
	}
	if m.TotalBytes() != 72 || m.Layers() != 4 {
		t.Errorf("%d bytes in %d layers", m.TotalBytes(), m.Layers())
	}
	m.Weights.Output, m.Weights.TiedOutput = 0, true
	if got := m.WeightBytes(1); got != 7 {
		t.Errorf("a tied output weighs as much as the token table: %d", got)
	}
}
