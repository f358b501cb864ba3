package worker

import (
	"time"

	"referent/inference/process"
)

// hung decides whether a worker with work makes no progress. A worker that
// computes without a sign of life (a slow machine, a large step) gets ten times
// the limit: it counts as computing when it used a twentieth of one processor,
// which is what is left to it beside much other work.
func hung(idle, limit, processor time.Duration) bool {
	if idle < limit {
		return false
	}
	return processor < idle/20 || idle >= 10*limit
}

// guard kills the worker when it hangs. It ends with the session.
func (s *session) guard() {
	ticker := time.NewTicker(max(s.hang/8, time.Millisecond))
	defer ticker.Stop()
	var since time.Time          // the activity that base belongs to
	var base, used time.Duration // processor time then and now
	for {
		select {
		case <-s.dead:
			return
		case now := <-ticker.C:
			s.mu.Lock()
			working, last := len(s.calls) > 0, s.activity
			s.mu.Unlock()
			used, _ = s.child.CPUTime()
			if !working || !last.Equal(since) {
				since, base = last, used
				continue
			}
			if hung(now.Sub(last), s.hang, used-base) {
				s.child.KillAs(process.DeathHang)
			}
		}
	}
}
