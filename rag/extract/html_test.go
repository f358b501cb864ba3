package extract

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"referent/rag"
)

const article = `<!doctype html><html lang="de"><head><title>Hausordnung</title><style>p{color:red}</style></head><body>
<nav><a href="/">Start</a> <a href="/x">Kontakt</a></nav>
<article><h1>Hausordnung</h1>
<p>Die Ruhezeit beginnt um 22 Uhr und endet um 6 Uhr. In dieser Zeit sind Musik und laute Arbeiten nicht erlaubt, auch nicht auf dem Balkon.</p>
<h2>Keller</h2><p>Der Keller wird abgeschlossen.<br>Fahrräder stehen im Ständer, und nicht im Gang, denn der Gang ist ein Fluchtweg für alle Bewohner.</p>
<ul><li>Licht aus</li><li>Tür zu</li></ul>
<table><tr><th>Raum</th><th>Schlüssel</th></tr><tr><td>Keller</td><td>Nr. 4</td></tr></table>
<pre>a
  b</pre><script>alert("x")</script></article></body></html>`

func TestHTMLBlocks(t *testing.T) {
	ex := readBytes(t, "a.html", []byte(article))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: Keller
paragraph: Der Keller wird abgeschlossen.\nFahrräder stehen im Ständer, und nicht im Gang, denn der Gang ist ein Fluchtweg für alle Bewohner.
list_item: - Licht aus
list_item: - Tür zu
table: Raum | Schlüssel\nKeller | Nr. 4
code: a\n  b
`
	if got := outline(ex); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant at the end\n%s", got, want)
	}
	expectText(t, ex, "Die Ruhezeit beginnt um 22 Uhr")
	if strings.Contains(ex.Text, "alert") || strings.Contains(ex.Text, "<") || strings.Contains(ex.Text, "color") {
		t.Errorf("markup in the text: %s", ex.Text)
	}
	if ex.Title != "Hausordnung" || ex.Language != "de" {
		t.Errorf("title %q, language %q", ex.Title, ex.Language)
	}
}

// TestHTMLCharset: a declaration counts only where the bytes are valid in it.
func TestHTMLCharset(t *testing.T) {
	latin, err := charmap.Windows1252.NewEncoder().Bytes([]byte("<html><head><meta charset=%s></head><body><p>Schlüssel für die Größe der Tür</p></body></html>"))
	if err != nil {
		t.Fatal(err)
	}
	for _, declared := range []string{"windows-1252", "utf-8", "nonsense"} {
		ex := readBytes(t, "a.html", []byte(strings.Replace(string(latin), "%s", declared, 1)))
		if !strings.Contains(ex.Text, "Schlüssel für die Größe der Tür") {
			t.Errorf("declared %s: %q read as %s", declared, ex.Text, ex.Encoding)
		}
	}
}

func TestHTMLBombs(t *testing.T) {
	for name, page := range map[string]string{
		"elements": strings.Repeat("<div>", 200_000) + "deep",
		"tables":   strings.Repeat("<table><tr><td>", 50_000) + "deep",
		"bold":     strings.Repeat("<b>", 100_000) + "deep",
		"custom":   strings.Repeat("<x-y>", 100_000) + "deep",
	} {
		t.Run(name, func(t *testing.T) {
			ex := readBytes(t, "a.html", []byte(page))
			expectStatus(t, ex, rag.FileIndexed)
			expectText(t, ex, "deep")
		})
	}
}
