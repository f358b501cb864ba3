//go:build models && linux

package worker

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/conformance"
)

// TestKillsAtRandomMomentsOfRealWork kills the worker with the real libraries in
// it, five times or as often as REFERENT_KILLS says: some time after a load, a
// long prompt, a reply or an embedding has begun. Every call is answered all the
// same, and so is the next one.
func TestKillsAtRandomMomentsOfRealWork(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 2))
	models, err := conformance.Toys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := newDriver(t, func(c *Config) {
		real, _ := realChat()
		c.RuntimeDir, c.Threads, c.Env, c.StateDir = real.RuntimeDir, 1, append(c.Env, real.Env...), t.TempDir()
	})
	temporary := t.TempDir() // for the workers, not for the driver
	t.Setenv("TMPDIR", temporary)
	models.Chat.Roles, models.Embed.Roles = []inference.Role{inference.RoleAnswer}, []inference.Role{inference.RoleEmbed}
	d.load(models.Chat, models.Embed)
	g, err := d.Generator(inference.RoleAnswer)
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(text string) (inference.GenerateResult, string) {
		t.Helper()
		var streamed strings.Builder
		res, err := g.Generate(d.ctx, inference.GenerateRequest{Messages: []inference.Message{{Role: "user", Text: text}}}, func(p inference.Piece) error {
			streamed.WriteString(p.Text)
			return nil
		})
		if err != nil || res.Text == "" || res.Text != streamed.String() {
			t.Fatalf("%.20q got %q, streamed %q, %v", text, res.Text, streamed.String(), err)
		}
		return res, res.Text
	}
	embed := func(texts ...string) [][]float32 {
		t.Helper()
		v, err := e.Embed(d.ctx, inference.KindPassage, texts, inference.PriorityIndexing)
		if err != nil || len(v) != len(texts) {
			t.Fatalf("%d vectors, %v", len(v), err)
		}
		return v
	}
	_, said := ask("?")
	texts := slices.Repeat([]string{strings.Repeat("the boiler is serviced ", 60)}, 12)
	vector := embed(texts[0])[0]
	long := strings.Repeat("ship ", 120)
	work := []func(){
		func() { d.load(models.Chat) },
		func() { ask(long) },
		func() { ask("?") },
		func() { embed(texts...) },
	}
	usual := make([]time.Duration, len(work)) // how long each takes
	for i, do := range work {
		began := time.Now()
		do()
		usual[i] = time.Since(began)
	}
	kills := 5
	if n, err := strconv.Atoi(os.Getenv("REFERENT_KILLS")); err == nil {
		kills = max(n, kills)
	}
	for n := range kills {
		i := n % len(work)
		before := len(d.kinds())
		for died := false; !died; died = slices.Contains(d.kinds()[before:], EventDied) { // a kill that came too late is tried again
			killer := time.AfterFunc(time.Duration(chance.Int64N(int64(usual[i])+1)), d.kill)
			work[i]()
			killer.Stop()
		}
		d.advance(6 * time.Minute)
		if _, again := ask("?"); again != said {
			t.Fatalf("after kill %d the model says %q, before it %q", n+1, again, said)
		}
		if again := embed(texts[0])[0]; !slices.Equal(again, vector) {
			t.Fatalf("after kill %d the vector is another one", n+1)
		}
	}
	for _, place := range []string{temporary, filepath.Join(d.cfg.StateDir, "worker")} {
		if left, err := os.ReadDir(place); err != nil || len(left) != 0 {
			t.Errorf("left in %s: %v, %v", place, left, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(d.cfg.StateDir, "trying*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if pids := children(t); !slices.Equal(pids, []int{d.PID()}) {
		t.Errorf("the processes %v live, want the one worker %d", pids, d.PID())
	}
}
