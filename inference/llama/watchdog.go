package llama

import "time"

// collapse is the fraction of the last good rate below which too many threads
// are the likely cause: one thread too many costs a factor of 300, a busy
// machine less than 10.
const collapse = 0.1

// The watchdog looks at stretches: of this many tokens, or shorter ones once
// they have taken this long. A collapsed rate must not take a minute to notice.
const (
	stretchTokens = 16
	stretchTime   = time.Second
	stretchLeast  = 3
)

// watchdog compares the rates of one kind of work with what it has reached.
type watchdog struct {
	good   float64 // tokens a second of the last good stretch; 0: none yet
	tokens int     // of the stretch under way
	spent  time.Duration
}

// observe adds work to the stretch and says whether the rate has collapsed.
func (w *watchdog) observe(tokens int, took time.Duration) (collapsed bool) {
	w.tokens += tokens
	w.spent += took
	if w.tokens < stretchTokens && (w.spent < stretchTime || w.tokens < stretchLeast) || w.spent <= 0 {
		return false
	}
	rate := float64(w.tokens) / w.spent.Seconds()
	w.tokens, w.spent = 0, 0
	if rate < w.good*collapse {
		return true
	}
	// A rate falls by itself as a context grows, but slowly: a reference that
	// followed every fall would never see a collapse in steps.
	w.good = max(rate, w.good*3/4)
	return false
}

// patience is how long work on some tokens may take before it counts as
// collapsed; 0: as long as it wants, because nothing is known yet.
func (w *watchdog) patience(tokens int) time.Duration {
	if w.good <= 0 {
		return 0
	}
	return stretchTime + time.Duration(float64(tokens)/(w.good*collapse)*float64(time.Second))
}
