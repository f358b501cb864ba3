package lab

import "time"

// meter tells how much of a run is left. Questions that a model rewrites take
// far longer than others, so the two kinds are timed apart.
type meter struct {
	done  int
	kinds [2]struct {
		left, done int
		spent      time.Duration
	}
}

func kindOf(model bool) int {
	if model {
		return 1
	}
	return 0
}

// expect adds questions to what is left; n may be negative.
func (m *meter) expect(model bool, n int) { m.kinds[kindOf(model)].left += n }

// add notes that one question took a time.
func (m *meter) add(model bool, took time.Duration) {
	k := &m.kinds[kindOf(model)]
	k.left--
	k.done++
	k.spent += took
	m.done++
}

func (m *meter) total() int { return m.done + m.kinds[0].left + m.kinds[1].left }

// perSecond is the rate so far.
func (m *meter) perSecond() float64 {
	return ratio(float64(m.done), (m.kinds[0].spent + m.kinds[1].spent).Seconds())
}

// remaining is in seconds; 0 while a kind that is left has not been timed.
func (m *meter) remaining() float64 {
	seconds := 0.0
	for _, k := range m.kinds {
		if k.left > 0 && k.done == 0 {
			return 0
		}
		seconds += float64(k.left) * ratio(k.spent.Seconds(), float64(k.done))
	}
	return seconds
}
