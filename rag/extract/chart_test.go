package extract

import (
	"strings"
	"testing"

	"referent/rag"
)

// chartXML is a chart with titles of its own and of both axes, and two series
// over the same categories, of which one has a gap.
const chartXML = `<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Takings by </a:t></a:r><a:r><a:t>year</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>
<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Shops</c:v></c:pt></c:strCache></c:strRef></c:tx><c:dLbls><c:txPr><a:p><a:r><a:t>label</a:t></a:r></a:p></c:txPr></c:dLbls>
<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>2023</c:v></c:pt><c:pt idx="1"><c:v>2024</c:v></c:pt></c:strCache></c:strRef></c:cat>
<c:val><c:numRef><c:numCache><c:formatCode>General</c:formatCode><c:pt idx="0"><c:v>4</c:v></c:pt><c:pt idx="1"><c:v>5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>
<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Web</c:v></c:pt></c:strCache></c:strRef></c:tx><c:val><c:numRef><c:numCache><c:pt idx="1"><c:v>9</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>
<c:catAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Year</a:t></a:r></a:p></c:rich></c:tx></c:title></c:catAx><c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Million euro</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx>
</c:plotArea></c:chart>`

const diagramXML = `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Ask</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Answer</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`

const chartTable = `table:  | Shops | Web\n2023 | 4\n2024 | 5 | 9`

func TestChartsOfAWordDocumentAreReadWhereTheyStand(t *testing.T) {
	doc := func(rels string, parts ...string) []byte {
		return zipOf(t, append([]string{"[Content_Types].xml", `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
			"_rels/.rels", `<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="word/document.xml"/></Relationships>`,
			"word/_rels/document.xml.rels", `<Relationships>` + rels + `</Relationships>`,
			"word/document.xml", `<w:document><w:body><w:p><w:r><w:t>Before.</w:t></w:r></w:p>
<w:p><w:r><w:t>See here:</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing><a:graphicData><c:chart r:id="g"/></a:graphicData></w:drawing></mc:Choice><mc:Fallback><w:drawing><c:chart r:id="g"/></w:drawing></mc:Fallback></mc:AlternateContent></w:r></w:p>
<w:p><w:r><w:drawing><a:graphicData><dgm:relIds r:dm="d" r:lo="x"/></a:graphicData></w:drawing></w:r></w:p><w:p><w:del><w:r><w:drawing><c:chart r:id="g"/></w:drawing></w:r></w:del><w:r><w:t>After.</w:t></w:r></w:p></w:body></w:document>`}, parts...)...)
	}
	rels := `<Relationship Id="g" Type="x/chart" Target="charts/c1.xml"/><Relationship Id="d" Type="x/diagramData" Target="diagrams/d1.xml"/>`
	ex := readBytes(t, "a.docx", doc(rels, "word/charts/c1.xml", chartXML, "word/diagrams/d1.xml", diagramXML))
	expectStatus(t, ex, rag.FileIndexed)
	expectOutline(t, ex, "paragraph: Before.\nparagraph: See here:\ncaption: Takings by year\\nYear\\nMillion euro\n"+chartTable+"\nlist_item: - Ask\nlist_item: - Answer\nparagraph: After.")
	if b := ex.Blocks[3]; b.TableHeader != " | Shops | Web" || b.Locator.Paragraph != 2 {
		t.Errorf("header %q at paragraph %d", b.TableHeader, b.Locator.Paragraph)
	}

	broken := readBytes(t, "a.docx", doc(rels, "word/charts/c1.xml", chartXML[:strings.Index(chartXML, "<c:catAx>")]+"<", "word/diagrams/d1.xml", diagramXML))
	expectStatus(t, broken, rag.FilePartlyIndexed)
	if broken.Reason != "Some charts or diagrams could not be read."+partlyAdvice || !strings.Contains(broken.Text, "2024 | 5 | 9") || !strings.Contains(broken.Text, "After.") {
		t.Errorf("%q\n%s", broken.Reason, broken.Text)
	}
	expectStatus(t, readBytes(t, "a.docx", doc("")), rag.FileIndexed) // charts that are not there
}

func TestChartsOfAWorkbookAddTheirWords(t *testing.T) {
	ex := readBytes(t, "a.xlsx", sheetFileOf(t, nil, []testSheet{{"Takings", "", `<sheetData><row r="1">` + inline("A1", "Year") + inline("B1", "Shops") + `</row><row r="2"><c r="A2"><v>2023</v></c><c r="B2"><v>4</v></c></row></sheetData>`,
		`<Relationship Id="d" Type="x/drawing" Target="../drawings/d.xml"/>`}},
		"book/drawings/d.xml", `<xdr:wsDr/>`, "book/drawings/_rels/d.xml.rels", `<Relationships><Relationship Id="c" Type="x/chart" Target="../charts/c.xml"/></Relationships>`,
		"book/charts/c.xml", chartXML,
		"book/chart.xml", `<chartsheet><drawing r:id="d"/></chartsheet>`, "book/_rels/chart.xml.rels", `<Relationships><Relationship Id="d" Type="x/drawing" Target="drawings/e.xml"/></Relationships>`,
		"book/drawings/e.xml", `<xdr:wsDr/>`, "book/drawings/_rels/e.xml.rels", `<Relationships><Relationship Id="c" Type="x/chart" Target="../charts/e.xml"/></Relationships>`,
		"book/charts/e.xml", strings.Replace(chartXML, "Takings", "Losses", 1)))
	expectStatus(t, ex, rag.FileIndexed)
	expectOutline(t, ex, `heading: Takings
table: Year | Shops\n2023 | 4
caption: Takings by year\nYear\nMillion euro\nShops\nWeb
heading: Chart
caption: Losses by year\nYear\nMillion euro\nShops\nWeb`)
	if at := ex.Blocks[2].Locator; at.Sheet != "Takings" {
		t.Errorf("the chart stands on %q", at.Sheet)
	}
}

// odfChartXML is a chart as LibreOffice keeps it, with descriptions of ranges
// that are no text.
const odfChartXML = `<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Takings by<text:s/>year</text:p></chart:title><chart:plot-area>
<chart:axis><chart:title><text:p>Year</text:p></chart:title></chart:axis></chart:plot-area><table:table table:name="local-table"><table:table-header-rows><table:table-row><table:table-cell><text:p/></table:table-cell>
<table:table-cell office:value-type="string"><text:p>Shops</text:p><draw:g><svg:desc>B1</svg:desc></draw:g></table:table-cell><table:table-cell><text:p>Web</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell><text:p>2023</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="4"><text:p>4</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="NaN"/></table:table-row>
<table:table-row><table:table-cell><text:p>2024</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="5"/><table:table-cell office:value-type="float" office:value="9"><text:p>9</text:p></table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>`

const odfObject = `<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame>`

func TestChartsOfOpenDocuments(t *testing.T) {
	math := []string{"Object 1/content.xml", `<math><semantics><mi>x</mi></semantics></math>`}
	chart := []string{"Object 1/content.xml", odfChartXML}
	for _, c := range []struct{ name, kind, body, want string }{
		{"a.odt", "text", `<office:text><text:p>Before ` + odfObject + `the end.</text:p><text:p>After.</text:p></office:text>`,
			"paragraph: Before the end.\ncaption: Takings by year\\nYear\n" + chartTable + "\nparagraph: After."},
		{"a.ods", "spreadsheet", `<office:spreadsheet><table:table table:name="S"><table:shapes>` + odfObject + `</table:shapes><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`,
			"heading: S\ncaption: Takings by year\\nYear\ntable: a | b"},
		{"a.odp", "presentation", `<office:presentation><draw:page>` + odfObject + `</draw:page></office:presentation>`,
			"caption: Takings by year\\nYear\n" + chartTable},
	} {
		t.Run(c.name, func(t *testing.T) {
			ex := readBytes(t, c.name, odfFile(t, c.kind, c.body, chart...))
			expectStatus(t, ex, rag.FileIndexed)
			expectOutline(t, ex, c.want)
			if none := readBytes(t, c.name, odfFile(t, c.kind, c.body, math...)); strings.Contains(none.Text, "x") || none.Status != rag.FileIndexed {
				t.Errorf("a formula gave %q, %s", none.Text, none.Status)
			}
		})
	}
	broken := readBytes(t, "a.odt", odfFile(t, "text", `<office:text><text:p>Before `+odfObject+`</text:p></office:text>`, "Object 1/content.xml", odfChartXML[:len(odfChartXML)/2]+"<"))
	if broken.Status != rag.FilePartlyIndexed || broken.Reason != "Some charts could not be read."+partlyAdvice {
		t.Errorf("%s: %q", broken.Status, broken.Reason)
	}
}

func TestAFormulaIsShownWhereNothingWasCalculated(t *testing.T) {
	ex := readBytes(t, "a.xlsx", sheetFileOf(t, nil, []testSheet{{"S", "", `<sheetData><row r="1">` + inline("A1", "Sum") + `<c r="B1"><f>SUM(B2:B3)&amp;" €"</f></c><c r="C1"><f>1+1</f><v>2</v></c><c r="D1" t="str"><f>X()</f><v></v></c><c r="E1"><f t="shared" si="0"/></c><c r="F1"><v>7</v></c></row></sheetData>`, ""}}))
	expectOutline(t, ex, `heading: S`+"\n"+`table: Sum | =SUM(B2:B3)&" €" | 2 | =X() |  | 7`)
	cellOf := func(attrs, text string) string {
		return `<table:table-cell ` + attrs + `>` + text + `</table:table-cell>`
	}
	ods := readBytes(t, "a.ods", odfFile(t, "spreadsheet", `<office:spreadsheet><table:table table:name="S"><table:table-row>`+cellOf("", `<text:p>Sum</text:p>`)+
		cellOf(`table:formula="of:=SUM([.B2:.B3];[Other.A1])"`, "")+cellOf(`table:formula="of:=1+1" office:value-type="float" office:value="2"`, "<text:p>2</text:p>")+cellOf(`table:formula="of:=1+2" office:value-type="float" office:value="3"`, "")+
		`</table:table-row></table:table></office:spreadsheet>`))
	expectOutline(t, ods, "heading: S\ntable: Sum | =SUM(B2:B3;Other.A1) | 2 | 3")
}

func expectOutline(tb testing.TB, ex rag.Extraction, want string) {
	tb.Helper()
	if got := strings.TrimSuffix(outline(ex), "\n"); got != want {
		tb.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
