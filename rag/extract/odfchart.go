package extract

import (
	"encoding/xml"
	"path"
	"strings"

	"referent/rag"
)

// odfChart reads a chart of an OpenDocument: its titles, and the table that it
// keeps of its data.
type odfChart struct {
	titles []string
	rows   []string
	cells  []string
	value  string // of the open cell, for files that leave out the shown text
	cell   bool   // a cell is open, else what is written is a title
	titled bool   // a title of the chart or of an axis is open
	desc   bool   // a description is open: the name of a range, no text
	text   strings.Builder
}

func (c *odfChart) token(t xml.Token) {
	switch t := t.(type) {
	case xml.StartElement:
		switch t.Name.Local {
		case "title", "subtitle":
			c.titled = t.Name.Space == "chart"
			c.text.Reset()
		case "table-cell":
			c.cell, c.value = true, odfValue(t)
			c.text.Reset()
		case "p", "s", "tab", "line-break":
			c.text.WriteByte(' ')
		case "desc":
			c.desc = true
		}
	case xml.EndElement:
		text := strings.TrimSpace(oneLine(cleanText(c.text.String())))
		switch t.Name.Local {
		case "title", "subtitle":
			if c.titled && text != "" && len(c.titles) < maxChartPoints {
				c.titles = append(c.titles, text)
			}
			c.titled = false
		case "table-cell":
			if text == "" && c.value != "NaN" { // what a chart writes for no number
				text = c.value
			}
			if len(c.cells) < maxChartPoints {
				c.cells = append(c.cells, cell(text))
			}
			c.cell = false
		case "table-row":
			if line := row(c.cells); len(c.rows) < maxChartPoints && strings.Trim(line, " |") != "" {
				c.rows = append(c.rows, line)
			}
			c.cells = c.cells[:0]
		case "desc":
			c.desc = false
		}
	case xml.CharData:
		if (c.titled || c.cell) && !c.desc {
			c.text.Write(t)
		}
	}
}

// drawChart reads the object at href if it is a chart. In a sheet its data
// stand in cells, which are read. Formulas and other objects have neither titles
// nor tables.
func (r *odfReader) drawChart(href string) {
	if r.archive == nil || href == "" || r.d.full {
		return
	}
	var c odfChart
	if _, err := r.archive.eachTokenOf(path.Join(partName(href), "content.xml"), c.token); err != nil {
		r.d.leftOut("Some charts could not be read.")
	}
	if r.sheets {
		c.rows = nil
	}
	if len(c.titles)+len(c.rows) == 0 {
		return
	}
	r.drawn = append(r.drawn, blocksOfChart(c.titles, c.rows)...)
	if len(r.open) == 0 { // it hangs on a page, not on a paragraph
		r.emitDrawn()
	}
}

func (r *odfReader) emitDrawn() {
	for _, b := range r.drawn {
		switch {
		case r.presentation:
			r.slide.add(b)
			continue
		case r.sheets:
			b.Locator = rag.Locator{Sheet: r.sheet.here().Sheet}
		default:
			b.Locator = r.here("")
		}
		r.d.add(b)
	}
	r.drawn = nil
}
