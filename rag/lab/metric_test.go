package lab

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestRanking_HandWorked(t *testing.T) {
	log3, log4, log5, log6 := math.Log2(3), 2.0, math.Log2(5), math.Log2(6)
	for _, c := range []struct {
		name     string
		got, own float64
	}{
		{"recall@1 of three, the first is wrong", RecallAt(1, []string{"a", "b", "c", "d"}, Grades{"b": 1, "d": 1, "x": 1}), 0},
		{"recall@3", RecallAt(3, []string{"a", "b", "c", "d"}, Grades{"b": 1, "d": 1, "x": 1}), 1.0 / 3},
		{"recall@5 of four hits", RecallAt(5, []string{"a", "b", "c", "d"}, Grades{"b": 1, "d": 1, "x": 1}), 2.0 / 3},
		{"recall without hits", RecallAt(5, nil, Grades{"b": 1}), 0},
		{"recall of nothing", RecallAt(5, []string{"a"}, nil), 0},
		{"graded, the better one second", NDCGAt(10, []string{"b", "a"}, Grades{"a": 2, "b": 1}), (1 + 2/log3) / (2 + 1/log3)},
		{"graded, cut after the lesser one", NDCGAt(1, []string{"b", "a"}, Grades{"a": 2, "b": 1}), 0.5},
		{"binary, ranks 2 and 4 of three relevant", NDCGAt(5, []string{"a", "b", "c", "d"}, Grades{"b": 1, "d": 1, "x": 1}), (1/log3 + 1/log5) / (1 + 1/log3 + 1/log4)},
		{"the ideal is cut too", NDCGAt(2, []string{"a", "b"}, Grades{"a": 1, "b": 1, "c": 1}), 1},
		{"rank 5", NDCGAt(5, []string{"1", "2", "3", "4", "a"}, Grades{"a": 3}), 1 / log6},
		{"ndcg of nothing", NDCGAt(5, []string{"a"}, nil), 0},
		{"mrr, third", ReciprocalRankAt(10, []string{"x", "y", "a", "b"}, Grades{"a": 1, "b": 1}), 1.0 / 3},
		{"mrr, beyond the cut", ReciprocalRankAt(2, []string{"x", "y", "a"}, Grades{"a": 1}), 0},
	} {
		if !near(c.got, c.own) {
			t.Errorf("%s: %v, not %v", c.name, c.got, c.own)
		}
	}
	// The constants once more, by calculator, so that a wrong logarithm shows.
	if got := NDCGAt(10, []string{"b", "a"}, Grades{"a": 2, "b": 1}); math.Abs(got-0.859719) > 1e-6 {
		t.Errorf("graded: %v", got)
	}
}

func TestRewrites_HandWorked(t *testing.T) {
	for _, c := range []struct {
		rewrite, reference string
		f1, rouge          float64
	}{
		{"the red car", "The car is red.", 2 * 3.0 / 7, 2 * 2.0 / 7},
		{"a a b", "a b b", 4.0 / 6, 4.0 / 6},
		{"Police kill the gunman", "police killed the gunman", 0.75, 0.75}, // Lin 2004, section 3.1
		{"the gunman kill police", "police killed the gunman", 0.75, 0.5},  // the same
		{"one two", "three", 0, 0},
		{"", "three", 0, 0},
		{"?", "", 1, 1},
	} {
		if f1, rouge := TokenF1(c.rewrite, c.reference), RougeL(c.rewrite, c.reference); !near(f1, c.f1) || !near(rouge, c.rouge) {
			t.Errorf("%q against %q: F1 %v, ROUGE-L %v, not %v, %v", c.rewrite, c.reference, f1, rouge, c.f1, c.rouge)
		}
	}
}

func TestRewrites_WhatIsKeptAndWhatIsDraggedAlong(t *testing.T) {
	for _, c := range []struct {
		question, rewrite string
		kept, asked       bool
	}{
		{"And the K-60 in 1987?", "What pressure does the K-60 have in 1987?", true, true},
		{"And the K-60?", "What pressure does the K-40 have?", false, true},
		{"Why?", "Why was it closed in 1987?", true, false},
	} {
		if kept, asked := Kept(c.question, c.rewrite); kept != c.kept || asked != c.asked {
			t.Errorf("%q to %q: %v %v", c.question, c.rewrite, kept, asked)
		}
	}
	const question = "What was Tittle's playing style?"
	for searched, want := range map[string]int{
		question: 0,
		"What was Tittle's playing style Puckett":                 1,
		"What was Kirby Puckett's style?":                         2,
		"What was Tittle's style in the Second World Series 1991": 0,
	} {
		if got := OldTopicWords("Kirby Puckett", question, []string{searched}); got != want {
			t.Errorf("%q: %d words of the old topic, not %d", searched, got, want)
		}
	}
	if OldTopicWords("Playing cards", question, []string{question}) != 0 {
		t.Error("a word of the question itself was counted")
	}
	if !unchanged("Who  built it?", []string{"who built it"}) || unchanged("Who built it?", []string{"Who built it?", "Who built the mill?"}) {
		t.Error("unchanged")
	}
}

func TestIntervals_AgainstTheNormalApproximation(t *testing.T) {
	coin, steady, none := newColumn("coin", 100), newColumn("steady", 100), newColumn("none", 100)
	for i := range 100 {
		coin.set(i, float64(i%2), 1)
		steady.set(i, 2*float64(i%7+1), float64(i%7+1)) // always twice its base: pairs vary, the ratio does not
	}
	got := intervals([]*column{coin, steady, none})
	// A share of one half of 100: 0.5 ± 1.96 · 0.05.
	if math.Abs(got[0].low-0.402) > 0.015 || math.Abs(got[0].high-0.598) > 0.015 || coin.value() != 0.5 {
		t.Errorf("coin: %v, %+v", coin.value(), got[0])
	}
	if !near(got[1].low, 2) || !near(got[1].high, 2) || !near(steady.value(), 2) {
		t.Errorf("paired: %+v", got[1])
	}
	if got[2] != (interval{}) || none.value() != 0 || none.n != 0 {
		t.Errorf("nobody took part: %+v", got[2])
	}
	if again := intervals([]*column{coin, steady, none}); again[0] != got[0] {
		t.Errorf("%+v, then %+v: the seed is not fixed", got[0], again[0])
	}
}

func TestPercentile_NearestRank(t *testing.T) {
	values := []float64{50, 15, 40, 20, 35} // the example of the method: 15 20 35 40 50
	for p, want := range map[float64]float64{5: 15, 30: 20, 40: 20, 50: 35, 95: 50, 100: 50} {
		if got := percentile(values, p); got != want {
			t.Errorf("percentile %v: %v, not %v", p, got, want)
		}
	}
	if percentile(nil, 50) != 0 || values[0] != 50 {
		t.Error("no values, or values moved")
	}
}
