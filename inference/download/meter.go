package download

import "time"

const (
	meterWindow = 10 * time.Second       // over which a rate is taken
	meterEvery  = 200 * time.Millisecond // between two reports
)

// meter turns byte counts into a rate and tells when a report is due.
type meter struct {
	samples  []sample // oldest first, within the window
	reported time.Time
}

type sample struct {
	at   time.Time
	done int64
}

// add notes the bytes that are there at a moment.
func (m *meter) add(at time.Time, done int64) {
	for len(m.samples) > 1 && at.Sub(m.samples[0].at) > meterWindow {
		m.samples = m.samples[1:]
	}
	if n := len(m.samples); n > 1 && at.Sub(m.samples[n-2].at) < meterEvery {
		m.samples[n-1] = sample{at, done}
		return
	}
	m.samples = append(m.samples, sample{at, done})
}

// rate returns bytes a second, 0 until a second was seen.
func (m *meter) rate() float64 {
	if len(m.samples) < 2 {
		return 0
	}
	first, last := m.samples[0], m.samples[len(m.samples)-1]
	passed := last.at.Sub(first.at)
	if passed < time.Second {
		return 0
	}
	return float64(last.done-first.done) / passed.Seconds()
}

// due reports whether it is time for a report, and notes it.
func (m *meter) due(at time.Time) bool {
	if !m.reported.IsZero() && at.Sub(m.reported) < meterEvery {
		return false
	}
	m.reported = at
	return true
}
