package extract

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"referent/rag"
)

// zipOf makes an archive of names and contents in turn.
// zipOf packs parts, a name and its content in turn. The short ones are stored:
// making a packer ready takes longer than a thousand of them.
func zipOf(tb testing.TB, parts ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		method := zip.Deflate
		if len(parts[i+1]) < 64 {
			method = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: parts[i], Method: method})
		if err == nil {
			_, err = io.WriteString(w, parts[i+1])
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// blanks unpack to so many times their size that smallRatio refuses them.
var (
	blanks     = strings.Repeat(" ", 2<<20)
	smallRatio = Options{ratioFrom: 1 << 20}
)

// ratioOf is smallRatio for what holds blanks, and the default for the rest.
func ratioOf(body string) Options {
	if strings.Contains(body, blanks) {
		return smallRatio
	}
	return Options{}
}

const (
	wordTypes = `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
	// The strict relationship types, and a part that is not where most are.
	wordTop      = `<Relationships><Relationship Id="r1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/odd/main.xml"/><Relationship Id="r2" Type="x/core-properties" Target="props.xml"/></Relationships>`
	wordRels     = `<Relationships><Relationship Id="a" Type="x/styles" Target="s.xml"/><Relationship Id="b" Type="x/footnotes" Target="f.xml"/><Relationship Id="c" Type="x/numbering" Target="n.xml"/><Relationship Id="d" Type="x/header" Target="h.xml"/></Relationships>`
	wordStyleXML = `<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Mine"><w:basedOn w:val="berschrift1"/></w:style><w:style w:styleId="T"><w:name w:val="Title"/></w:style><w:style w:styleId="Out"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>`
	wordNotes    = `<w:footnotes><w:footnote w:type="separator"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>Small print.</w:t></w:r></w:p></w:footnote></w:footnotes>`
	wordNum      = `<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1%2)"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`
)

func wordFile(tb testing.TB, body string) []byte {
	return zipOf(tb, "[Content_Types].xml", wordTypes, "_rels/.rels", wordTop, "props.xml", `<cp xmlns:dc="d"><dc:title>The Plan</dc:title></cp>`,
		"odd/main.xml", `<?xml version="1.0"?><w:document><w:body>`+body+`</w:body></w:document>`, "odd/_rels/main.xml.rels", wordRels,
		"odd/s.xml", wordStyleXML, "odd/f.xml", wordNotes, "odd/n.xml", wordNum, "odd/h.xml", `<w:hdr><w:p><w:r><w:t>Running head</w:t></w:r></w:p></w:hdr>`)
}

func par(style, text string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func item(level, text string) string {
	return `<w:p><w:pPr><w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
}

func TestDOCXBlocks(t *testing.T) {
	ex := readBytes(t, "a.docx", wordFile(t,
		par("T", "House plan")+par("Mine", "Cellar")+
			`<w:p><w:r><w:t xml:space="preserve">Kept </w:t></w:r><w:ins><w:r><w:t>and new</w:t></w:r></w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:tab/><w:t>text</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>`+
			par("Out", "Keys")+item("0", "first")+item("1", "sub")+item("1", "sub two")+item("0", "second")+item("1", "again")+
			`<w:p><w:r><w:t>Outer</w:t></w:r><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>In the box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r><w:t>In the box</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>`))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: House plan
heading: Cellar
paragraph: Kept and new text
heading: Keys
list_item: 3. first
list_item: 3a) sub
list_item: 3b) sub two
list_item: 4. second
list_item: 4a) again
paragraph: Outer
paragraph: In the box
note: Small print.
header_footer: Running head
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if ex.Title != "The Plan" || ex.TitleSource != "metadata" {
		t.Errorf("title %q from %s", ex.Title, ex.TitleSource)
	}
	if l := ex.Blocks[2].Locator; l.Section != "Cellar" || l.Paragraph != 3 {
		t.Errorf("locator %v, want paragraph 3 of Cellar", l)
	}
}

func tc(s string) string { return "<w:tc>" + s + "</w:tc>" }

func TestR035_TableCellsAndRowsStayApart(t *testing.T) {
	p := func(s string) string { return `<w:p><w:r><w:t>` + s + `</w:t></w:r></w:p>` }
	ex := readBytes(t, "a.docx", wordFile(t, `<w:tbl><w:tr>`+tc(p("A"))+tc(p("B"))+`</w:tr><w:tr>`+tc(p("one"))+tc(p("two")+p("more"))+`</w:tr></w:tbl>`))
	if got := outline(ex); !strings.HasPrefix(got, "table: A | B\\none | two more\n") {
		t.Errorf("got\n%s", got)
	}
	if h := ex.Blocks[0].TableHeader; h != "A | B" {
		t.Errorf("header %q", h)
	}
}

func TestDOCXBombs(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   string
		status rag.FileStatus
		text   string
	}{
		{"nested tables", strings.Repeat("<w:tbl><w:tr><w:tc>", 50_000) + par("", "deep"), rag.FilePartlyIndexed, "deep"},
		{"nested boxes", strings.Repeat("<w:p><w:r><w:txbxContent>", 50_000) + par("", "deep"), rag.FileIndexed, "deep"},
		{"entities", `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>` + par("", "x &b; y"), rag.FileIndexed, "x &b; y"},
		{"blanks", par("", "begin") + blanks, rag.FileTooLarge, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ex := readBytes(t, "a.docx", wordFile(t, c.body), ratioOf(c.body))
			if c.status == rag.FilePartlyIndexed && ex.Status == rag.FileIndexed {
				c.status = rag.FileIndexed
			}
			expectStatus(t, ex, c.status)
			expectText(t, ex, c.text)
		})
	}
}

func TestDOCXPathsThatClimbAreOnlyNames(t *testing.T) {
	ex := readBytes(t, "a.docx", zipOf(t, "[Content_Types].xml", wordTypes, "../../word/document.xml", `<w:document>`+par("", "text")+`</w:document>`))
	expectStatus(t, ex, rag.FileIndexed)
	expectText(t, ex, "text")
}

func TestDOCXCutOff(t *testing.T) {
	whole := wordFile(t, par("", "text"))
	expectStatus(t, readBytes(t, "a.docx", whole[:len(whole)/2]), rag.FileDamaged)
	broken := zipOf(t, "[Content_Types].xml", wordTypes, "word/document.xml", `<w:document>`+par("", "before")+`<w:p <<<`)
	ex := readBytes(t, "a.docx", broken)
	if ex.Status != rag.FileIndexed && ex.Status != rag.FilePartlyIndexed {
		t.Errorf("status %s (%s)", ex.Status, ex.Reason)
	}
	expectText(t, ex, "before")
}

func FuzzDOCX(f *testing.F) {
	f.Add(`<w:p><w:r><w:t>x</w:t></w:r></w:p>`)
	f.Add(`<w:tbl><w:tr><w:tc><w:p>`)
	f.Add(`</w:tbl></w:p><w:pPrChange><mc:Fallback>`)
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 1<<16 {
			return
		}
		expectNoPanic(t, readBytes(t, "a.docx", wordFile(t, body)))
	})
}
