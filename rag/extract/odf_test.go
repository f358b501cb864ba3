package extract

import (
	"strings"
	"testing"

	"referent/rag"
)

func odfFile(tb testing.TB, kind, content string, extra ...string) []byte {
	return zipOf(tb, append([]string{"mimetype", "application/vnd.oasis.opendocument." + kind,
		"META-INF/manifest.xml", `<manifest:manifest><manifest:file-entry manifest:full-path="/"/></manifest:manifest>`,
		"content.xml", `<?xml version="1.0"?><office:document-content>` + content + `</office:document-content>`}, extra...)...)
}

const odtStyles = `<office:automatic-styles>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
<style:style style:name="T9" style:family="text"><style:text-properties text:display="none"/></style:style>
<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="." text:start-value="3"/><text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/></text:list-style>
</office:automatic-styles>`

func TestODTBlocks(t *testing.T) {
	ex := readBytes(t, "a.odt", odfFile(t, "text", odtStyles+`<office:body><office:text>
<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:p text:style-name="P1">House plan</text:p>
<text:table-of-content><text:index-body><text:p>Cellar 3</text:p></text:index-body></text:table-of-content>
<text:h text:outline-level="2">Cellar</text:h>
<text:p>Two<text:s text:c="2"/>blanks,<text:tab/>a tab<text:line-break/>and a line.<text:span text:style-name="T9">secret</text:span>
   <text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>Small print.</text:p></text:note-body></text:note><office:annotation><dc:creator>Ada</dc:creator><dc:date>2024-01-01</dc:date><text:p>Really?</text:p></office:annotation>after</text:p>
<text:list text:style-name="L1"><text:list-item><text:p>first</text:p><text:p>its second paragraph</text:p><text:list><text:list-item><text:p>sub</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>second</text:p></text:list-item></text:list>
<text:p>Outer<draw:frame><draw:text-box><text:p>In the box</text:p></draw:text-box><svg:title>Alternative</svg:title></draw:frame></text:p>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Room 1</text:p></table:table-cell><table:table-cell><text:p>Key</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>East</text:p></table:table-cell><table:table-cell><text:p>A</text:p><text:p>B</text:p></table:table-cell></table:table-row>
<table:table-row><table:covered-table-cell/><table:table-cell><text:p>C</text:p></table:table-cell></table:table-row></table:table>
</office:text></office:body>`, "styles.xml", `<office:document-styles><style:master-page><style:header><text:p>Running head <text:page-number>1</text:page-number></text:p></style:header></style:master-page></office:document-styles>`,
		"meta.xml", `<office:meta><dc:title>The Plan</dc:title></office:meta>`))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: House plan
heading: Cellar
paragraph: Two  blanks, a tab\nand a line. after
list_item: 3. first
paragraph: its second paragraph
list_item: (a) sub
list_item: 4. second
paragraph: Outer
paragraph: In the box
table: Room 1 | Key\nEast | A B\nEast | C
header_footer: Running head
note: Small print.
note: Really?
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if ex.Title != "The Plan" || ex.TitleSource != "metadata" || ex.Kind != "odt" {
		t.Errorf("title %q from %s, kind %s", ex.Title, ex.TitleSource, ex.Kind)
	}
	if l := ex.Blocks[2].Locator; l.Section != "Cellar" || l.Paragraph != 3 {
		t.Errorf("locator %v, want paragraph 3 of Cellar", l)
	}
	if h := ex.Blocks[9].TableHeader; h != "Room 1 | Key" {
		t.Errorf("header %q", h)
	}
}

func TestODSSheets(t *testing.T) {
	ex := readBytes(t, "Rents.ods", odfFile(t, "spreadsheet", `<office:automatic-styles><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
<office:body><office:spreadsheet><table:content-validations><table:content-validation><table:help-message><text:p>Pick one</text:p></table:help-message></table:content-validation></table:content-validations>
<table:table table:name="Rents">
<table:table-row><table:table-cell><text:p>Rents 2024</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1023"/></table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>
<table:table-row><table:table-cell><text:p>House</text:p></table:table-cell><table:table-cell><text:p>Flat</text:p></table:table-cell><table:table-cell><text:p>Rent</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>Elm</text:p></table:table-cell><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell office:value-type="currency" office:value="410.5"><text:p>€ 410.50</text:p><office:annotation><text:p>Raised in May</text:p></office:annotation></table:table-cell></table:table-row>
<table:table-row><table:covered-table-cell/><table:table-cell office:value-type="float" office:value="2"/><table:table-cell office:value-type="percentage" office:value="0.125"/></table:table-row>
<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="1048566"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
</table:table>
<table:table table:name="Old" table:style-name="ta2"><table:table-row><table:table-cell office:value-type="date" office:date-value="2023-12-31"/></table:table-row></table:table>
</office:spreadsheet></office:body>`))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: Rents
paragraph: Rents 2024
table: House | Flat | Rent\nElm | 1 | € 410.50\nElm | 2 | 12.5%\nx | x\nx | x\nx | x
heading: Old (hidden sheet)
paragraph: 2023-12-31
note: Raised in May
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if b := ex.Blocks[2]; b.Locator.Sheet != "Rents" || b.Locator.Cell != "A4:C9" || b.TableHeader != "House | Flat | Rent" {
		t.Errorf("locator %v, header %q", b.Locator, b.TableHeader)
	}
	if c := ex.Blocks[5].Locator.Cell; c != "C5" {
		t.Errorf("the comment is at %s, want C5", c)
	}
	if ex.Title != "Rents" || ex.TitleSource != "file_name" {
		t.Errorf("title %q from %s", ex.Title, ex.TitleSource)
	}
}

func TestODPSlides(t *testing.T) {
	frame := func(class, text string) string {
		return `<draw:frame presentation:class="` + class + `"><draw:text-box>` + text + `</draw:text-box></draw:frame>`
	}
	ex := readBytes(t, "a.odp", odfFile(t, "presentation", `<office:automatic-styles><style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style></office:automatic-styles>
<office:body><office:presentation><draw:page draw:name="one">`+frame("outline", `<text:list><text:list-item><text:p>point</text:p></text:list-item></text:list>`)+frame("title", `<text:p>Aims</text:p>`)+
		`<draw:g><draw:g><draw:custom-shape><text:p>shape</text:p></draw:custom-shape></draw:g></draw:g>`+frame("footer", `<text:p>foot</text:p>`)+frame("page-number", `<text:p>9</text:p>`)+
		`<presentation:notes>`+frame("notes", `<text:p>Speak up.</text:p>`)+`</presentation:notes></draw:page><draw:page draw:style-name="dp2"><draw:frame><draw:text-box><text:p>spare</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body>`))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: Aims
list_item: - point
paragraph: shape
heading: (hidden slide)
paragraph: spare
header_footer: foot
note: Speak up.
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if ex.Blocks[1].Locator.Slide != 1 || ex.Blocks[4].Locator.Slide != 2 || ex.Blocks[6].Locator.Slide != 1 || ex.Pages != 2 {
		t.Errorf("slides %v %v %v of %d", ex.Blocks[1].Locator, ex.Blocks[4].Locator, ex.Blocks[6].Locator, ex.Pages)
	}
}

func TestODFEndings(t *testing.T) {
	locked := odfFile(t, "text", ``)
	locked = zipWith(t, locked, "META-INF/manifest.xml", `<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`)
	expectStatus(t, readBytes(t, "a.odt", locked), rag.FileNeedsPassword)
	whole := odfFile(t, "text", `<office:text><text:p>text</text:p></office:text>`)
	expectStatus(t, readBytes(t, "a.odt", whole[:len(whole)/2]), rag.FileDamaged)
	expectStatus(t, readBytes(t, "b.odt", zipWith(t, whole, "content.xml", "")), rag.FileDamaged)
	ex := readBytes(t, "c.odt", zipWith(t, whole, "content.xml", `<office:text><text:p>before</text:p><text:p <<<`))
	expectStatus(t, ex, rag.FilePartlyIndexed)
	expectText(t, ex, "before")
	expectStatus(t, readBytes(t, "d.odf", zipOf(t, "mimetype", "application/vnd.oasis.opendocument.formula")), rag.FileUnsupported)
}

func TestODFBombs(t *testing.T) {
	for name, c := range map[string]struct {
		kind, content string
		status        rag.FileStatus
		text          string
	}{
		"tables":      {"text", strings.Repeat("<table:table><table:table-row><table:table-cell>", 40_000) + "<text:p>deep</text:p>", rag.FileIndexed, "deep"},
		"lists":       {"text", strings.Repeat("<text:list><text:list-item>", 40_000) + "<text:p>deep</text:p>", rag.FileIndexed, "deep"},
		"boxes":       {"text", strings.Repeat("<text:p>", 40_000) + "deep" + strings.Repeat("</text:p>", 40_000) + "<text:p>end</text:p>", rag.FileIndexed, "end"},
		"spans":       {"text", "<text:p>" + strings.Repeat("<text:span>", 40_000) + "deep", rag.FileIndexed, "deep"},
		"cells":       {"spreadsheet", `<office:spreadsheet><table:table table:name="S"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"><text:p>wide</text:p></table:table-cell></table:table-row></table:table>`, rag.FilePartlyIndexed, ""},
		"blanks":      {"text", "<text:p>begin</text:p>" + blanks, rag.FileTooLarge, ""},
		"entity bomb": {"text", `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><text:p>x &b; y</text:p>`, rag.FileIndexed, "x &b; y"},
	} {
		t.Run(name, func(t *testing.T) {
			opts := ratioOf(c.content)
			opts.MaxChars = 200_000
			ex := readBytes(t, "a.odt", odfFile(t, c.kind, c.content), opts)
			expectStatus(t, ex, c.status)
			expectText(t, ex, c.text)
		})
	}
}

func FuzzODF(f *testing.F) {
	f.Add(odtStyles+`<text:list text:style-name="L1"><text:list-item><text:p>x`, true)
	f.Add(`<office:spreadsheet><table:table table:name="S"><table:table-row table:number-rows-repeated="9"><table:covered-table-cell table:number-columns-repeated="3" table:number-rows-spanned="2"><text:p>x`, false)
	f.Add(`<draw:page><draw:frame presentation:class="title"></draw:page></text:p></text:list></table:table>`, true)
	f.Fuzz(func(t *testing.T, content string, text bool) {
		kind := "spreadsheet"
		if text {
			kind = "text"
		}
		if len(content) > 1<<16 {
			return
		}
		expectNoPanic(t, readBytes(t, "a.odt", odfFile(t, kind, content, "styles.xml", content), Options{MaxChars: 50_000, MaxRows: 1000}))
	})
}
