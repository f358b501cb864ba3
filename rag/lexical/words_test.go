package lexical

import (
	"math"
	"testing"
)

func TestExplain_CountsWordsByHowTheyWeigh(t *testing.T) {
	for _, c := range []struct {
		idf  []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 1}, {[]float64{2, 2}, 2}, {[]float64{2, 2, 2, 2}, 4}, {[]float64{6, 2}, 64.0 / 40}, {[]float64{5, 0}, 1}} {
		var asked content
		for _, idf := range c.idf {
			asked.add(idf)
		}
		if got := asked.words(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v are %v words, not %v", c.idf, got, c.want)
		}
	}
}
