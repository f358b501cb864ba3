//go:build models || !race

package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestR075_BombsEndInAStatusWithinTheCaps sends hostile files through workers and
// watches how much memory any of them ever had. The kernel keeps the greatest
// size of a process while it lives, so that only what a worker takes in the last
// moments before it is killed can be missed. The race detector would take several
// times as much memory, and minutes: the test runs with those on real models.
func TestR075_BombsEndInAStatusWithinTheCaps(t *testing.T) {
	var most atomic.Int64 // kB
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				most.Store(max(most.Load(), greatest(children())))
			}
		}
	}()
	bombs(t)
	close(stop)
	<-stopped
	mb := most.Load() << 10 / 1_000_000
	t.Logf("the largest worker had %d MB", mb)
	if mb == 0 || mb > 600 {
		t.Errorf("a worker had %d MB in memory, it may have 600", mb)
	}
}

// children are the processes that this one has started.
func children() (pids []string) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", os.Getpid()))
	for _, task := range tasks {
		list, _ := os.ReadFile(task) // a thread may have ended
		pids = append(pids, strings.Fields(string(list))...)
	}
	return pids
}

// greatest is the most memory in kB that any of the processes has had since it
// became the program that it is. Before that it is a copy of the test itself, told
// by its command line without the role.
func greatest(pids []string) (kb int64) {
	for _, pid := range pids {
		line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
		status, _ := os.ReadFile("/proc/" + pid + "/status") // it may have ended
		if !strings.Contains(string(line), Role) {
			continue
		}
		for field := range strings.Lines(string(status)) {
			var n int64
			if _, err := fmt.Sscanf(field, "VmHWM: %d kB", &n); err == nil {
				kb = max(kb, n)
			}
		}
	}
	return kb
}
