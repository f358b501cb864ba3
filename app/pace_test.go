package app

import (
	"math"
	"testing"
	"time"
)

// Reports are spaced; after a second they tell the rate and what is left, and a
// new kind of work begins anew.
func TestPace_TellsRateAndRest(t *testing.T) {
	var told []Transfer
	clock := time.Unix(0, 0)
	p := newPace(func(t Transfer) { told = append(told, t) })
	p.now = func() time.Time { return clock }
	for _, step := range []struct {
		after       time.Duration
		state       string
		done, total int64
		reported    bool
		rate, left  float64
	}{
		{0, "copying", 100, 1100, true, 0, 0},
		{100 * time.Millisecond, "copying", 150, 1100, false, 0, 0},
		{500 * time.Millisecond, "copying", 200, 1100, true, 0, 0},
		{2 * time.Second, "copying", 300, 1100, true, 100, 8}, // 200 bytes in 2 s, 800 left
		{2100 * time.Millisecond, "copying", 1100, 1100, true, 1000 / 2.1, 0},
		{2100 * time.Millisecond, "verifying", 0, 0, true, 0, 0},
		{4100 * time.Millisecond, "verifying", 0, 0, true, 0, 0},
	} {
		clock = time.Unix(0, 0).Add(step.after)
		before := len(told)
		p.tell(Transfer{ID: "a", State: step.state, Done: step.done, Total: step.total})
		if len(told) > before != step.reported {
			t.Errorf("at %v: %d reports", step.after, len(told)-before)
			continue
		}
		if now := told[len(told)-1]; step.reported && (math.Abs(now.Rate-step.rate) > 1e-9 || math.Abs(now.RemainingSeconds-step.left) > 1e-9) {
			t.Errorf("at %v: rate %v, left %v; want %v, %v", step.after, now.Rate, now.RemainingSeconds, step.rate, step.left)
		}
	}
	newPace(nil).tell(Transfer{})
}
