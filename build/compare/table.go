package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// at is the value at a share of the sorted values; 0 of none.
func at(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	return s[min(len(s)-1, int(share*float64(len(s))))]
}

// row is one line: an engine beside ours.
type row struct {
	what, engine string
	t, cpu       []float64 // ms by the clock, and of the processor, all threads
	note         string
}

// print writes rows of one subject; the first is ours. The ratios are by the
// clock, and by the time of the processor, which other work on the machine
// disturbs less.
func print(to io.Writer, rows []row) {
	clock, cpu := at(rows[0].t, 0.5), at(rows[0].cpu, 0.5)
	for _, r := range rows {
		_, _ = fmt.Fprintf(to, "%-20s %-24s p50 %9.3f ms  p99 %9.3f ms  %7.1f x   processor p50 %9.3f ms  %7.1f x  %s\n", r.what, r.engine, at(r.t, 0.5), at(r.t, 0.99), at(r.t, 0.5)/clock,
			at(r.cpu, 0.5), at(r.cpu, 0.5)/cpu, r.note)
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
			start, cpu := time.Now(), cpuTime()
			if err := ask[k](q); err != nil {
				return fmt.Errorf("%s: %w", rows[k].engine, err)
			}
			if d, used := time.Since(start), cpuTime()-cpu; i >= 3 {
				rows[k].t, rows[k].cpu = append(rows[k].t, ms(d)), append(rows[k].cpu, ms(used))
			}
		}
	}
	return nil
}
