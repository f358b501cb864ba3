package lab

import (
	"fmt"
	"slices"
	"strings"
)

// shown are the figures of a suite that its table has, the first with its
// interval.
var shown = map[string][]string{
	"S0":     {"recall@1", "recall@3", "recall@5"},
	"S1":     {"ndcg@10", "recall@100", "kept@5"},
	"S2":     {"ndcg@10", "recall@1", "kept@5"},
	"S3":     {"evidence_recall@5", "evidence_recall@10", "evidence_recall@4000c", "evidence_precision@5", "evidence_iou@5"},
	"S4":     {"ndcg@5", "recall@5", "mrr@10", "kept@5", "better", "worse", "gap_closed"},
	"S5":     {"recall@5", "gap_closed", "ndcg@5", "kept@5", "better", "worse"},
	"S6":     {"recall@5", "retention", "unchanged", "old_topic"},
	"S7":     {"token_f1", "rouge_l", "numbers_kept", "unchanged"},
	"S8":     {"numbers_grounded", "supported", "citation_recall", "citation_precision", "cites_right", "coverage", "refused"},
	"S9":     {"refused", "false_refusal", "balanced_accuracy"},
	"S10":    {"leaks", "same", "survived", "packed", "packed_gain", "answer_packed", "coverage", "coverage_gain", "tokens_saved", "tie"},
	SuiteOwn: {"ndcg@5", "recall@1", "recall@5", "mrr@10", "kept@5"},
}

// Table writes a summary for people: one block a set, one row an engine and
// retriever. Of S0, follow-ups and each kind of question have rows of their own.
func Table(cells []Cell) string {
	var b strings.Builder
	var done []string
	for _, c := range cells {
		if !slices.Contains(done, c.Set) {
			done = append(done, c.Set)
			block(&b, cells, c.Suite, c.Set)
		}
	}
	return b.String()
}

func block(b *strings.Builder, cells []Cell, suite, set string) {
	metrics := slices.DeleteFunc(slices.Clone(shown[suite]), func(m string) bool { // a gate has its own
		return suite == "S10" && !slices.ContainsFunc(cells, func(c Cell) bool { return c.Set == set && c.Metric == m })
	})
	fmt.Fprintf(b, "%s %s: %s\n", suite, set, Describe(suite))
	fmt.Fprintf(b, "  %-25s %-9s %-12s %5s", "engine", "search", "questions", "n")
	for i, m := range metrics {
		fmt.Fprintf(b, "  %-*s", width(i, m), m)
	}
	fmt.Fprintf(b, "  %7s  %6s  %6s  %5s  %6s\n", "failed", "p50 ms", "p95 ms", "calls", "tokens")
	var rows []group
	for _, c := range cells {
		g := group{suite, set, c.Engine, c.Retriever, c.Slice}
		if c.Set == set && (suite == "S0" || c.Slice == SliceAll || c.Slice == SliceFollowUps) && !slices.Contains(rows, g) {
			rows = append(rows, g)
		}
	}
	for _, g := range rows {
		get := func(metric string) (Cell, bool) { return Find(cells, set, g.engine, g.retriever, g.slice, metric) }
		calls, _ := get("model_calls")
		fmt.Fprintf(b, "  %-25s %-9s %-12s %5d", g.engine, g.retriever, g.slice, calls.N)
		for i, m := range metrics {
			fmt.Fprintf(b, "  %-*s", width(i, m), figure(i, m, get))
		}
		failed := "–"
		if c, ok := get("fallback"); ok {
			failed = fmt.Sprintf("%.1f %%", 100*c.Value)
		}
		part := "prepare"
		if _, ok := get("total_p50_ms"); ok {
			part = "total" // of a turn that goes beyond the search
		}
		p50, _ := get(part + "_p50_ms")
		p95, _ := get(part + "_p95_ms")
		used, tokens := "–", "–"
		if c, ok := get("model_used"); ok {
			calls = c // of the answer model
		}
		if calls.Value > 0 {
			used = fmt.Sprintf("%.2f", calls.Value)
		}
		if in, ok := get("prompt_tokens"); ok {
			out, _ := get("completion_tokens")
			tokens = fmt.Sprintf("%.0f", in.Value+out.Value)
		}
		fmt.Fprintf(b, "  %7s  %6.0f  %6.0f  %5s  %6s\n", failed, p50.Value, p95.Value, used, tokens)
	}
	b.WriteString("\n")
}

func figure(i int, metric string, get func(string) (Cell, bool)) string {
	c, ok := get(metric)
	switch {
	case !ok:
		return "–"
	case i == 0:
		return fmt.Sprintf("%.3f (%.3f–%.3f)", c.Value, c.Low, c.High)
	}
	return fmt.Sprintf("%.3f", c.Value)
}

func width(i int, metric string) int {
	if i == 0 {
		return len("0.000 (0.000–0.000)")
	}
	return max(len(metric), 5)
}
