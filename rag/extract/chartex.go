package extract

import (
	"encoding/xml"
	"strings"
)

// maxExtendedData bounds the tables of data of one chart that are kept.
const maxExtendedData = 256

// extendedChartReader reads the charts that Office has had since 2016 (waterfall,
// funnel, histogram, Pareto, box and whisker, treemap, sunburst, map). They keep
// their data apart from the series, which name them by a number (MS-ODRAWXML
// 2.24.3), and give them to the same titles and series as the older ones.
type extendedChartReader struct {
	into   *chartReader
	data   map[string]*extendedData
	filled *extendedData // the open one

	columns int // of all data: a series has one

	skip      skipDepth
	dimension string     // type of the open one; "" outside
	levels    [][]string // of it
	index     int        // of the open point
	taking    bool
	text      strings.Builder

	series, titled bool // one is open
	name, source   string
	title          []string // paragraphs of the open title
}

// extendedData is what a series is drawn from.
type extendedData struct {
	cats    []string
	columns [][]string
	name    string // of the first column, where the file keeps it
}

// notInExtendedChart are elements whose text repeats a title or a value, with the
// look that it has.
func notInExtendedChart(e xml.StartElement) bool {
	switch e.Name.Local {
	case "dataLabels", "txPr", "spPr":
		return true
	}
	return secondCopy(e)
}

func (x *extendedChartReader) token(t xml.Token) {
	if x.skip.over(t, notInExtendedChart) {
		return
	}
	switch t := t.(type) {
	case xml.StartElement:
		x.start(t)
	case xml.EndElement:
		x.finish(t.Name.Local)
	case xml.CharData:
		if x.taking {
			x.text.Write(t)
		}
	}
}

func (x *extendedChartReader) start(e xml.StartElement) {
	switch e.Name.Local {
	case "data":
		x.filled = &extendedData{}
		if len(x.data) < maxExtendedData {
			x.data[attr(e, "id")] = x.filled
		}
	case "strDim", "numDim":
		x.dimension, x.levels = attr(e, "type"), nil
	case "lvl":
		if x.levels = openLevel(x.levels); x.filled != nil && x.filled.name == "" && x.dimension != "cat" {
			x.filled.name = oneLine(cleanText(attr(e, "name")))
		}
	case "series":
		x.series, x.name, x.source = true, "", ""
	case "dataId":
		x.source = attr(e, "val")
	case "title":
		x.titled, x.title = true, nil
	case "p":
		if x.titled {
			x.title = append(x.title, "")
		}
	case "pt":
		x.index = max(number(attr(e, "idx")), 0)
		x.taking = x.dimension != ""
		x.text.Reset()
	case "v", "t":
		x.taking = true
		x.text.Reset()
	}
}

func (x *extendedChartReader) finish(name string) {
	switch name {
	case "pt", "v", "t":
		x.taking = false
		x.keep(name, x.text.String())
	case "strDim", "numDim":
		x.endDimension()
	case "data":
		x.filled = nil
	case "series":
		x.endSeries()
	case "title":
		x.titled = false
		x.into.keep(oneLine(cleanText(strings.Join(x.title, " "))))
	}
}

func (x *extendedChartReader) keep(in, text string) {
	switch {
	case in == "pt" && len(x.levels) > 0:
		last := len(x.levels) - 1
		x.levels[last] = put(x.levels[last], x.index, oneLine(cleanText(text)))
	case in == "pt":
	case x.titled && len(x.title) == 0:
		x.title = []string{text}
	case x.titled: // in runs, each with a look of its own
		x.title[len(x.title)-1] += text
	case x.series && in == "v":
		x.name = oneLine(cleanText(text))
	}
}

func (x *extendedChartReader) endDimension() {
	kind, d := x.dimension, x.filled
	x.dimension = ""
	if d == nil || len(x.levels) == 0 {
		return
	}
	switch kind {
	case "cat", "x":
		d.cats = joinLevels(x.levels)
	case "entityId": // numbers of places on a map
	default:
		if x.columns++; x.columns <= maxChartSeries {
			d.columns = append(d.columns, x.levels[0])
		}
	}
}

// endSeries makes a series of each column of its data. A line over another series
// has no data of its own.
func (x *extendedChartReader) endSeries() {
	x.series = false
	d := x.data[x.source]
	if d == nil {
		return
	}
	if x.name == "" {
		x.name = d.name
	}
	for _, values := range d.columns {
		x.into.add(chartSeries{name: x.name, cats: d.cats, values: values})
	}
}

// maxChartLevels bounds how deeply categories are nested; Office shows fewer.
const maxChartLevels = 16

// maxGroupName is the most bytes of a group's name that every point of the group
// repeats: a longer one stands at the first.
const maxGroupName = 500

// openLevel begins a level of nested categories. Those beyond the bound share the
// last one.
func openLevel(levels [][]string) [][]string {
	if len(levels) == maxChartLevels {
		return levels
	}
	return append(levels, nil)
}

// joinLevels names the points of nested categories from the outermost level in. A
// file begins with the innermost one; a name of an outer one stands at the first
// point of its group.
func joinLevels(levels [][]string) []string {
	length := 0
	for _, level := range levels {
		length = max(length, len(level))
	}
	names := make([]string, length)
	above := make([]string, len(levels))
	for i := range names {
		var parts []string
		for level := len(levels) - 1; level >= 0; level-- {
			if text := pointAt(levels[level], i); text != "" {
				above[level] = text
				clear(above[:level])
			}
			if above[level] != "" {
				parts = append(parts, above[level])
			}
			if len(above[level]) > maxGroupName {
				above[level] = ""
			}
		}
		above[0] = "" // a point has its own name
		names[i] = strings.Join(parts, " / ")
	}
	return names
}
