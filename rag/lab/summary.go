package lab

import (
	"cmp"
	"maps"
	"slices"
)

// SliceAll and SliceFollowUps are the slices beside those that questions name:
// every question, and those of S0 that are not the first of a conversation.
const (
	SliceAll       = "all"
	SliceFollowUps = "follow_up"
)

// Cell is one figure of a run. Low and High are a 95 % bootstrap interval, or
// Value itself where there is none.
type Cell struct {
	Suite     string  `json:"suite"`
	Set       string  `json:"set"`
	Engine    string  `json:"engine"`
	Retriever string  `json:"retriever"`
	Slice     string  `json:"slice"`
	Metric    string  `json:"metric"`
	Value     float64 `json:"value"`
	Low       float64 `json:"low"`
	High      float64 `json:"high"`
	N         int     `json:"n"` // questions
}

// group is what one row of a table is about.
type group struct{ suite, set, engine, retriever, slice string }

// against is the same group under another engine.
func (g group) against(engine string) group {
	g.engine = engine
	return g
}

// Summarize computes all figures of a run by set, engine, retriever and slice,
// in the order of the items. See docs/evaluation.md for what each means.
func Summarize(items []Item) []Cell {
	groups := map[group]map[string]Item{}
	var order []group
	for _, item := range items {
		slices := []string{SliceAll}
		if item.Slice != "" {
			slices = append(slices, item.Slice)
			if item.Suite == "S0" {
				slices = append(slices, SliceFollowUps)
			}
		}
		for _, slice := range slices {
			g := group{item.Suite, item.Set, item.Engine, item.Retriever, slice}
			if groups[g] == nil {
				groups[g] = map[string]Item{}
				order = append(order, g)
			}
			groups[g][item.Query] = item
		}
	}
	var out []Cell
	for _, g := range order {
		own := groups[g]
		queries := slices.Sorted(maps.Keys(own))
		columns := means(queries, own)
		if g.engine == Compressed {
			columns = append(columns, gained(queries, own, groups[g.against(Full)])...)
		} else if g.engine != "simple" {
			columns = append(columns, compared(g, queries, own, groups[g.against("simple")], groups[g.against(ReferenceRewrite)])...)
		}
		between := intervals(columns)
		for i, c := range columns {
			out = append(out, Cell{g.suite, g.set, g.engine, g.retriever, g.slice, c.metric, c.value(), between[i].low, between[i].high, c.n})
		}
		out = append(out, times(g, queries, own)...)
		if g.suite == "S9" {
			out = append(out, refusals(g, own, answerable(groups, g))...)
		}
	}
	return out
}

// gained sets compression on against off, on the questions that both were asked.
func gained(queries []string, on, off map[string]Item) []*column {
	var out []*column
	for _, metric := range []string{"packed", "answer_packed", "coverage"} {
		c := newColumn(metric+"_gain", len(queries))
		for i, q := range queries {
			if a, b, ok := both(metric, on[q], off[q]); ok {
				c.set(i, a-b, 1)
			}
		}
		if c.n > 0 {
			out = append(out, c)
		}
	}
	return out
}

// answerable are the items of S8 that were asked as a group of S9 was.
func answerable(groups map[group]map[string]Item, g group) map[string]Item {
	for other, items := range groups {
		if other.suite == "S8" && other.engine == g.engine && other.retriever == g.retriever && other.slice == SliceAll {
			return items
		}
	}
	return nil
}

// refusals are the false refusals of the answerable questions, and the balanced
// accuracy of refusing: the mean of the share of the unanswerable that are
// refused and of the answerable that are not. Both halves weigh the same,
// whatever their size.
func refusals(g group, unanswerable, answerable map[string]Item) []Cell {
	if len(answerable) == 0 {
		return nil
	}
	n := len(unanswerable) + len(answerable)
	falsely, balanced := newColumn("false_refusal", n), newColumn("balanced_accuracy", n)
	at := 0
	for _, q := range slices.Sorted(maps.Keys(unanswerable)) {
		w := 1 / float64(len(unanswerable))
		balanced.set(at, w*unanswerable[q].Scores["refused"], w)
		at++
	}
	for _, q := range slices.Sorted(maps.Keys(answerable)) {
		w := 1 / float64(len(answerable))
		balanced.set(at, w*(1-answerable[q].Scores["refused"]), w)
		falsely.set(at, answerable[q].Scores["refused"], 1)
		at++
	}
	columns := []*column{balanced, falsely}
	between := intervals(columns)
	var out []Cell
	for i, c := range columns {
		out = append(out, Cell{g.suite, g.set, g.engine, g.retriever, g.slice, c.metric, c.value(), between[i].low, between[i].high, c.n})
	}
	return out
}

// means are the scores that items have, the model calls, and the reasons of
// failed rewrites as shares of those that were tried.
func means(queries []string, items map[string]Item) []*column {
	byName := map[string]*column{}
	add := func(name string, i int, v float64) {
		if byName[name] == nil {
			byName[name] = newColumn(name, len(queries))
		}
		byName[name].set(i, v, 1)
	}
	reasons := map[string]bool{}
	for i, q := range queries {
		item := items[q]
		for name, v := range item.Scores {
			add(name, i, v)
		}
		add("model_calls", i, float64(item.Prepared.ModelCalls))
		if item.failed() {
			reasons[string(item.Prepared.Reason)] = true
		}
	}
	for i, q := range queries {
		if item := items[q]; item.tried() {
			for reason := range reasons {
				add("reason_"+reason, i, one(string(item.Prepared.Reason) == reason))
			}
		}
	}
	var out []*column
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, byName[name])
	}
	return out
}

// compared sets an engine against the plain question and the reference rewrite,
// on the questions that all of them were asked.
func compared(g group, queries []string, own, plain, reference map[string]Item) []*column {
	var out []*column
	add := func(name string, take func(c *column, i int, mine, base Item)) {
		c := newColumn(name, len(queries))
		for i, q := range queries {
			if base, ok := plain[q]; ok {
				take(c, i, own[q], base)
			}
		}
		if c.n > 0 {
			out = append(out, c)
		}
	}
	for _, metric := range []string{"recall@5", "ndcg@5"} {
		add(metric+"_gain", func(c *column, i int, mine, base Item) {
			if a, b, ok := both(metric, mine, base); ok {
				c.set(i, a-b, 1)
			}
		})
	}
	judged := "ndcg@5" // of facts there is recall only
	if g.suite == "S0" {
		judged = "recall@5"
	}
	for name, sign := range map[string]int{"better": 1, "worse": -1, "equal": 0} {
		add(name, func(c *column, i int, mine, base Item) {
			if a, b, ok := both(judged, mine, base); ok {
				c.set(i, one(cmp.Compare(a, b) == sign), 1)
			}
		})
	}
	add("gap_closed", func(c *column, i int, mine, base Item) {
		a, b, ok := both("recall@5", mine, base)
		best, there := reference[queries[i]].Scores["recall@5"]
		if ok && there && g.suite != "S6" {
			c.set(i, a-b, best-b)
		}
	})
	if g.suite == "S6" {
		add("retention", func(c *column, i int, mine, base Item) {
			if a, b, ok := both("recall@5", mine, base); ok {
				c.set(i, a, b)
			}
		})
	}
	slices.SortFunc(out, func(a, b *column) int { return cmp.Compare(a.metric, b.metric) })
	return out
}

func both(metric string, mine, base Item) (a, b float64, ok bool) {
	a, first := mine.Scores[metric]
	b, second := base.Scores[metric]
	return a, b, first && second
}

// times are the latencies, which have no interval: they are of one machine.
func times(g group, queries []string, items map[string]Item) []Cell {
	byPart := map[string][]float64{}
	for _, q := range queries {
		for part, ms := range items[q].MS {
			byPart[part] = append(byPart[part], ms)
		}
	}
	var out []Cell
	for _, part := range slices.Sorted(maps.Keys(byPart)) {
		for _, p := range []struct {
			name string
			p    float64
		}{{"_p50_ms", 50}, {"_p95_ms", 95}} {
			v := percentile(byPart[part], p.p)
			out = append(out, Cell{g.suite, g.set, g.engine, g.retriever, g.slice, part + p.name, v, v, v, len(byPart[part])})
		}
	}
	return out
}

// Find returns one figure of a summary.
func Find(cells []Cell, set, engine, retriever, slice, metric string) (Cell, bool) {
	i := slices.IndexFunc(cells, func(c Cell) bool {
		return c.Set == set && c.Engine == engine && c.Retriever == retriever && c.Slice == slice && c.Metric == metric
	})
	if i < 0 {
		return Cell{}, false
	}
	return cells[i], true
}
