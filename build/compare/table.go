package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// times are the durations of one engine over the same queries.
type times []time.Duration

func (t times) at(share float64) float64 {
	if len(t) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(t))
	return float64(s[min(len(s)-1, int(share*float64(len(s))))]) / float64(time.Millisecond)
}

// row is one line: an engine beside ours.
type row struct {
	what, engine string
	t            times
	note         string
}

// print writes rows of one subject; the first is ours.
func print(to io.Writer, rows []row) {
	base := rows[0].t.at(0.5)
	for _, r := range rows {
		_, _ = fmt.Fprintf(to, "%-28s %-26s p50 %9.3f ms  p99 %9.3f ms  %7.1f x  %s\n", r.what, r.engine, r.t.at(0.5), r.t.at(0.99), r.t.at(0.5)/base, r.note)
	}
}

// side asks every engine each query in turn and drops the first three, which
// warm it. limit is the queries of an engine, for those that are slow.
func side[Q any](queries []Q, rows []row, ask []func(Q) error, limit []int) error {
	for i, q := range queries {
		for k := range ask {
			if i >= limit[k] {
				continue
			}
			start := time.Now()
			if err := ask[k](q); err != nil {
				return fmt.Errorf("%s: %w", rows[k].engine, err)
			}
			if d := time.Since(start); i >= 3 {
				rows[k].t = append(rows[k].t, d)
			}
		}
	}
	return nil
}
