package app

import "time"

const (
	paceEvery = 200 * time.Millisecond // between two reports
	paceSure  = time.Second            // after which a rate means something
)

// pace passes reports of work on files on, a few a second, with the mean rate since
// the present work began.
type pace struct {
	each  func(Transfer)
	now   func() time.Time
	last  time.Time // of the last report
	began time.Time
	first Transfer // the one that began
}

func newPace(each func(Transfer)) *pace { return &pace{each: each, now: time.Now} }

func (p *pace) tell(t Transfer) {
	now := p.now()
	fresh := p.began.IsZero() || t.ID != p.first.ID || t.State != p.first.State
	if fresh {
		p.began, p.first = now, t
	}
	if p.each == nil || !fresh && t.Done < t.Total && now.Sub(p.last) < paceEvery {
		return
	}
	p.last = now
	if passed := now.Sub(p.began); passed >= paceSure && t.Done > p.first.Done {
		t.Rate = float64(t.Done-p.first.Done) / passed.Seconds()
		t.RemainingSeconds = float64(max(0, t.Total-t.Done)) / t.Rate
	}
	p.each(t)
}
