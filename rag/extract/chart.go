package extract

import (
	"encoding/xml"
	"strings"

	"referent/rag"
)

// maxChartPoints bounds the points of a chart that are read: more say nothing
// to a reader of words.
const maxChartPoints = 2000

// maxChartSeries bounds the series of a chart that are read: Excel draws as many,
// and each may have its points in a few bytes of a hostile file.
const maxChartSeries = 255

// chartReader reads the data of a chart: its titles, and what each series says
// about each category, from the values that the file keeps with the chart.
type chartReader struct {
	titles  []string
	series  []chartSeries
	cats    []string   // of the series that names most
	levels  [][]string // of the open categories, where they are nested
	index   int        // of the open point, from 0
	skip    skipDepth
	in      string // tx, cat or val of the open series; title outside
	open    bool   // inside a series
	value   bool
	text    strings.Builder
	titled  bool // a title is open
	title   strings.Builder
	current chartSeries
}

type chartSeries struct {
	name         string
	cats, values []string
}

func (c *chartReader) token(t xml.Token) {
	if c.skip.over(t, notInChart) {
		return
	}
	switch t := t.(type) {
	case xml.StartElement:
		switch name := t.Name.Local; name {
		case "pt":
			c.index = max(number(attr(t, "idx")), 0)
		case "ser":
			c.open, c.current = true, chartSeries{}
		case "title":
			c.titled = true
			c.title.Reset()
		case "p":
			if c.titled {
				c.title.WriteByte(' ')
			}
		case "tx", "cat", "val", "xVal", "yVal":
			c.in, c.levels = name, nil
		case "lvl":
			c.levels = openLevel(c.levels)
		case "v", "t":
			c.value = true
			c.text.Reset()
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "ser":
			c.open = false
			c.add(c.current)
		case "title":
			c.titled = false
			c.keep(strings.TrimSpace(oneLine(cleanText(c.title.String()))))
		case "tx", "cat", "val", "xVal", "yVal":
			if c.in == "cat" && len(c.levels) > 0 {
				c.current.cats = joinLevels(c.levels)
			}
			c.in = ""
		case "v", "t":
			c.value = false
			if c.titled { // in runs, each with a look of its own
				c.title.WriteString(c.text.String())
			} else {
				c.keep(oneLine(cleanText(c.text.String())))
			}
		}
	case xml.CharData:
		if c.value {
			c.text.Write(t)
		}
	}
}

// notInChart are elements whose text repeats or only decorates the data.
func notInChart(e xml.StartElement) bool {
	switch e.Name.Local {
	case "dLbls", "errBars", "trendline":
		return true
	}
	return secondCopy(e)
}

// add takes a series that is whole.
func (c *chartReader) add(s chartSeries) {
	if len(c.series) == maxChartSeries {
		return
	}
	c.series = append(c.series, s)
	if len(s.cats) > len(c.cats) {
		c.cats = s.cats
	}
}

func (c *chartReader) keep(text string) {
	if text == "" {
		return
	}
	s := &c.current
	switch {
	case !c.open:
		if len(c.titles) < maxChartPoints {
			c.titles = append(c.titles, text)
		}
	case c.in == "tx":
		s.name = strings.TrimSpace(s.name + " " + text)
	case c.in == "cat" && len(c.levels) > 0:
		last := len(c.levels) - 1
		c.levels[last] = put(c.levels[last], c.index, text)
	case c.in == "cat" || c.in == "xVal":
		s.cats = put(s.cats, c.index, text)
	case c.in == "val" || c.in == "yVal":
		s.values = put(s.values, c.index, text)
	}
}

// put sets a point by its index: a file leaves out the empty ones.
func put(list []string, i int, text string) []string {
	if i >= maxChartPoints {
		return list
	}
	for len(list) <= i {
		list = append(list, "")
	}
	list[i] = text
	return list
}

// rows gives the chart as a table, series side by side.
func (c *chartReader) rows() []string {
	head := []string{""}
	length := len(c.cats)
	for _, s := range c.series {
		head = append(head, cell(s.name))
		length = max(length, len(s.values))
	}
	lines := []string{row(head)}
	for i := range length {
		line := []string{pointAt(c.cats, i)}
		for _, s := range c.series {
			line = append(line, pointAt(s.values, i))
		}
		lines = append(lines, row(line))
	}
	return lines
}

func pointAt(list []string, i int) string {
	if i >= len(list) {
		return ""
	}
	return cell(list[i])
}

// chart reads a chart of either form; the newer one begins with its data.
func (a *archive) chart(part string) (*chartReader, error) {
	c := &chartReader{}
	read := c.token
	_, err := a.eachTokenOf(part, func(t xml.Token) {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "chartData" {
			read = (&extendedChartReader{into: c, data: map[string]*extendedData{}}).token
		}
		read(t)
	})
	return c, err
}

// chartBlocks reads a chart of an Office document: its titles as a caption, and
// its data as a table. What stands before damage is given with the error.
func (a *archive) chartBlocks(part string) ([]rag.Block, error) {
	c, err := a.chart(part)
	return blocksOfChart(c.titles, c.rows()), err
}

// chartCaption reads what the words of a chart add where its data stand beside
// it: its titles and the names of its series.
func (a *archive) chartCaption(part string) (string, error) {
	c, err := a.chart(part)
	lines := c.titles
	for _, s := range c.series {
		lines = append(lines, s.name)
	}
	return strings.Join(lines, "\n"), err
}

// diagramBlocks reads the words of a diagram (SmartArt).
func (a *archive) diagramBlocks(part string) ([]rag.Block, error) {
	texts, err := a.drawingTexts(part)
	var list []rag.Block
	for _, text := range texts {
		list = append(list, rag.Block{Kind: rag.BlockListItem, Text: "- " + text})
	}
	return list, err
}

func blocksOfChart(titles, rows []string) []rag.Block {
	list := []rag.Block{{Kind: rag.BlockCaption, Text: strings.Join(titles, "\n")}}
	if len(rows) > 1 {
		list = append(list, rag.Block{Kind: rag.BlockTable, Text: strings.Join(rows, "\n"), TableHeader: rows[0]})
	}
	return list
}
