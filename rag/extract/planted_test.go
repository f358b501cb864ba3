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
	} {
		ex := readBytes(t, name, content)
		if ex.Status != rag.FileIndexed || !strings.Contains(oneLine(ex.Text), planted) {
			t.Errorf("%s: %s %s %q", name, ex.Status, ex.Reason, ex.Text)
		}
	}
}
