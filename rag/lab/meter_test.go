package lab

import (
	"testing"
	"time"
)

func TestMeter_TimesTheTwoKindsApart(t *testing.T) {
	var m meter
	m.expect(true, 4)
	m.expect(false, 100)
	if m.total() != 104 || m.remaining() != 0 || m.perSecond() != 0 {
		t.Errorf("nothing was timed: %d, %v, %v", m.total(), m.remaining(), m.perSecond())
	}
	m.add(false, 10*time.Millisecond)
	if m.remaining() != 0 {
		t.Error("what a rewrite takes is not known yet")
	}
	m.add(true, 2*time.Second)
	// 3 rewrites of 2 s and 99 others of 10 ms are left; 2 of 2.01 s are done.
	if got := m.remaining(); !near(got, 6.99) {
		t.Errorf("%v s are left", got)
	}
	if got := m.perSecond(); !near(got, 2/2.01) || m.done != 2 {
		t.Errorf("%v a second", got)
	}
	m.expect(true, -3) // no such model
	if got := m.remaining(); !near(got, 0.99) || m.total() != 101 {
		t.Errorf("%v s of %d", got, m.total())
	}
}
