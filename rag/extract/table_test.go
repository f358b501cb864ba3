package extract

import (
	"strings"
	"testing"

	"referent/rag"
)

func TestCSVDelimiters(t *testing.T) {
	for _, c := range []struct {
		text string
		want rune
	}{
		{"a,b,c\n1,2,3\n", ','},
		{"a;b;c\n1,5;2,5;3,5\n", ';'},
		{"a\tb\n1,5\t2\n", '\t'},
		{"a|b\nx|y\n", '|'},
		{"\"x,y\";b\n\"1,2\";3\n", ';'},
		{"one\ntwo\n", ','},
		{"", ','},
	} {
		if got := sniffDelimiter(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCSVRowsKnowTheirLinesAndHeader(t *testing.T) {
	ex := readBytes(t, "a.csv", []byte("name;price\n\"Key\ncopy\";3,50\nLamp;4\n"+strings.Repeat("x;1\n", 30)))
	expectStatus(t, ex, rag.FileIndexed)
	if len(ex.Blocks) != 2 || !strings.HasPrefix(ex.Blocks[0].Text, "name | price\nKey copy | 3,50\nLamp | 4\nx | 1") {
		t.Fatalf("blocks:\n%s", outline(ex))
	}
	if l := ex.Blocks[0].Locator; l.LineFrom != 1 || l.LineTo != 21 { // 20 rows, one of two lines
		t.Errorf("lines %d to %d, want 1 to 21", l.LineFrom, l.LineTo)
	}
	if h := ex.Blocks[1].TableHeader; h != "name | price" {
		t.Errorf("header of the second block: %q", h)
	}
}

func TestCSVCapsRows(t *testing.T) {
	ex := readBytes(t, "a.csv", []byte(strings.Repeat("a,b\n", 50)), Options{MaxRows: 10})
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if ex.Reason != "Only the first 10 rows were read."+partlyAdvice {
		t.Errorf("reason %q", ex.Reason)
	}
}

func TestJSONBecomesPathsAndValues(t *testing.T) {
	ex := readBytes(t, "a.json", []byte(`{"title":"Plan","rooms":[{"name":"Cellar","keys":[4,5]},{"name":"Roof"}],"a/b":null,"open":true}`))
	expectStatus(t, ex, rag.FileIndexed)
	want := "paragraph: title: Plan\nparagraph: rooms.1.name: Cellar\\nrooms.1.keys.1: 4\\nrooms.1.keys.2: 5\\nrooms.2.name: Roof\nparagraph: open: true\n"
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if p := ex.Blocks[1].Locator.Pointer; p != "/rooms" {
		t.Errorf("pointer %q, want /rooms", p)
	}
}

func TestJSONLinesAndBrokenJSON(t *testing.T) {
	ex := readBytes(t, "a.jsonl", []byte("{\"a\":\"one\"}\n{\"a\":\"two\"}\n"))
	if got := outline(ex); got != "paragraph: a: one\nparagraph: a: two\n" {
		t.Errorf("lines: %s", got)
	}
	ex = readBytes(t, "a.json", []byte(`{"a":"one","b":`))
	expectStatus(t, ex, rag.FilePartlyIndexed)
	expectText(t, ex, "a: one")
	ex = readBytes(t, "a.json", []byte("// a comment\n{\"a\": 1}\n"))
	expectStatus(t, ex, rag.FileIndexed)
	expectText(t, ex, "a comment")
	ex = readBytes(t, "a.json", []byte(strings.Repeat("[", 100_000)))
	if ex.Status == rag.FileIndexed && ex.Text == "" {
		t.Error("a nested bomb must say something")
	}
}

func TestNotebook(t *testing.T) {
	ex := readBytes(t, "a.ipynb", []byte(`{"cells":[
		{"cell_type":"markdown","source":["# Energy\n","Text *here*"]},
		{"cell_type":"code","source":"print(6*7)","outputs":[{"text":["42\n"]},{"data":{"text/plain":"<Figure>"}}]}]}`))
	expectStatus(t, ex, rag.FileIndexed)
	want := "heading: Energy\nparagraph: Text here\ncode: print(6*7)\ncode: 42\ncode: <Figure>\n"
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if c := ex.Blocks[2].Locator.CellIndex; c != 2 {
		t.Errorf("cell %d, want 2", c)
	}
	expectStatus(t, readBytes(t, "b.ipynb", []byte(`{"cells":`)), rag.FileDamaged)
}

func TestCodeIsCutAtTopLevelPieces(t *testing.T) {
	ex := readBytes(t, "a.go", []byte("package a\n\n// F is.\nfunc F() {\n\n\tx()\n}\n\nvar V = 1\n"))
	want := "code: package a\ncode: // F is.\\nfunc F() {\\n\\n\tx()\\n}\ncode: var V = 1\n"
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if l := ex.Blocks[1].Locator; l.LineFrom != 3 || l.LineTo != 7 {
		t.Errorf("lines %d to %d, want 3 to 7", l.LineFrom, l.LineTo)
	}
	if ex.Kind != "code" {
		t.Errorf("kind %s", ex.Kind)
	}
}

func FuzzSniffDelimiter(f *testing.F) {
	f.Add("a;b\n1;2")
	f.Fuzz(func(t *testing.T, s string) {
		if got := sniffDelimiter(s); !strings.ContainsRune(",;\t|", got) {
			t.Errorf("%q", got)
		}
	})
}
