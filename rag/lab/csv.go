package lab

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// WriteCSV writes the figures of a run, one a line under a heading, with a point
// in numbers and RFC 4180 quoting.
func WriteCSV(w io.Writer, cells []Cell) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"suite", "set", "engine", "retriever", "slice", "metric", "value", "low", "high", "n"}}
	for _, c := range cells {
		rows = append(rows, []string{text(c.Suite), text(c.Set), text(c.Engine), text(c.Retriever), text(c.Slice), text(c.Metric),
			plain(c.Value), plain(c.Low), plain(c.High), strconv.Itoa(c.N)})
	}
	return out.WriteAll(rows)
}

// WriteComparisonCSV writes what changed between two runs.
func WriteComparisonCSV(w io.Writer, c Comparison) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"suite", "set", "engine", "retriever", "metric", "before", "after", "change", "low", "high", "n", "better", "worse", "equal"}}
	for _, p := range c.Pairs {
		for _, d := range p.Figures {
			rows = append(rows, []string{text(p.Suite), text(p.Set), text(p.Engine), text(p.Retriever), text(d.Metric), plain(d.Before), plain(d.After), plain(d.Change),
				plain(d.Low), plain(d.High), strconv.Itoa(d.N), strconv.Itoa(p.Better), strconv.Itoa(p.Worse), strconv.Itoa(p.Equal)})
		}
	}
	return out.WriteAll(rows)
}

func plain(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// text keeps a spreadsheet from reading a name as a formula: names of sets and
// questions are those of folders and files.
func text(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
