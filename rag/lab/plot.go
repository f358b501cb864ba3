package lab

import (
	"fmt"
	"math"
	"slices"
)

// The measures of a plot in units of its own, which are CSS pixels at 100 %.
const (
	plotWidth  = 720
	plotLabels = 270 // where the axis begins
	plotRow    = 21
	plotHead   = 24
	plotFoot   = 24
)

// plot is a dot plot: a row a group, its value as a dot and its interval as a line.
type plot struct {
	Title, Sentence string
	Width, Height   int
	Left, Right     int // of the axis
	Bottom          int
	Ticks           []tick
	Rows            []plotRowAt
}

type tick struct {
	X    float64
	Text string
}

// plotRowAt is a row with its places. Heading rows have no dot.
type plotRowAt struct {
	Label      string
	Heading    bool
	Chosen     bool
	Y          int
	X, Low, Hi float64
	Text       string
}

// newPlot lays out rows between the smallest and the largest end of an interval.
func newPlot(title string, rows []plotValue, format func(float64) string) plot {
	p := plot{Title: title, Width: plotWidth, Left: plotLabels, Right: plotWidth - 70}
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		if !r.heading {
			low, high = min(low, r.low), max(high, r.high)
		}
	}
	step := niceStep(high - low)
	low, high = math.Floor(low/step)*step, math.Ceil(high/step)*step
	if high <= low {
		high = low + step
	}
	at := func(v float64) float64 {
		return math.Round(10*(float64(p.Left)+float64(p.Right-p.Left)*(v-low)/(high-low))) / 10
	}
	y := 4
	for _, r := range rows {
		height := plotRow
		if r.heading {
			height = plotHead
		}
		p.Rows = append(p.Rows, plotRowAt{Label: r.label, Heading: r.heading, Chosen: r.chosen, Y: y + height/2, X: at(r.value), Low: at(r.low),
			Hi: at(r.high), Text: format(r.value)})
		y += height
	}
	p.Bottom, p.Height = y, y+plotFoot
	for v := low; v <= high+step/2; v += step {
		p.Ticks = append(p.Ticks, tick{at(v), format(v)})
	}
	p.Sentence = sentenceOf(title, rows, format)
	return p
}

// plotValue is what a row shows.
type plotValue struct {
	label            string
	heading, chosen  bool
	value, low, high float64
}

// niceStep cuts a span into about five parts of 1, 2 or 5 times a power of ten.
func niceStep(span float64) float64 {
	if span <= 0 {
		return 0.1
	}
	power := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, m := range []float64{1, 2, 5} {
		if span/5 <= m*power {
			return m * power
		}
	}
	return 10 * power
}

// sentenceOf says what a picture shows: its highest row of the first group.
func sentenceOf(title string, rows []plotValue, format func(float64) string) string {
	var first []plotValue
	for _, r := range rows {
		if r.heading && len(first) > 0 {
			break
		}
		if !r.heading {
			first = append(first, r)
		}
	}
	if len(first) == 0 {
		return title + "."
	}
	best := slices.MaxFunc(first, func(a, b plotValue) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return 0
	})
	return fmt.Sprintf("%s. Highest: %s, %s. The table below has every figure.", title, best.label, format(best.value))
}
