package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// lane is one kind of check.
type lane struct {
	name, about string
	budget      time.Duration // promised; a run is ended at three times of it
	run         func(ctx context.Context, r *result)
	beside      bool // leaves a core free: runs beside the others
}

// result counts what a lane did. Failures hold what a reader needs to see.
type result struct {
	passed, failed, skipped int
	took                    time.Duration
	failures                []failure
	notes                   []string // lines that are worth reading though nothing failed
}

type failure struct{ name, output string }

func (r *result) pass(n int) { r.passed += n }

func (r *result) fail(name, output string) {
	r.failed++
	r.failures = append(r.failures, failure{name, output})
}

func (l lane) runIn(ctx context.Context) *result {
	r := &result{}
	started := time.Now()
	if limit := l.limit(); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	l.run(ctx, r)
	r.took = time.Since(started)
	if ctx.Err() == context.DeadlineExceeded {
		r.fail(l.name, fmt.Sprintf("the lane was ended after %s, three times its budget", r.took.Round(time.Second)))
	}
	if r.passed+r.failed == 0 {
		r.fail(l.name, "nothing ran in this lane")
	}
	return r
}

// limit is when a run is ended; 0: never, because a soak takes as long as it was
// told to.
func (l lane) limit() time.Duration {
	for _, name := range []string{"REFERENT_FUZZ_TIME", "REFERENT_KILLS", "REFERENT_SOAK"} {
		if os.Getenv(name) != "" {
			return 0
		}
	}
	return 3 * l.budget
}

func (r *result) report() string {
	var b strings.Builder
	for _, f := range r.failures {
		fmt.Fprintf(&b, "-- FAILED %s\n%s\n", f.name, strings.TrimRight(f.output, "\n"))
	}
	for _, n := range r.notes {
		fmt.Fprintln(&b, n)
	}
	fmt.Fprintf(&b, "   %d passed, %d failed, %d skipped in %s\n", r.passed, r.failed, r.skipped, r.took.Round(100*time.Millisecond))
	return b.String()
}

// summaryLines is how much of a failure's output is said again at the end.
const summaryLines = 12

// summary names the failures of a lane with the last lines of what they said,
// for a reader who sees only the end of a long output.
func (r *result) summary(lane string) string {
	var b strings.Builder
	for _, f := range r.failures {
		fmt.Fprintf(&b, "-- FAILED in %s: %s\n", lane, f.name)
		lines := strings.Split(strings.TrimSpace(f.output), "\n")
		for _, l := range lines[max(0, len(lines)-summaryLines):] {
			fmt.Fprintf(&b, "   %s\n", l)
		}
	}
	return b.String()
}

func (r *result) late(budget time.Duration) string {
	if r.took > budget {
		return "  over budget"
	}
	return ""
}
