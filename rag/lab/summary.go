package lab

import (
	"fmt"
	"slices"
	"strings"
)

// SliceAll and SliceFollowUps are the two slices beside the kinds: every turn
// with references, and those of them that are not the first.
const (
	SliceAll       = "all"
	SliceFollowUps = "follow_up"
)

// Cell is one figure of the table.
type Cell struct {
	Engine    string  `json:"engine"`
	Retriever string  `json:"retriever"`
	Slice     string  `json:"slice"`
	Metric    string  `json:"metric"` // recall@1, recall@3, recall@5, failed
	Value     float64 `json:"value"`
	N         int     `json:"n"` // turns
}

// Summarize computes recall at each depth by engine, retriever and slice, and
// the share of failed rewrites. Recall of a turn is the share of its references
// that were found. Turns without references count only for failures.
func Summarize(items []Item) []Cell {
	type key struct{ engine, retriever, slice, metric string }
	sums, counts := map[key]float64{}, map[key]int{}
	var order []key
	add := func(k key, v float64) {
		if counts[k] == 0 {
			order = append(order, k)
		}
		sums[k] += v
		counts[k]++
	}
	for _, item := range items {
		slices := []string{SliceAll}
		if item.Kind != KindFirst {
			slices = append(slices, SliceFollowUps, string(item.Kind))
		}
		for _, slice := range slices {
			failed := 0.0
			if item.Prepared.Reason != "" {
				failed = 1
			}
			add(key{item.Engine, item.Retriever, slice, "failed"}, failed)
			if len(item.Ranks) == 0 {
				continue
			}
			for _, depth := range Depths {
				found := 0
				for _, rank := range item.Ranks {
					if rank > 0 && rank <= depth {
						found++
					}
				}
				add(key{item.Engine, item.Retriever, slice, fmt.Sprintf("recall@%d", depth)}, float64(found)/float64(len(item.Ranks)))
			}
		}
	}
	var out []Cell
	for _, k := range order {
		out = append(out, Cell{k.engine, k.retriever, k.slice, k.metric, sums[k] / float64(counts[k]), counts[k]})
	}
	return out
}

// Find returns one figure of a summary.
func Find(cells []Cell, engine, retriever, slice, metric string) (Cell, bool) {
	i := slices.IndexFunc(cells, func(c Cell) bool {
		return c.Engine == engine && c.Retriever == retriever && c.Slice == slice && c.Metric == metric
	})
	if i < 0 {
		return Cell{}, false
	}
	return cells[i], true
}

// Table writes a summary for people: a row for each engine and retriever, a
// column for each slice, each cell recall at the three depths.
func Table(cells []Cell) string {
	columns := []string{SliceAll, SliceFollowUps}
	for _, k := range kinds {
		if k != KindUnanswerable {
			columns = append(columns, string(k))
		}
	}
	type row struct{ engine, retriever string }
	var rows []row
	for _, c := range cells {
		if r := (row{c.Engine, c.Retriever}); !slices.Contains(rows, r) {
			rows = append(rows, r)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-17s %-8s", "engine", "search")
	for _, slice := range columns {
		n := 0
		if len(rows) > 0 {
			c, _ := Find(cells, rows[0].engine, rows[0].retriever, slice, "recall@1")
			n = c.N
		}
		fmt.Fprintf(&b, "  %-18s", fmt.Sprintf("%s (%d)", slice, n))
	}
	fmt.Fprintf(&b, "  failed\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "%-17s %-8s", r.engine, r.retriever)
		for _, slice := range columns {
			var parts []string
			for _, depth := range Depths {
				c, ok := Find(cells, r.engine, r.retriever, slice, fmt.Sprintf("recall@%d", depth))
				if !ok {
					parts = append(parts, "  – ")
					continue
				}
				parts = append(parts, fmt.Sprintf("%.2f", c.Value))
			}
			fmt.Fprintf(&b, "  %-18s", strings.Join(parts, " "))
		}
		c, _ := Find(cells, r.engine, r.retriever, SliceFollowUps, "failed")
		fmt.Fprintf(&b, "  %.0f %%\n", 100*c.Value)
	}
	return b.String()
}
