package extract

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"referent/rag"
)

const slideTypes = `<Types><Default Extension="docx" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document"/><Override ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>`

// slideFile makes a presentation of slides in the strict form. Their parts are
// numbered against the order in which they are shown; extra is more parts.
func slideFile(tb testing.TB, slides []string, extra ...string) []byte {
	tb.Helper()
	ids, rels := "", ""
	parts := []string{"[Content_Types].xml", slideTypes,
		"_rels/.rels", `<Relationships><Relationship Id="r1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="show/main.xml"/><Relationship Id="r2" Type="x/core-properties" Target="p.xml"/></Relationships>`,
		"p.xml", `<cp><dc:title>PowerPoint-Präsentation</dc:title></cp>`}
	for i, s := range slides {
		part := fmt.Sprintf("s%d.xml", len(slides)-i)
		ids += fmt.Sprintf(`<p:sldId id="%d" r:id="x%d"/>`, 256+i, i)
		rels += fmt.Sprintf(`<Relationship Id="x%d" Type="x/slide" Target="%s"/>`, i, part)
		parts = append(parts, "show/"+part, `<p:sld><p:cSld><p:spTree>`+s+`</p:spTree></p:cSld></p:sld>`)
	}
	parts = append(parts, "show/main.xml", `<p:presentation><p:sldIdLst>`+ids+`</p:sldIdLst></p:presentation>`,
		"show/_rels/main.xml.rels", `<Relationships>`+rels+`</Relationships>`)
	return zipOf(tb, append(parts, extra...)...)
}

// shapeOf is a shape with paragraphs; kind is its placeholder, empty for none.
func shapeOf(kind string, paragraphs ...string) string {
	ph := ""
	if kind != "" {
		ph = `<p:nvSpPr><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr>`
	}
	body := ""
	for _, p := range paragraphs {
		if !strings.HasPrefix(p, "<a:p>") {
			p = `<a:p><a:r><a:t>` + p + `</a:t></a:r></a:p>`
		}
		body += p
	}
	return `<p:sp>` + ph + `<p:txBody>` + body + `</p:txBody></p:sp>`
}

func TestPPTXSlides(t *testing.T) {
	numbered := `<a:p><a:pPr><a:buAutoNum type="alphaLcParenR" startAt="2"/></a:pPr><a:r><a:t>%s</a:t></a:r></a:p>`
	plain := `<a:p><a:pPr lvl="0"><a:buNone/></a:pPr><a:r><a:t>No bullet</a:t></a:r><a:br/><a:r><a:t>second line</a:t></a:r></a:p>`
	cellOf := func(attrs, text string) string {
		return `<a:tc` + attrs + `><a:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></a:txBody></a:tc>`
	}
	table := `<p:graphicFrame><a:graphic><a:tbl><a:tr>` + cellOf("", "Region") + cellOf("", "City") + `</a:tr><a:tr>` + cellOf(` rowSpan="2"`, "North") + cellOf("", "Kiel") +
		`</a:tr><a:tr>` + cellOf(` vMerge="1"`, "") + cellOf("", "Husum") + `</a:tr></a:tbl></a:graphic></p:graphicFrame>`
	ex := readBytes(t, "Talk_one.pptx", slideFile(t, []string{
		shapeOf("body", "First", "Second", plain) + shapeOf("sldNum", "7") + shapeOf("ftr", "Confidential") + shapeOf("ctrTitle", "The", "plan"),
		`<p:grpSp><p:grpSp>` + shapeOf("", "Deep box") + `</p:grpSp>` + shapeOf("", fmt.Sprintf(numbered, "two"), fmt.Sprintf(numbered, "three")) + `</p:grpSp>` + table +
			`<mc:AlternateContent><mc:Choice>` + shapeOf("", "Once") + `</mc:Choice><mc:Fallback>` + shapeOf("", "Once") + `</mc:Fallback></mc:AlternateContent>`,
	}))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: The plan
list_item: - First
list_item: - Second
paragraph: No bullet\nsecond line
paragraph: Deep box
list_item: b) two
list_item: c) three
table: Region | City\nNorth | Kiel\nNorth | Husum
paragraph: Once
header_footer: Confidential
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if ex.Title != "The plan" || ex.TitleSource != "heading" || ex.Pages != 2 {
		t.Errorf("title %q from %s, %d slides", ex.Title, ex.TitleSource, ex.Pages)
	}
	for i, slide := range []int{1, 1, 1, 1, 2, 2, 2, 2, 2, 1} {
		if got := ex.Blocks[i].Locator.Slide; got != slide {
			t.Errorf("block %d on slide %d, want %d", i, got, slide)
		}
	}
	if b := ex.Blocks[4]; len(b.Heading) != 0 {
		t.Errorf("a slide without a title stands below %q", b.Heading)
	}
	if h := ex.Blocks[7].TableHeader; h != "Region | City" {
		t.Errorf("header %q", h)
	}
}

func TestPPTXNotesCommentsChartsAndDiagrams(t *testing.T) {
	rels := `<Relationships><Relationship Id="n" Type="x/notesSlide" Target="n.xml"/><Relationship Id="c" Type="x/comments" Target="c.xml"/><Relationship Id="m" Type="http://schemas.microsoft.com/office/2018/10/relationships/comments" Target="m.xml"/>` +
		`<Relationship Id="g" Type="x/chart" Target="g.xml"/><Relationship Id="d" Type="x/diagramData" Target="d.xml"/></Relationships>`
	points := func(values ...string) string {
		s := ""
		for i, v := range values {
			if v != "" {
				s += fmt.Sprintf(`<c:pt idx="%d"><c:v>%s</c:v></c:pt>`, i, v)
			}
		}
		return s
	}
	series := func(name string, values ...string) string {
		return `<c:ser><c:tx><c:strRef><c:strCache>` + points(name) + `</c:strCache></c:strRef></c:tx><c:cat><c:strRef>` + points("2022", "2023") + `</c:strRef></c:cat><c:val><c:numRef>` + points(values...) + `</c:numRef></c:val></c:ser>`
	}
	ex := readBytes(t, "a.pptx", slideFile(t, []string{
		shapeOf("title", "Sales") + `<p:graphicFrame><a:graphicData><c:chart r:id="g"/></a:graphicData></p:graphicFrame><p:graphicFrame><a:graphicData><dgm:relIds r:dm="d" r:lo="x"/></a:graphicData></p:graphicFrame>`,
	}, "show/_rels/s1.xml.rels", rels,
		"show/n.xml", `<p:notes>`+shapeOf("sldImg")+shapeOf("body", "Say hello.", "Then wait.")+shapeOf("sldNum", "1")+`</p:notes>`,
		"show/c.xml", `<p:cmLst><p:cm authorId="0"><p:pos x="1"/><p:text>Check the sum.</p:text></p:cm></p:cmLst>`,
		"show/m.xml", `<p188:cmLst><p188:cm><p188:replyLst><p188:reply><p188:txBody><a:p><a:r><a:t>Done.</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>New figures?</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>`,
		"show/g.xml", `<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>By year</a:t></a:r></a:p></c:rich></c:tx></c:title>`+series("Shops", "4", "5")+series("Web", "", "9")+`</c:chart>`,
		"show/d.xml", `<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Order</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt type="pres"><dgm:t><a:p/></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Deliver</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>`))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: Sales
caption: By year
table:  | Shops | Web\n2022 | 4\n2023 | 5 | 9
list_item: - Order
list_item: - Deliver
note: Say hello.\nThen wait.
note: Check the sum.
note: Done.
note: New figures?
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if b := ex.Blocks[5]; b.Locator.Slide != 1 || len(b.Heading) != 1 {
		t.Errorf("notes at %v below %q", b.Locator, b.Heading)
	}
}

func TestPPTXHiddenAndRightToLeft(t *testing.T) {
	hidden := slideFile(t, []string{shapeOf("title", "Backup") + shapeOf("", "Figures")})
	hidden = zipWith(t, hidden, "show/s1.xml", `<p:sld show="0">`+shapeOf("title", "Backup")+shapeOf("", "شعار الشركة")+`</p:sld>`)
	ex := readBytes(t, "a.pptx", hidden)
	if got, want := outline(ex), "heading: Backup (hidden slide)\nparagraph: شعار الشركة\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestPPTXDamage(t *testing.T) {
	whole := slideFile(t, []string{shapeOf("title", "One"), shapeOf("title", "Two")})
	expectStatus(t, readBytes(t, "a.pptx", whole[:len(whole)/2]), rag.FileDamaged)
	ex := readBytes(t, "a.pptx", zipWith(t, whole, "show/s1.xml", `<p:sld>`+shapeOf("title", "Half")+`<a:p <<<`))
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if ex.Reason != "1 of 2 slides are damaged and were read in part or not at all."+partlyAdvice {
		t.Errorf("reason %q", ex.Reason)
	}
	expectText(t, ex, "One", "Half")
	ex = readBytes(t, "b.pptx", zipWith(t, whole, "show/s1.xml", ""))
	expectText(t, ex, "One")
	none := zipOf(t, "[Content_Types].xml", slideTypes)
	expectStatus(t, readBytes(t, "c.pptx", none), rag.FileDamaged)
}

func TestPPTXBombs(t *testing.T) {
	for name, c := range map[string]struct {
		slide  string
		status rag.FileStatus
		text   string
	}{
		"groups":   {strings.Repeat("<p:grpSp>", 50_000) + shapeOf("", "deep"), rag.FileIndexed, "deep"},
		"tables":   {strings.Repeat("<a:tbl><a:tr><a:tc>", 30_000) + shapeOf("", "deep"), rag.FileIndexed, "deep"},
		"entities": {`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>` + shapeOf("", "x &b; y"), rag.FileIndexed, "x &b; y"},
		"blanks":   {shapeOf("", "begin") + blanks, rag.FileTooLarge, ""},
	} {
		t.Run(name, func(t *testing.T) {
			ex := readBytes(t, "a.pptx", slideFile(t, []string{c.slide}), ratioOf(c.slide))
			expectStatus(t, ex, c.status)
			expectText(t, ex, c.text)
		})
	}
}

func FuzzPPTX(f *testing.F) {
	f.Add(shapeOf("title", "x") + shapeOf("body", "y"))
	f.Add(`<a:tbl><a:tr><a:tc vMerge="1"><a:p>`)
	f.Add(`</a:tbl></a:p><c:chart r:id="x0"/><mc:Fallback>`)
	f.Fuzz(func(t *testing.T, slide string) {
		if len(slide) > 1<<16 {
			return
		}
		expectNoPanic(t, readBytes(t, "a.pptx", slideFile(t, []string{slide, slide}, "show/_rels/s1.xml.rels", `<Relationships><Relationship Id="x0" Type="x/chart" Target="s2.xml"/><Relationship Id="c" Type="x/comments" Target="s2.xml"/></Relationships>`)))
	})
}

// expectNoPanic fails where a reader panicked, which ends as damage for people.
func expectNoPanic(tb testing.TB, ex rag.Extraction) {
	tb.Helper()
	if ex.Status == "" || strings.HasPrefix(ex.Reason, "The file confused the reader") {
		tb.Errorf("status %q: %s", ex.Status, ex.Reason)
	}
}

// zipWith gives an archive with one part replaced; without content it is left
// out.
func zipWith(tb testing.TB, whole []byte, name, content string) []byte {
	tb.Helper()
	z, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		tb.Fatal(err)
	}
	var parts []string
	for _, f := range z.File {
		if f.Name == name {
			continue
		}
		r, err := f.Open()
		if err != nil {
			tb.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		parts = append(parts, f.Name, string(b))
	}
	if content != "" {
		parts = append(parts, name, content)
	}
	return zipOf(tb, parts...)
}
