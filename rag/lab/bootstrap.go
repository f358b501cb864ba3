package lab

import (
	"math/rand/v2"
	"slices"
)

// resamples is the number of bootstrap samples behind an interval.
const resamples = 5000

// column is a figure over items: the sum of num over the sum of den. A mean has
// 1 as den; an item that has no part in it has 0 in both. All figures that are
// compared, retained or closed are such ratios, of values paired by item.
type column struct {
	metric   string
	num, den []float64
	n        int // items that have a part
}

func newColumn(metric string, items int) *column {
	return &column{metric: metric, num: make([]float64, items), den: make([]float64, items)}
}

// set gives an item its part.
func (c *column) set(item int, num, den float64) {
	c.num[item], c.den[item] = num, den
	c.n++
}

func (c *column) value() float64 {
	num, den := 0.0, 0.0
	for i := range c.num {
		num, den = num+c.num[i], den+c.den[i]
	}
	return ratio(num, den)
}

// interval is a 95 % interval.
type interval struct{ low, high float64 }

// intervals are the middle 95 % of what each column is on bootstrap samples of
// the items (Efron 1979, percentile method). Items are drawn whole, so that
// values stay paired. The seed is fixed: the same items give the same intervals.
func intervals(columns []*column) []interval {
	out := make([]interval, len(columns))
	if len(columns) == 0 || len(columns[0].num) == 0 {
		return out
	}
	n, width := len(columns[0].num), len(columns)
	rows := make([][2]float64, n*width) // by item, so that a draw reads one run of memory
	for c, column := range columns {
		for i := range n {
			rows[i*width+c] = [2]float64{column.num[i], column.den[i]}
		}
	}
	random := rand.New(rand.NewPCG(1979, 95))
	samples := make([][]float64, width)
	sums := make([][2]float64, width)
	for range resamples {
		clear(sums)
		for range n {
			drawn := rows[int(random.Int32N(int32(n)))*width:]
			for c := range sums {
				sums[c][0] += drawn[c][0]
				sums[c][1] += drawn[c][1]
			}
		}
		for c, s := range sums {
			samples[c] = append(samples[c], ratio(s[0], s[1]))
		}
	}
	for c := range out {
		slices.Sort(samples[c])
		out[c] = interval{samples[c][resamples/40], samples[c][resamples-1-resamples/40]}
	}
	return out
}

// percentile is the nearest-rank percentile of values, p from 0 to 100; 0
// without values. values are not changed.
func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(p / 100 * float64(len(sorted)))
	if float64(rank) < p/100*float64(len(sorted)) {
		rank++
	}
	return sorted[max(rank, 1)-1]
}
