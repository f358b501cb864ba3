package extract

import (
	"strings"
	"testing"

	"referent/rag"
)

// extendedChart is a chart of the newer form: its data, then a title that the
// file keeps twice, its series and the titles of its axes.
func extendedChart(data, series string) string {
	return `<cx:chartSpace xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"><cx:chartData>` + data + `</cx:chartData><cx:chart>
<cx:title pos="t"><cx:tx><cx:txData><cx:v>Takings by year</cx:v></cx:txData></cx:tx><cx:txPr><a:p><a:r><a:t>Takings by year</a:t></a:r></a:p></cx:txPr></cx:title>
<cx:plotArea><cx:plotAreaRegion>` + series + `</cx:plotAreaRegion><cx:axis id="0"><cx:catScaling/><cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Ye</a:t></a:r><a:r><a:t>ar</a:t></a:r></a:p></cx:rich></cx:tx></cx:title></cx:axis></cx:plotArea></cx:chart></cx:chartSpace>`
}

const (
	extendedSeries = `<cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:f>Sheet1!$B$1</cx:f><cx:v>Shops</cx:v></cx:txData></cx:tx>
<cx:dataLabels><cx:dataLabel idx="0"><cx:txPr><a:p><a:r><a:t>label</a:t></a:r></a:p></cx:txPr></cx:dataLabel></cx:dataLabels><cx:dataId val="0"/></cx:series>`
	extendedYears  = `<cx:strDim type="cat"><cx:f>Sheet1!$A$2:$A$3</cx:f><cx:lvl ptCount="2"><cx:pt idx="0">2023</cx:pt><cx:pt idx="1">2024</cx:pt></cx:lvl></cx:strDim>`
	extendedValues = `<cx:numDim type="val"><cx:f>Sheet1!$B$2:$B$3</cx:f><cx:lvl ptCount="2" formatCode="General"><cx:pt idx="0">4</cx:pt><cx:pt idx="1">-5</cx:pt></cx:lvl></cx:numDim>`
)

// TestChartsOfTheNewerKinds reads each kind from a slide, where the data are
// nowhere else.
func TestChartsOfTheNewerKinds(t *testing.T) {
	for _, c := range []struct{ name, data, series, want string }{
		{"waterfall and funnel", `<cx:data id="0">` + extendedYears + extendedValues + `</cx:data>`, extendedSeries, ` | Shops\n2023 | 4\n2024 | -5`},
		{"histogram", `<cx:data id="0">` + extendedValues + `</cx:data>`, extendedSeries, ` | Shops\n | 4\n | -5`},
		{"Pareto, whose line has no data of its own", `<cx:data id="0">` + extendedYears + extendedValues + `</cx:data>`,
			extendedSeries + `<cx:series layoutId="paretoLine" ownerIdx="0"><cx:axisId val="2"/></cx:series>`, ` | Shops\n2023 | 4\n2024 | -5`},
		{"box and whisker of two series", `<cx:data id="0">` + extendedYears + extendedValues + `</cx:data><cx:data id="1">` + strings.ReplaceAll(extendedValues, "4", "9") + `</cx:data>`,
			extendedSeries + strings.NewReplacer("Shops", "Web", `val="0"`, `val="1"`).Replace(extendedSeries), ` | Shops | Web\n2023 | 4 | 9\n2024 | -5 | -5`},
		{"treemap and sunburst", `<cx:data id="0"><cx:strDim type="cat"><cx:lvl ptCount="4"><cx:pt idx="0">Bikes</cx:pt><cx:pt idx="1">Skis</cx:pt><cx:pt idx="2">Tents</cx:pt></cx:lvl>
<cx:lvl ptCount="4"><cx:pt idx="0">Sport</cx:pt><cx:pt idx="3">Food</cx:pt></cx:lvl><cx:lvl ptCount="4"><cx:pt idx="0">North</cx:pt><cx:pt idx="2">South</cx:pt></cx:lvl></cx:strDim>
<cx:numDim type="size"><cx:lvl ptCount="4" name="Shops"><cx:pt idx="0">1</cx:pt><cx:pt idx="1">2</cx:pt><cx:pt idx="2">3</cx:pt><cx:pt idx="3">4</cx:pt></cx:lvl></cx:numDim></cx:data>`,
			`<cx:series layoutId="sunburst"><cx:dataId val="0"/></cx:series>`, ` | Shops\nNorth / Sport / Bikes | 1\nNorth / Sport / Skis | 2\nSouth / Tents | 3\nSouth / Food | 4`},
		{"map", `<cx:data id="0"><cx:strDim type="cat"><cx:lvl ptCount="1"><cx:pt idx="0">Kenya</cx:pt></cx:lvl></cx:strDim><cx:strDim type="entityId"><cx:lvl ptCount="1"><cx:pt idx="0">5512</cx:pt></cx:lvl></cx:strDim>
<cx:numDim type="colorVal"><cx:lvl ptCount="1"><cx:pt idx="0">7</cx:pt></cx:lvl></cx:numDim></cx:data>`, extendedSeries, ` | Shops\nKenya | 7`},
	} {
		t.Run(c.name, func(t *testing.T) {
			drawing := `<mc:AlternateContent><mc:Choice Requires="cx1"><p:graphicFrame><a:graphicData><cx:chart r:id="e"/></a:graphicData></p:graphicFrame></mc:Choice><mc:Fallback><p:sp><p:txBody><a:p><a:r><a:t>This chart is not available.</a:t></a:r></a:p></p:txBody></p:sp></mc:Fallback></mc:AlternateContent>`
			ex := readBytes(t, "a.pptx", slideFile(t, []string{shapeOf("title", "One") + drawing},
				"show/_rels/s1.xml.rels", `<Relationships><Relationship Id="e" Type="http://schemas.microsoft.com/office/2014/relationships/chartEx" Target="chartEx1.xml"/></Relationships>`,
				"show/chartEx1.xml", extendedChart(c.data, c.series)))
			expectStatus(t, ex, rag.FileIndexed)
			expectOutline(t, ex, `heading: One`+"\n"+`caption: Takings by year\nYear`+"\ntable: "+c.want)
		})
	}
}

func TestNewerChartsOfAWorkbookAddTheirWords(t *testing.T) {
	ex := readBytes(t, "a.xlsx", sheetFileOf(t, nil, []testSheet{{"Takings", "", `<sheetData><row r="1">` + inline("A1", "Year") + inline("B1", "Shops") + `</row></sheetData>`,
		`<Relationship Id="d" Type="x/drawing" Target="../drawings/d.xml"/>`}},
		"book/drawings/d.xml", `<xdr:wsDr/>`, "book/drawings/_rels/d.xml.rels", `<Relationships><Relationship Id="c" Type="x/chartEx" Target="../charts/chartEx1.xml"/></Relationships>`,
		"book/charts/chartEx1.xml", extendedChart(`<cx:data id="0">`+extendedYears+extendedValues+`</cx:data>`, extendedSeries)))
	expectStatus(t, ex, rag.FileIndexed)
	expectOutline(t, ex, "heading: Takings\ntable: Year | Shops\n"+`caption: Takings by year\nYear\nShops`)
}

// TestNestedCategoriesOfAnOlderChart: each point is named with its group.
func TestNestedCategoriesOfAnOlderChart(t *testing.T) {
	xml := `<c:chart><c:plotArea><c:ser><c:tx><c:v>Shops</c:v></c:tx><c:cat><c:multiLvlStrRef><c:multiLvlStrCache><c:lvl><c:pt idx="0"><c:v>spring</c:v></c:pt><c:pt idx="1"><c:v>autumn</c:v></c:pt><c:pt idx="2"><c:v>spring</c:v></c:pt></c:lvl>
<c:lvl><c:pt idx="0"><c:v>2023</c:v></c:pt><c:pt idx="2"><c:v>2024</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:val><c:numCache><c:pt idx="0"><c:v>4</c:v></c:pt><c:pt idx="1"><c:v>5</c:v></c:pt><c:pt idx="2"><c:v>6</c:v></c:pt></c:numCache></c:val></c:ser></c:plotArea></c:chart>`
	ex := readBytes(t, "a.pptx", slideFile(t, []string{shapeOf("title", "One") + `<p:graphicFrame><c:chart r:id="e"/></p:graphicFrame>`},
		"show/_rels/s1.xml.rels", `<Relationships><Relationship Id="e" Type="x/chart" Target="c.xml"/></Relationships>`, "show/c.xml", xml))
	expectStatus(t, ex, rag.FileIndexed)
	expectOutline(t, ex, "heading: One\ntable:  | "+`Shops\n2023 / spring | 4\n2023 / autumn | 5\n2024 / spring | 6`)
}

// TestHostileChartsAreBounded: a chart that claims far points, thousands of
// levels and tables, repeats its data, or refers to data that are not there.
func TestHostileChartsAreBounded(t *testing.T) {
	far := strings.Repeat(`<cx:numDim type="val"><cx:lvl><cx:pt idx="1999">1</cx:pt></cx:lvl></cx:numDim>`, 1000)
	for name, chart := range map[string]string{
		"far points":        extendedChart(`<cx:data id="0"><cx:numDim type="val"><cx:lvl><cx:pt idx="2000000000">1</cx:pt><cx:pt idx="-5">2</cx:pt></cx:lvl></cx:numDim></cx:data>`, extendedSeries),
		"many levels":       extendedChart(`<cx:data id="0"><cx:strDim type="cat">`+strings.Repeat(`<cx:lvl><cx:pt idx="0">a</cx:pt></cx:lvl>`, 3000)+`</cx:strDim></cx:data>`, extendedSeries),
		"many tables":       extendedChart(strings.Repeat(`<cx:data id="7"><cx:numDim type="val"/></cx:data>`, 3000), extendedSeries),
		"columns by series": extendedChart(`<cx:data id="0">`+far+`</cx:data>`, strings.Repeat(`<cx:series><cx:dataId val="0"/></cx:series>`, 1000)),
		"older series":      `<c:chart>` + strings.Repeat(`<c:ser><c:val><c:pt idx="1999"><c:v>1</c:v></c:pt></c:val></c:ser>`, 3000) + `</c:chart>`,
		"a long group": extendedChart(`<cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">a</cx:pt><cx:pt idx="1999">b</cx:pt></cx:lvl><cx:lvl><cx:pt idx="0">`+
			strings.Repeat("x", 20_000)+`</cx:pt></cx:lvl></cx:strDim></cx:data>`, extendedSeries),
		"nothing in data": extendedChart(`<cx:pt idx="0">1</cx:pt><cx:lvl/><cx:strDim/></cx:data></cx:strDim>`, `</cx:series></cx:title>`+extendedSeries),
	} {
		t.Run(name, func(t *testing.T) {
			a, err := openArchive(inMemory("a.zip", zipOf(t, "c.xml", chart)), Options{}.withDefaults())
			if err != nil {
				t.Fatal(err)
			}
			c, err := a.chart("c.xml")
			names := strings.Join(c.cats, "")
			if err != nil || len(c.series) > maxChartSeries || len(names) > 30_000 || strings.Count(names, "/") > maxChartLevels {
				t.Fatalf("%d series, %d categories of %d bytes, %v", len(c.series), len(c.cats), len(names), err)
			}
			if len(c.rows()) > maxChartPoints+1 {
				t.Errorf("%d rows", len(c.rows()))
			}
		})
	}
}
