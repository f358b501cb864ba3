package library

import (
	"testing"
	"time"
)

// On battery reading rests before each file; what a question needs does not
// wait, and nothing does while somebody waits for all of it.
func TestReadingIsSlowOnBattery(t *testing.T) {
	battery, clock := true, newFakeClock()
	l := New(Deps{Clock: clock, Battery: func() bool { return battery }})
	if !l.spares() {
		t.Fatal("on battery nothing is spared")
	}
	release := l.waitsFor()
	if l.spares() {
		t.Error("somebody waits, and the battery is spared")
	}
	l.giveWay(t.Context()) // comes back at once
	release()
	rested := make(chan struct{})
	go func() {
		defer close(rested)
		l.giveWay(t.Context())
	}()
	l.ReadFirst(1) // before or after it rests
	<-rested
	battery = false
	if !l.spares() {
		t.Error("the system was asked again at once")
	}
	clock.advance(batteryAge)
	if l.spares() {
		t.Error("plugged in, the battery is spared")
	}
}

func TestPowerIsAskedNowAndThen(t *testing.T) {
	var p power
	asked, now := 0, time.Now()
	ask := func() bool { asked++; return asked == 1 }
	for _, at := range []time.Duration{0, time.Second, batteryAge - 1, batteryAge, batteryAge + time.Second} {
		p.battery(ask, now.Add(at))
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}
