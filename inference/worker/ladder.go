package worker

import (
	"slices"
	"time"

	"referent/inference"
)

// The limits of restarts: more deaths than this within the window park a model.
const (
	maxRestarts   = 3
	restartWindow = 5 * time.Minute
)

// Settings of the lower rungs.
const (
	smallUBatch = 256
	smallKV     = "q8_0"
	moreMargin  = 1 << 30 // bytes
)

// rung is how carefully a model is loaded. Each rung keeps what the ones above
// it gave up.
type rung int

const (
	rungPlain  rung = iota // as asked
	rungSmall              // smaller steps, smaller cache entries
	rungMargin             // more device memory left free
	rungOther              // another runtime
	rungCPU                // no layer on a device
)

// ladder is where one model stands, and its recent deaths.
type ladder struct {
	rung   rung
	deaths []time.Time
}

// fell records a death at now. The first death of a window tries the same
// again; the next ones go one rung down, a lack of memory at once, a failing
// device straight to another runtime. can tells which rungs make a difference
// for this model. parked is set when there were too many deaths.
func (l *ladder) fell(now time.Time, why class, can func(rung) bool) (parked bool) {
	l.deaths = slices.DeleteFunc(l.deaths, func(t time.Time) bool { return now.Sub(t) >= restartWindow })
	l.deaths = append(l.deaths, now)
	if len(l.deaths) > maxRestarts {
		return true
	}
	first := len(l.deaths) == 1
	switch {
	case why == classMemory:
		l.lower(l.rung+1, can)
	case first:
	case why == classDevice:
		l.lower(max(l.rung+1, rungOther), can)
	default:
		l.lower(l.rung+1, can)
	}
	return false
}

// lower goes to the first useful rung from to on; there may be none.
func (l *ladder) lower(to rung, can func(rung) bool) {
	for r := to; r <= rungCPU; r++ {
		if can(r) {
			l.rung = r
			return
		}
	}
}

// useful tells which rungs change anything for a specification.
func useful(spec inference.LoadSpec, runtimes int) func(rung) bool {
	return func(r rung) bool {
		switch r {
		case rungMargin, rungCPU:
			return spec.GPULayers != 0
		case rungOther:
			return spec.GPULayers != 0 && runtimes > 1
		}
		return true
	}
}

// apply returns the specification as it is loaded on a rung.
func (r rung) apply(spec inference.LoadSpec) inference.LoadSpec {
	if r >= rungSmall {
		spec.UBatch, spec.KVType = smallUBatch, smallKV
	}
	if r >= rungMargin && spec.GPULayers != 0 {
		spec.MarginBytes += moreMargin
	}
	if r >= rungCPU {
		spec.GPULayers = 0
	}
	return spec
}

// sentence says what a rung means; empty for the plain one.
func (r rung) sentence() string {
	switch r {
	case rungSmall:
		return "It is loaded with smaller buffers now, which is a little slower."
	case rungMargin:
		return "It leaves more graphics memory free now, so fewer layers may be on the graphics device."
	case rungOther:
		return "It uses another runtime now."
	case rungCPU:
		return "It runs on the processor only now, which is slower."
	}
	return ""
}
