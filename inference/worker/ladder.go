package worker

import (
	"slices"
	"time"

	"referent/inference"
)

// The limits of deaths within the window: what is loaded the same way is not
// tried again after the second, and no model after the fourth.
const (
	maxAlike      = 2
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
	deaths []fall
}

// fall is a death: the rung on which it happened, whether no other model was at
// work, and whether the model worked on texts for an index.
type fall struct {
	at    time.Time
	rung  rung
	alone bool
	index bool
}

// fell records a death on the present rung. The first death of a window tries the
// same again, but a lack of memory goes a rung down at once. After that the model
// goes to a rung that answers the reason, where can says that one makes a
// difference; without such a rung the second death on the same one parks the
// model, where it was alone at work at least once. parked is also set when there
// were too many deaths altogether. A death under texts for an index lowers too,
// but is never held against the model: one of the texts may be at fault, and
// whoever indexes finds out which.
func (l *ladder) fell(death fall, why class, can func(rung) bool) (parked bool) {
	l.deaths = slices.DeleteFunc(l.deaths, func(f fall) bool { return death.at.Sub(f.at) >= restartWindow })
	death.rung = l.rung
	l.deaths = append(l.deaths, death)
	switch {
	case !death.index && l.held() > maxRestarts:
		return true
	case len(l.deaths) == 1 && why != classMemory:
		return false
	case l.lower(max(l.rung+1, answers(why)), can):
		return false
	}
	alike, sure := 0, false
	for _, f := range l.deaths {
		if !f.index && f.rung == l.rung {
			alike++
			sure = sure || f.alone
		}
	}
	return !death.index && sure && alike >= maxAlike
}

// held is how many deaths of the window count against the model.
func (l *ladder) held() int {
	n := 0
	for _, f := range l.deaths {
		if !f.index {
			n++
		}
	}
	return n
}

// answers is the first rung that may help against a reason. What is ended from
// outside was mostly ended by the system, for its memory. Any other death on a
// device may be the driver's; where there is no device it is the model's own, and
// no rung answers it.
func answers(why class) rung {
	switch why {
	case classMemory, classKilled:
		return rungSmall
	}
	return rungOther
}

// lower goes to the first useful rung from to on; false: there is none.
func (l *ladder) lower(to rung, can func(rung) bool) bool {
	for r := to; r <= rungCPU; r++ {
		if can(r) {
			l.rung = r
			return true
		}
	}
	return false
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
