package extract

import (
	"strings"
	"testing"

	"referent/rag"
)

// TestR043_APlantedSentenceIsFoundInEveryKind plants one sentence in each kind
// of file that has a reader.
func TestR043_APlantedSentenceIsFoundInEveryKind(t *testing.T) {
	const planted = "The grey heron nests behind the boiler house"
	pdf := newPDF()
	pdf.page(line(72, 700, 12, planted), "")
	for name, content := range map[string][]byte{
		"a.txt":   []byte("One.\n\n" + planted + ".\n"),
		"a.log":   []byte("12:00 " + planted + "\n"),
		"a.md":    []byte("# T\n\n**The grey** heron nests\nbehind the [boiler](x) house\n"),
		"a.html":  []byte("<html><body><p>The <b>grey</b> heron\nnests behind the boiler&#32;house</p></body></html>"),
		"a.csv":   []byte("k;text\n1;\"" + planted + "\"\n"),
		"a.tsv":   []byte("k\ttext\n1\t" + planted + "\n"),
		"a.json":  []byte(`{"a":["` + planted + `"]}`),
		"a.jsonl": []byte(`{"a":"x"}` + "\n" + `{"a":"` + planted + `"}`),
		"a.ipynb": []byte(`{"cells":[{"cell_type":"markdown","source":["` + planted + `"]}]}`),
		"a.go":    []byte("package a\n\n// " + planted + ".\nvar x int\n"),
		"a.yaml":  []byte("note: " + planted + "\n"),
		"a.docx":  wordFile(t, `<w:p><w:r><w:t>The grey heron </w:t></w:r><w:r><w:t>nests behind the boiler house</w:t></w:r></w:p>`),
		"a.pdf":   pdf.bytes(),
		"a.eml":   mixed(planted + "."),
		"a.mbox":  []byte("From a 10:00\nSubject: x\n\n>" + planted + "\nOne.\n"),
		"a.pptx":  slideFile(t, []string{shapeOf("title", "T") + shapeOf("", planted)}),
		"a.xlsx":  sheetFileOf(t, nil, []testSheet{{"S", "", "<sheetData><row>" + inline("A1", planted) + "</row></sheetData>", ""}}),
		"a.odt":   odfFile(t, "text", "<text:p>The grey <text:span>heron nests</text:span> behind the boiler<text:s/>house</text:p>"),
		"a.ods":   odfFile(t, "spreadsheet", `<office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell><text:p>`+planted+`</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`),
		"a.odp":   odfFile(t, "presentation", `<office:presentation><draw:page><draw:frame><text:p>`+planted+`</text:p></draw:frame></draw:page></office:presentation>`),
		"a.epub":  bookFile(t, "", []string{xhtml("<p>The <i>grey</i> heron\nnests behind the boiler house</p>")}),
		"a.rtf":   []byte(`{\rtf1\ansi The {\b grey} heron nests` + "\r\n" + ` behind the boiler\~house\par}`),
	} {
		ex := readBytes(t, name, content)
		if ex.Status != rag.FileIndexed || !strings.Contains(oneLine(ex.Text), planted) {
			t.Errorf("%s: %s %s %q", name, ex.Status, ex.Reason, ex.Text)
		}
	}
}
