package lab

import (
	"bytes"
	"encoding/csv"
	"math"
	"strings"
	"testing"

	"referent/rag"
)

// judged is an item of S4 whose nDCG@5 and recall@5 are one value.
func judged(query, engine string, value float64) Item {
	return Item{Suite: "S4", Set: "talks", Query: query, Engine: engine, Retriever: "bm25", Prepared: rag.Prepared{SearchQueries: []string{query}},
		Scores: map[string]float64{"ndcg@5": value, "recall@5": value}}
}

func TestP70_TwoRunsAreComparedQuestionByQuestion(t *testing.T) {
	before := []Item{judged("a", "simple", 0.5), judged("b", "simple", 0.5), judged("c", "simple", 1), judged("d", "simple", 1), judged("x", "simple", 0),
		judged("a", "blend", 1)}
	after := []Item{judged("a", "simple", 1), judged("b", "simple", 0.5), judged("c", "simple", 0), judged("d", "simple", 1), judged("y", "simple", 1),
		judged("a", "expand", 1)}
	c := Compare(before, after)
	if len(c.Pairs) != 1 {
		t.Fatalf("%+v", c)
	}
	p := c.Pairs[0]
	if p.Better != 1 || p.Worse != 1 || p.Equal != 2 || p.Shared != 4 || p.Only != 2 {
		t.Errorf("%+v", p)
	}
	if len(p.Changed) != 2 || p.Changed[0].Query != "c" || p.Changed[0].After != 0 || p.Changed[1].Query != "a" {
		t.Errorf("changed questions, the worst first: %+v", p.Changed)
	}
	// By hand: (0.5+0.5+1+1)/4 and (1+0.5+0+1)/4.
	d := p.Figures[0]
	if d.Metric != "ndcg@5" || d.N != 4 || math.Abs(d.Before-0.75) > 1e-9 || math.Abs(d.After-0.625) > 1e-9 || math.Abs(d.Change+0.125) > 1e-9 {
		t.Errorf("%+v", d)
	}
	// One question each way among four: chance can do either.
	if d.Low >= 0 || d.High <= 0 || d.Low < -1 || d.High > 0.5 {
		t.Errorf("the interval is %v to %v", d.Low, d.High)
	}
	if strings.Join(c.Missing, " ") != "expand by bm25 on talks was measured in the later run only. blend by bm25 on talks was measured in the earlier run only." {
		t.Errorf("%q", c.Missing)
	}
}

func TestP70_ARunEqualsItself(t *testing.T) {
	items := []Item{judged("a", "simple", 0.5), judged("b", "simple", 1)}
	p := Compare(items, items).Pairs[0]
	if p.Equal != 2 || len(p.Changed) != 0 {
		t.Errorf("%+v", p)
	}
	for _, d := range p.Figures {
		if d.Change != 0 || d.Low != 0 || d.High != 0 {
			t.Errorf("%+v", d)
		}
	}
}

func TestCSV_HasEveryFigureAndNoFormula(t *testing.T) {
	var b bytes.Buffer
	cells := []Cell{{"own", "=HYPERLINK(1)", "simple", "bm25", "all", "recall@1", 0.5, 0.25, 0.75, 4}}
	if err := WriteCSV(&b, cells); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v %v", err, rows)
	}
	if strings.Join(rows[1], "|") != "own|'=HYPERLINK(1)|simple|bm25|all|recall@1|0.5|0.25|0.75|4" {
		t.Errorf("%q", rows[1])
	}
	b.Reset()
	if err := WriteComparisonCSV(&b, Compare([]Item{judged("a", "simple", 0)}, []Item{judged("a", "simple", 1)})); err != nil {
		t.Fatal(err)
	}
	if rows, err = csv.NewReader(&b).ReadAll(); err != nil || strings.Join(rows[1], "|") != "S4|talks|simple|bm25|ndcg@5|0|1|1|1|1|1|1|0|0" {
		t.Errorf("%v %q", err, rows)
	}
}
