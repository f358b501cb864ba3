package lab

import (
	"strings"
	"testing"
)

func TestP76_AWinnerIsConfirmedByWholeAnswers(t *testing.T) {
	cell := func(metric string, v float64, n int) Cell {
		return Cell{Suite: "S8", Set: "clapnq_answerable", Engine: "generate", Retriever: "hybrid", Slice: SliceAll, Metric: metric, Value: v, N: n}
	}
	for _, c := range []struct {
		cells []Cell
		ok    bool
		want  string
	}{
		{nil, false, "not confirmed end to end: whole answers (S8) were not measured by hybrid"},
		{[]Cell{cell("supported", 0.97, 40), cell("numbers_grounded", 1, 12)}, true, "It is confirmed end to end on 40 answers of S8: 97 % of their sentences stand in the passages, and all numbers of 100 % of the 12"},
		{[]Cell{cell("supported", 0.97, 40)}, true, "It is confirmed"},
		{[]Cell{cell("supported", 0.97, 40), cell("numbers_grounded", 0.5, 12)}, false, "It is not confirmed end to end on 40 answers"},
		{[]Cell{cell("supported", 0.5, 40), cell("numbers_grounded", 1, 12)}, false, "It is not confirmed"},
	} {
		if ok, got := confirmed("hybrid", c.cells); ok != c.ok || !strings.Contains(got, c.want) {
			t.Errorf("%v %q, not %v %q", ok, got, c.ok, c.want)
		}
	}
	if ok, _ := confirmed("bm25", []Cell{cell("supported", 1, 40)}); ok {
		t.Error("another retriever confirms")
	}
}
