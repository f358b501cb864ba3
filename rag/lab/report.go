package lab

import (
	"cmp"
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

//go:embed report.html
var reportPage string

// reportTemplate is parsed once; a fault in it is one of the build. It is cloned
// before it is filled, so that each page has its own language.
var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{"say": inEnglish}).Parse(reportPage))

func inEnglish(text string) string { return text }

// Report is a run as one page that needs nothing else: no script, no file, no
// address. Every plot has a table beside it.
type Report struct {
	Head    Head
	Items   []Item
	Against *Record // an earlier run that it is compared with; nil: none
	// Language is the tag of the page's language and Say says a text in it; both
	// empty: English.
	Language string
	Say      func(text string) string
}

// reportView is what the page is filled with.
type reportView struct {
	Title, Started, Version, Machine string
	Language                         string
	Questions                        int
	Suites, Engines, Retrievers      string
	Models                           []named
	Settings                         []named
	Verdict                          Verdict
	Candidates                       []candidateView
	Mode                             ModeVerdict
	Modes                            []modeView
	Failures                         []string
	Reasons                          []reasonView
	Sets                             []setView
	Against                          string
	Pairs                            []pairView
	Missing                          []string
}

type named struct{ Name, Value string }

type candidateView struct {
	Engine, Closed, FollowUps, Talks, Retention, Fallback, Added, Verdict string
	Chosen                                                                bool
}

type modeView struct {
	Mode, Grounded, Supported, Coverage, Refused, Falsely, Balanced, Overflow, Verdict string
	Numbers                                                                            int
	Chosen                                                                             bool
}

type reasonView struct{ Engine, Set, Reason, Share string }

type setView struct {
	Suite, Set, Describe string
	Plots                []plot
	Metrics              []string
	Rows                 []rowView
}

type rowView struct {
	Engine, Retriever, Slice string
	N                        int
	Figures                  []string
	Failed, P50, P95         string
	Chosen                   bool
}

type pairView struct {
	Pair
	Rows []figureView
}

type figureView struct {
	Metric, Before, After, Change, Between string
}

// Write writes the page.
func (r Report) Write(w io.Writer) error {
	cells := Summarize(r.Items)
	view := reportView{Language: cmp.Or(r.Language, "en"), Title: "Referent Lab", Started: r.Head.Started.UTC().Format("2 January 2006, 15:04 UTC"), Version: r.Head.Version, Machine: r.Head.Machine,
		Questions: len(r.Items), Suites: strings.Join(r.Head.Plan.Suites, ", "), Engines: strings.Join(r.Head.Plan.Engines,
			", "), Retrievers: strings.Join(r.Head.Plan.Retrievers, ", "),
		Verdict: Judge(r.Items), Mode: JudgeModes(r.Items), Failures: FailedRewrites(cells), Missing: []string{}}
	for _, name := range slices.Sorted(maps.Keys(r.Head.Models)) {
		view.Models = append(view.Models, named{name, r.Head.Models[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Head.Settings)) {
		view.Settings = append(view.Settings, named{name, fmt.Sprint(r.Head.Settings[name])})
	}
	for _, c := range view.Verdict.Candidates {
		view.Candidates = append(view.Candidates, candidateOf(c, view.Verdict.Engine))
	}
	for _, c := range view.Mode.Candidates {
		view.Modes = append(view.Modes, modeOf(c, view.Mode.Mode))
	}
	view.Reasons = reasonsOf(cells)
	var done []string
	for _, c := range cells {
		if !slices.Contains(done, c.Set) {
			done = append(done, c.Set)
			view.Sets = append(view.Sets, setOf(cells, c.Suite, c.Set, view.Verdict.Engine))
		}
	}
	if r.Against != nil {
		view.Against = r.Against.Head.Started.UTC().Format(time.RFC3339)
		compared := Compare(r.Against.Items, r.Items)
		view.Missing = compared.Missing
		for _, p := range compared.Pairs {
			view.Pairs = append(view.Pairs, pairViewOf(p))
		}
	}
	page, err := reportTemplate.Clone()
	if err != nil {
		return err
	}
	if r.Say != nil {
		page.Funcs(template.FuncMap{"say": r.Say})
	}
	return page.Execute(w, view)
}

func optional(v *float64, format string) string {
	if v == nil {
		return "–"
	}
	return fmt.Sprintf(format, *v)
}

func candidateOf(c Candidate, chosen string) candidateView {
	v := candidateView{Engine: c.Engine, Closed: optional(c.Closed, "%.3f"), FollowUps: optional(c.FollowUps, "%.3f"), Talks: optional(c.Talks, "%.3f"),
		Retention: optional(c.Retention, "%.3f"), Fallback: optional(c.Fallback, "%.3f"), Added: optional(c.AddedMS, "%.0f ms"), Chosen: c.Engine == chosen}
	v.Verdict = outcomeOf(v.Chosen, c.Vetoes)
	return v
}

func modeOf(c ModeCandidate, chosen string) modeView {
	v := modeView{Mode: c.Mode, Grounded: optional(c.Grounded, "%.3f"), Numbers: c.Numbers, Supported: optional(c.Supported, "%.3f"), Coverage: optional(c.Coverage, "%.3f"),
		Refused: optional(c.Refused, "%.3f"), Falsely: optional(c.Falsely, "%.3f"), Balanced: optional(c.Balanced, "%.3f"), Overflow: optional(c.Overflow, "%.3f"), Chosen: c.Mode == chosen}
	v.Verdict = outcomeOf(v.Chosen, c.Vetoes)
	return v
}

// outcomeOf is what the rule says of one engine or answer mode.
func outcomeOf(chosen bool, vetoes []string) string {
	switch {
	case chosen:
		return "default"
	case len(vetoes) > 0:
		return "veto: " + strings.Join(vetoes, "; ")
	}
	return "no veto"
}

// reasonsOf lists why rewrites could not be used, over all questions of each set.
func reasonsOf(cells []Cell) []reasonView {
	var out []reasonView
	for _, c := range cells {
		if reason, ok := strings.CutPrefix(c.Metric, "reason_"); ok && c.Slice == SliceAll && c.Value > 0 {
			out = append(out, reasonView{c.Engine + " by " + c.Retriever, c.Set, reason, fmt.Sprintf("%.1f %%", 100*c.Value)})
		}
	}
	return out
}

func number(v float64) string { return fmt.Sprintf("%.3f", v) }

func milliseconds(v float64) string { return fmt.Sprintf("%.0f ms", v) }

// setOf gathers what one set shows: the first figure of its suite as a plot by
// slice, the times as another, and the table of all figures.
func setOf(cells []Cell, suite, set, chosen string) setView {
	v := setView{Suite: suite, Set: set, Describe: Describe(suite), Metrics: shown[suite]}
	groups := groupsOf(cells, set)
	find := func(g group, metric string) (Cell, bool) {
		return Find(cells, set, g.engine, g.retriever, g.slice, metric)
	}
	var values, times []plotValue
	slice := ""
	for _, g := range groups {
		label := g.engine + " by " + g.retriever
		if c, ok := find(g, v.Metrics[0]); ok {
			if g.slice != slice {
				slice = g.slice
				values = append(values, plotValue{label: fmt.Sprintf("%s, %d questions", g.slice, c.N), heading: true})
			}
			values = append(values, plotValue{label: label, chosen: g.engine == chosen, value: c.Value, low: c.Low, high: c.High})
		}
		p50, there := find(g, "prepare_p50_ms")
		p95, _ := find(g, "prepare_p95_ms")
		if there && g.slice == SliceAll {
			times = append(times, plotValue{label: label, chosen: g.engine == chosen, value: p50.Value, low: p50.Value, high: p95.Value})
		}
		v.Rows = append(v.Rows, rowOf(g, v.Metrics, chosen, func(metric string) (Cell, bool) { return find(g, metric) }))
	}
	if len(values) > 0 {
		v.Plots = append(v.Plots, newPlot(v.Metrics[0]+" on "+set+", mean and 95 % interval", values, number))
	}
	if len(times) > 0 {
		v.Plots = append(v.Plots, newPlot("Time to prepare on "+set+", median to 95th percentile", times, milliseconds))
	}
	return v
}

// groupsOf lists the rows of a set, slice by slice, the whole first.
func groupsOf(cells []Cell, set string) []group {
	var out []group
	var slicesSeen []string
	for _, c := range cells {
		if c.Set != set {
			continue
		}
		g := group{c.Suite, c.Set, c.Engine, c.Retriever, c.Slice}
		if !slices.Contains(out, g) {
			out = append(out, g)
		}
		if !slices.Contains(slicesSeen, c.Slice) {
			slicesSeen = append(slicesSeen, c.Slice)
		}
	}
	slices.SortStableFunc(out, func(a, b group) int { return slices.Index(slicesSeen, a.slice) - slices.Index(slicesSeen, b.slice) })
	return out
}

func rowOf(g group, metrics []string, chosen string, find func(string) (Cell, bool)) rowView {
	calls, _ := find("model_calls")
	row := rowView{Engine: g.engine, Retriever: g.retriever, Slice: g.slice, N: calls.N, Failed: "–", P50: "–", P95: "–", Chosen: g.engine == chosen}
	for _, m := range metrics {
		c, ok := find(m)
		switch {
		case !ok:
			row.Figures = append(row.Figures, "–")
		case c.Low == c.High:
			row.Figures = append(row.Figures, number(c.Value))
		default:
			row.Figures = append(row.Figures, fmt.Sprintf("%.3f (%.3f to %.3f)", c.Value, c.Low, c.High))
		}
	}
	if c, ok := find("fallback"); ok {
		row.Failed = fmt.Sprintf("%.1f %%", 100*c.Value)
	}
	if c, ok := find("prepare_p50_ms"); ok {
		row.P50 = milliseconds(c.Value)
	}
	if c, ok := find("prepare_p95_ms"); ok {
		row.P95 = milliseconds(c.Value)
	}
	return row
}

func pairViewOf(p Pair) pairView {
	v := pairView{Pair: p}
	for _, d := range p.Figures {
		v.Rows = append(v.Rows, figureView{d.Metric, number(d.Before), number(d.After), fmt.Sprintf("%+.3f", d.Change), fmt.Sprintf("%+.3f to %+.3f", d.Low, d.High)})
	}
	return v
}
