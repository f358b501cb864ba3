package chat

// A reply is a loop when its last tokens repeat with one period. Tables and
// lists repeat too, but not for this long.
const (
	loopPeriod  = 128 // longest period looked for, in tokens
	loopTokens  = 48  // tokens that must repeat what stood one period before
	loopPeriods = 3   // whole periods that must repeat
)

// Loop notices a reply that repeats itself. The zero value is ready.
type Loop struct {
	tokens []int32
	run    [loopPeriod + 1]int // run[p]: how many tokens in a row equal the one p before
}

// Push takes the next token and says whether the reply has become a loop.
func (l *Loop) Push(token int32) bool {
	l.tokens = append(l.tokens, token)
	n := len(l.tokens)
	looping := false
	for p := 1; p <= min(loopPeriod, n-1); p++ {
		if l.tokens[n-1-p] != token {
			l.run[p] = 0
			continue
		}
		l.run[p]++
		if l.run[p] >= max(loopTokens, loopPeriods*p) {
			looping = true
		}
	}
	return looping
}
