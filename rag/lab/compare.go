package lab

import (
	"cmp"
	"slices"
)

// Difference is what one figure became from one run to another, on the questions
// that both asked. Low and High are a paired 95 % bootstrap interval of Change.
type Difference struct {
	Metric string  `json:"metric"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Change float64 `json:"change"` // After minus Before
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	N      int     `json:"n"` // questions
}

// Changed is one question that fared otherwise. Before and After are the judged
// figure.
type Changed struct {
	Query          string   `json:"query"` // its id in the set
	Metric         string   `json:"metric"`
	Before         float64  `json:"before"`
	After          float64  `json:"after"`
	SearchedBefore []string `json:"searched_before"`
	SearchedAfter  []string `json:"searched_after"`
}

// Pair compares the items of two groups question by question. Better, worse and
// equal count by the judged figure: recall@5 of facts, else nDCG@5.
type Pair struct {
	Suite     string       `json:"suite"`
	Set       string       `json:"set"`
	Engine    string       `json:"engine"`
	Retriever string       `json:"retriever"`
	Shared    int          `json:"shared"` // questions that both asked
	Only      int          `json:"only"`   // questions that one of them asked
	Better    int          `json:"better"`
	Worse     int          `json:"worse"`
	Equal     int          `json:"equal"`
	Figures   []Difference `json:"figures"`
	Changed   []Changed    `json:"changed"` // the worse ones first
}

// Comparison is one run beside another.
type Comparison struct {
	Pairs   []Pair   `json:"pairs"`
	Missing []string `json:"missing"` // what only one of them measured, in sentences
}

// Compare sets a later run against an earlier one, by set, engine and retriever,
// in the order of the later one.
func Compare(before, after []Item) Comparison {
	first, firstOrder := byCell(before)
	second, order := byCell(after)
	out := Comparison{Pairs: []Pair{}, Missing: []string{}}
	for _, g := range order {
		if first[g] == nil {
			out.Missing = append(out.Missing, g.words()+" was measured in the later run only.")
			continue
		}
		out.Pairs = append(out.Pairs, pairOf(g, first[g], second[g]))
	}
	for _, g := range firstOrder {
		if second[g] == nil {
			out.Missing = append(out.Missing, g.words()+" was measured in the earlier run only.")
		}
	}
	return out
}

// ComparePersonal compares two runs of one's own tests, each by the engine and
// retriever that was in force: the first that its head names.
func ComparePersonal(before, after *Record) Pair {
	of := func(r *Record) (map[string]Item, group) {
		g := group{suite: SuiteOwn, set: TestsSet, engine: r.Head.Plan.Engines[0], retriever: r.Head.Plan.Retrievers[0], slice: SliceAll}
		cells, _ := byCell(r.Items)
		return cells[g], g
	}
	first, _ := of(before)
	second, g := of(after)
	return pairOf(g, first, second)
}

func (g group) words() string { return g.engine + " by " + g.retriever + " on " + g.set }

// byCell sorts items by what they are about, and within by question.
func byCell(items []Item) (cells map[group]map[string]Item, order []group) {
	cells = map[group]map[string]Item{}
	for _, i := range items {
		g := group{i.Suite, i.Set, i.Engine, i.Retriever, SliceAll}
		if cells[g] == nil {
			cells[g] = map[string]Item{}
			order = append(order, g)
		}
		cells[g][i.Query] = i
	}
	return cells, order
}

func pairOf(g group, before, after map[string]Item) Pair {
	p := Pair{Suite: g.suite, Set: g.set, Engine: g.engine, Retriever: g.retriever, Figures: []Difference{}, Changed: []Changed{}}
	var shared []string
	for q := range after {
		if _, ok := before[q]; ok {
			shared = append(shared, q)
		}
	}
	slices.Sort(shared)
	p.Shared, p.Only = len(shared), len(before)+len(after)-2*len(shared)
	for _, metric := range shown[g.suite] {
		if d, ok := difference(metric, shared, before, after); ok {
			p.Figures = append(p.Figures, d)
		}
	}
	p.count(judgedBy(g.suite), shared, before, after)
	return p
}

// judgedBy is the figure by which a question is better or worse.
func judgedBy(suite string) string {
	switch suite {
	case "S0": // of facts there is recall only
		return "recall@5"
	case "S7": // of rewrites alone there is no ranking
		return "token_f1"
	}
	return "ndcg@5"
}

// count tells questions that fared better from those that fared worse.
func (p *Pair) count(metric string, shared []string, before, after map[string]Item) {
	for _, q := range shared {
		a, b, ok := both(metric, before[q], after[q])
		if !ok {
			continue
		}
		switch cmp.Compare(b, a) {
		case 1:
			p.Better++
		case -1:
			p.Worse++
		default:
			p.Equal++
			continue
		}
		p.Changed = append(p.Changed, Changed{Query: q, Metric: metric, Before: a, After: b,
			SearchedBefore: append([]string{}, before[q].Prepared.SearchQueries...), SearchedAfter: append([]string{}, after[q].Prepared.SearchQueries...)})
	}
	slices.SortStableFunc(p.Changed, func(a, b Changed) int { return cmp.Compare(a.After-a.Before, b.After-b.Before) })
}

// difference is the change of a score that items have themselves; false for one
// that neither has.
func difference(metric string, shared []string, before, after map[string]Item) (Difference, bool) {
	was, is, change := newColumn(metric, len(shared)), newColumn(metric, len(shared)), newColumn(metric, len(shared))
	for i, q := range shared {
		if a, b, ok := both(metric, before[q], after[q]); ok {
			was.set(i, a, 1)
			is.set(i, b, 1)
			change.set(i, b-a, 1)
		}
	}
	if change.n == 0 {
		return Difference{}, false
	}
	between := intervals([]*column{change})[0]
	return Difference{metric, was.value(), is.value(), change.value(), between.low, between.high, change.n}, true
}
