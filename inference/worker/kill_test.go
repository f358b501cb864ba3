package worker

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"referent/inference"
)

// TestKillsAtRandomMoments kills the worker five times, or as often as
// REFERENT_KILLS says: within a load, a prompt, a reply and an embedding, each
// at a step chosen by chance, and anywhere.
func TestKillsAtRandomMoments(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 1))
	d := newDriver(t, func(c *Config) { c.StateDir = t.TempDir() })
	var mu sync.Mutex
	armed, fuse, where := false, 0, byte(0) // where: the phase that burns the fuse; 0: all
	struck := map[byte]int{}
	d.gate(func(phase byte) bool {
		mu.Lock()
		defer mu.Unlock()
		if !armed || where != 0 && where != phase {
			return true
		}
		if fuse--; fuse > 0 {
			return true
		}
		armed = false
		struck[phase]++
		d.kill()
		return false
	})
	d.load(chatSpec(), embedSpec())
	e, err := d.Embedder()
	if err != nil {
		t.Fatal(err)
	}
	kills := 5
	if n, err := strconv.Atoi(os.Getenv("REFERENT_KILLS")); err == nil {
		kills = max(n, kills)
	}
	rounds := []struct {
		where byte
		steps int
	}{{'l', 20}, {'p', 3}, {'d', 65}, {'e', 9}, {0, 90}}
	for n := range kills {
		round := rounds[n%len(rounds)]
		mu.Lock()
		armed, where, fuse = true, round.where, 1+chance.IntN(round.steps)
		mu.Unlock()
		for burning := true; burning; {
			res, streamed, err := d.tell("do nothing after 0 times 0")
			if err != nil || res.Text != story || streamed != story {
				t.Fatalf("got %q, streamed %q, %v", res.Text, streamed, err)
			}
			if v, err := e.Embed(d.ctx, inference.KindPassage, []string{"one", "two", "three"}, inference.PriorityIndexing); err != nil || len(v) != 3 {
				t.Fatalf("%d vectors, %v", len(v), err)
			}
			d.load(embedSpec())
			mu.Lock()
			burning = armed
			mu.Unlock()
		}
		d.advance(6 * time.Minute)
	}
	d.expectStory()
	for _, phase := range []byte("lpde") {
		if struck[phase] == 0 {
			t.Errorf("no kill struck in the phase %q: %v", phase, struck)
		}
	}
	if left, err := filepath.Glob(filepath.Join(d.cfg.StateDir, "trying*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if left, err := os.ReadDir(filepath.Join(d.cfg.StateDir, "worker")); err != nil || len(left) != 0 {
		t.Errorf("left in the worker's folder: %v, %v", left, err)
	}
}

// kill ends the running worker from outside, as kill -9 does.
func (d *driver) kill() {
	if pid := d.PID(); pid != 0 {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}
