package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"referent/rag"
)

const sheetStyles = `<styleSheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="[$€-2] #,##0.00"/></numFmts>
<fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="10" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`

// testSheet is a sheet of a workbook of tests.
type testSheet struct {
	name, state, data string // data is what stands in the worksheet element
	rels              string
}

// sheetFileOf makes a workbook in the strict form with its parts in odd places.
func sheetFileOf(tb testing.TB, shared []string, sheets []testSheet, extra ...string) []byte {
	tb.Helper()
	const ns = ` xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships"`
	var words strings.Builder
	tabs, rels := "", `<Relationship Id="s" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/sharedStrings" Target="words.xml"/><Relationship Id="y" Type="x/styles" Target="look.xml"/><Relationship Id="ch" Type="x/chartsheet" Target="chart.xml"/>`
	for _, s := range shared {
		words.WriteString(`<si><t>` + s + `</t></si>`)
	}
	parts := []string{"[Content_Types].xml", `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels", `<Relationships><Relationship Id="r1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="book/b.xml"/></Relationships>`}
	for i, s := range sheets {
		tabs += fmt.Sprintf(`<sheet name="%s" sheetId="%d" state="%s" r:id="x%d"/>`, s.name, i+1, s.state, i)
		rels += fmt.Sprintf(`<Relationship Id="x%d" Type="x/worksheet" Target="tabs/t%d.xml"/>`, i, i)
		parts = append(parts, fmt.Sprintf("book/tabs/t%d.xml", i), `<worksheet`+ns+`>`+s.data+`</worksheet>`)
		if s.rels != "" {
			parts = append(parts, fmt.Sprintf("book/tabs/_rels/t%d.xml.rels", i), `<Relationships>`+s.rels+`</Relationships>`)
		}
	}
	parts = append(parts, "book/b.xml", `<workbook`+ns+`><sheets>`+tabs+`<sheet name="Chart" sheetId="99" r:id="ch"/></sheets></workbook>`, "book/_rels/b.xml.rels", `<Relationships>`+rels+`</Relationships>`,
		"book/words.xml", `<sst`+ns+`>`+words.String()+`</sst>`, "book/look.xml", sheetStyles)
	return zipOf(tb, append(parts, extra...)...)
}

func inline(ref, text string) string {
	return `<c r="` + ref + `" t="inlineStr"><is><t>` + text + `</t></is></c>`
}

func TestR037_XLSXSheetsAreReadAsShown(t *testing.T) {
	rents := `<sheetData><row r="1">` + inline("A1", "Rents of the year") + `</row>
<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="s"><v>2</v></c><c r="E3" t="s"><v>3</v></c></row>
<row r="4">` + inline("A4", "Elm") + `<c r="B4" s="1"><v>45292</v></c><c r="C4" s="3"><v>1410.5</v></c><c r="E4" s="2"><v>0.125</v></c></row>
<row r="5" hidden="1"><c r="B5" s="1"><v>45657</v></c><c r="C5" s="3"><f>C4*2</f><v>2821</v></c><c r="E5" t="b"><v>1</v></c></row>
<row r="9"><c r="E9" t="e"><v>#DIV/0!</v></c></row></sheetData><mergeCells count="2"><mergeCell ref="A4:A5"/><mergeCell ref="A1:E1"/></mergeCells>`
	ex := readBytes(t, "Rents.xlsx", sheetFileOf(t, []string{"House", "Since", "Rent", "Rise"}, []testSheet{
		{"Rents", "", rents, `<Relationship Id="c" Type="x/comments" Target="../notes.xml"/><Relationship Id="t" Type="x/threadedComment" Target="../talk.xml"/><Relationship Id="d" Type="x/drawing" Target="../boxes.xml"/>`},
		{"Empty", "", "<sheetData/>", ""},
		{"Old", "veryHidden", `<sheetData><row>` + `<c t="inlineStr"><is><r><t>ri</t></r><r><t>ch</t></r></is></c></row></sheetData>`, ""},
	}, "book/notes.xml", `<comments><commentList><comment ref="C4"><text><r><t>Raised </t></r><r><t>in May</t></r></text></comment><comment ref="A4"><text><t>[Threaded comment] Update Excel.</t></text></comment></commentList></comments>`,
		"book/talk.xml", `<ThreadedComments><threadedComment ref="A4"><text>Is it sold?</text></threadedComment></ThreadedComments>`,
		"book/boxes.xml", `<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>See the lease.</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>`))
	expectStatus(t, ex, rag.FileIndexed)
	want := `heading: Rents
paragraph: Rents of the year
table: House | Since | Rent |  | Rise\nElm | 2024-01-01 | € 1,410.50 |  | 12.50%\nElm | 2024-12-31 | € 2,821.00 |  | TRUE\n |  |  |  | #DIV/0!
paragraph: See the lease.
heading: Empty
heading: Old (hidden sheet)
paragraph: rich
note: Raised in May
note: Is it sold?
`
	if got := outline(ex); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if b := ex.Blocks[2]; b.Locator.Sheet != "Rents" || b.Locator.Cell != "A3:E9" || !strings.HasPrefix(b.TableHeader, "House | Since") {
		t.Errorf("locator %v, header %q", b.Locator, b.TableHeader)
	}
	if l := ex.Blocks[7].Locator; l.Sheet != "Rents" || l.Cell != "C4" {
		t.Errorf("comment at %v", l)
	}
	if ex.Title != "Rents" || ex.TitleSource != "file_name" {
		t.Errorf("title %q from %s", ex.Title, ex.TitleSource)
	}
}

func TestXLSXLargeSheetsAndStringsAreStreamed(t *testing.T) {
	const rows = 15_000 // both parts are larger than what is read at a time
	var data strings.Builder
	var shared []string
	data.WriteString(`<sheetData>`)
	for i := 1; i <= rows; i++ {
		fmt.Fprintf(&data, `<row r="%d"><c r="A%d" t="s"><v>%d</v></c><c r="B%d"><v>%d</v></c><c r="C%d" t="inlineStr"><is><t>%s</t></is></c></row>`, i, i, i-1, i, i, i, strings.Repeat("y", 60))
		shared = append(shared, fmt.Sprintf("item %d %s", i, strings.Repeat("x", 150)))
	}
	data.WriteString(`</sheetData><mergeCells><mergeCell ref="A14998:A15000"/></mergeCells>`)
	ex := readBytes(t, "a.xlsx", sheetFileOf(t, shared, []testSheet{{"S", "", data.String(), ""}}))
	expectStatus(t, ex, rag.FileIndexed)
	expectText(t, ex, "item 1 x", "item 14998 x", "| 15000 | y")
	if n := strings.Count(ex.Text, "\n"); n < rows-100 {
		t.Errorf("%d lines", n)
	}
	last := ex.Blocks[len(ex.Blocks)-1]
	if last.Locator.Cell != "A14981:C15000" {
		t.Errorf("last block at %s", last.Locator.Cell)
	}
}

// Programs that write workbooks leave the styles out, or write none in them.
func TestXLSXWithoutStylesIsRead(t *testing.T) {
	const ns = ` xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	parts := []string{"[Content_Types].xml", `<Types><Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels", `<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook` + ns + `><sheets><sheet name="Rents" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/worksheets/sheet1.xml", `<worksheet` + ns + `><sheetData><row r="1">` + inline("A1", "Flat") + `<c r="B1"><v>746.5</v></c></row></sheetData></worksheet>`}
	const sheet = `<Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>`
	for name, more := range map[string][]string{
		"no part":    {"xl/_rels/workbook.xml.rels", `<Relationships>` + sheet + `</Relationships>`},
		"empty part": {"xl/_rels/workbook.xml.rels", `<Relationships>` + sheet + `<Relationship Id="r2" Type="x/styles" Target="styles.xml"/></Relationships>`, "xl/styles.xml", `<styleSheet` + ns + `/>`},
	} {
		t.Log(name)
		ex := readBytes(t, "rents.xlsx", zipOf(t, append(slices.Clone(parts), more...)...))
		expectStatus(t, ex, rag.FileIndexed)
		expectText(t, ex, "Flat")
		expectText(t, ex, "746.5")
	}
}

func TestXLSXCapsAndDamage(t *testing.T) {
	many := `<sheetData>` + strings.Repeat(`<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row>`, 50) + `</sheetData>`
	whole := sheetFileOf(t, nil, []testSheet{{"S", "", many, ""}, {"T", "", "<sheetData><row>" + inline("A1", "fine") + "</row></sheetData>", ""}})
	ex := readBytes(t, "a.xlsx", whole, Options{MaxRows: 10})
	expectStatus(t, ex, rag.FilePartlyIndexed)
	if ex.Reason != "Only the first 10 rows of the sheet “S” were read."+partlyAdvice {
		t.Errorf("reason %q", ex.Reason)
	}
	expectText(t, ex, "fine")
	expectStatus(t, readBytes(t, "a.xlsx", whole[:len(whole)/2]), rag.FileDamaged)
	ex = readBytes(t, "b.xlsx", zipWith(t, whole, "book/tabs/t0.xml", ""))
	expectText(t, ex, "fine")
	ex = readBytes(t, "c.xlsx", sheetFileOf(t, nil, []testSheet{{"S", "", `<sheetData><row r="1">` + inline("A1", "before") + `</row><row r="9999999">`, ""}}))
	expectStatus(t, ex, rag.FilePartlyIndexed)
	expectText(t, ex, "before")
	expectStatus(t, readBytes(t, "d.xlsx", sheetFileOf(t, nil, nil)), rag.FileDamaged)
	expectStatus(t, readBytes(t, "e.xlsx", sheetFileOf(t, nil, []testSheet{{"S", "", "<sheetData/>" + blanks, ""}}), smallRatio), rag.FileTooLarge)
	expectStatus(t, readBytes(t, "f.xlsb", zipOf(t, "[Content_Types].xml", `<Types><Override ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>`)), rag.FileUnsupported)
}

func TestOfficeDocumentsOpenWithTheirPassword(t *testing.T) {
	var words []string
	for i := range 3000 { // excelize writes no small protected documents
		words = append(words, fmt.Sprint(i*i*7919%99991))
	}
	plain := sheetFileOf(t, words, []testSheet{{"S", "", "<sheetData><row>" + inline("A1", "secret rent") + "</row></sheetData>", ""}})
	locked, err := excelize.Encrypt(plain, &excelize.Options{Password: "heron"})
	if err != nil {
		t.Fatal(err)
	}
	for password, status := range map[string]rag.FileStatus{"": rag.FileNeedsPassword, "egret": rag.FileNeedsPassword, "heron": rag.FileIndexed} {
		ex := readBytes(t, "a.xlsx", locked, Options{Password: password})
		expectStatus(t, ex, status)
		if status == rag.FileIndexed {
			expectText(t, ex, "secret rent")
		}
	}
	expectStatus(t, readBytes(t, "b.xlsx", locked[:len(locked)/2], Options{Password: "heron"}), rag.FileDamaged)
}

func TestCellNames(t *testing.T) {
	for _, c := range []struct {
		name        string
		column, row int
	}{{"A1", 1, 1}, {"Z9", 26, 9}, {"AA10", 27, 10}, {"AZ3", 52, 3}, {"BA3", 53, 3}, {"ZZ1", 702, 1}, {"AAA1", 703, 1}, {"XFD1048576", 16384, 1048576}} {
		if got := cellName(c.column, c.row); got != c.name {
			t.Errorf("%d, %d is %s, want %s", c.column, c.row, got, c.name)
		}
		if column, row := parseCell(c.name); column != c.column || row != c.row {
			t.Errorf("%s is %d, %d", c.name, column, row)
		}
	}
	for _, bad := range []string{"", "A", "1", "AAAAA1", "XFE1", "A0", "A-1", "Ä1"} {
		if column, row := parseCell(bad); column != 0 || row != 0 {
			t.Errorf("%q is %d, %d", bad, column, row)
		}
	}
}

func TestMergesAreFoundAcrossWrites(t *testing.T) {
	xml := `<x:mergeCells><x:mergeCell  ref='B2:C4'/><mergeCell ref="A1:C1"/><mergeCell ref="$A$9:A12"></mergeCell>` + `<mergeCell other="1" ref="D5:D6"/>`
	for _, size := range []int{1, 7, 1000} {
		var m mergeFinder
		for b := []byte(xml); len(b) > 0; {
			n := min(size, len(b))
			if _, err := m.Write(b[:n]); err != nil {
				t.Fatal(err)
			}
			b = b[n:]
		}
		if got := m.sorted(); !slices.Equal(got, []merge{{2, 2, 4}, {4, 5, 6}, {1, 9, 12}}) {
			t.Errorf("in writes of %d: %v", size, got)
		}
	}
}

func TestSheetRowsFarToTheRight(t *testing.T) {
	cells := make([]string, 500)
	cells[0], cells[499] = "a", "z"
	if got := string(appendSheetRow(nil, cells)); got != "a"+strings.Repeat(" | ", maxEmptyCells+1)+"z" {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

// BenchmarkSpreadsheetCells reads 2.4 million cells: 200,000 rows of 12, of them
// four words, six numbers, a date and an amount of money. live-MB is the most
// memory that lived through a collection, with the text that is handed over;
// own-MB is without it.
func BenchmarkSpreadsheetCells(b *testing.B) {
	const rows, columns = 200_000, 12
	path := filepath.Join(b.TempDir(), "cells.xlsx")
	writeCells(b, path, rows)
	b.ResetTimer()
	var live, whole, text uint64
	for b.Loop() {
		stop, peak := make(chan struct{}), make(chan [2]uint64)
		go func() { peak <- heapPeak(stop) }()
		ex, err := File(context.Background(), path, Options{})
		close(stop)
		p := <-peak
		if err != nil || ex.Status != rag.FileIndexed {
			b.Fatal(err, ex.Status, ex.Reason)
		}
		if n := strings.Count(ex.Text, " | ") + strings.Count(ex.Text, "\n"); n < rows*(columns-1) {
			b.Fatalf("%d separators", n)
		}
		live, whole = max(live, p[0]), max(whole, p[1])
		text = uint64(len(ex.Text))
	}
	b.ReportMetric(float64(rows*columns)*float64(b.N)/b.Elapsed().Seconds(), "cells/s")
	b.ReportMetric(float64(text)/1e6, "text-MB")
	b.ReportMetric(float64(live)/1e6, "live-MB")
	b.ReportMetric((float64(live)-float64(text))/1e6, "own-MB")
	b.ReportMetric(float64(whole)/1e6, "heap-MB")
}

// heapPeak samples the heap until stop closes: the most that lived through a
// collection, and the most that was in use.
func heapPeak(stop chan struct{}) (peak [2]uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	runtime.GC()
	for {
		select {
		case <-stop:
			return peak
		case <-tick.C:
			metrics.Read(samples)
			for i, s := range samples {
				peak[i] = max(peak[i], s.Value.Uint64())
			}
		}
	}
}

func writeCells(b *testing.B, path string, rows int) {
	b.Helper()
	var shared []string
	for i := range 500 {
		shared = append(shared, fmt.Sprintf("word %d", i))
	}
	small := sheetFileOf(b, shared, []testSheet{{"Cells", "", "<sheetData/>", ""}})
	z, err := zip.NewReader(bytes.NewReader(small), int64(len(small)))
	if err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	out := zip.NewWriter(f)
	for _, part := range z.File {
		w, err := out.Create(part.Name)
		if err != nil {
			b.Fatal(err)
		}
		if part.Name != "book/tabs/t0.xml" {
			r, err := part.Open()
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(w, r); err != nil {
				b.Fatal(err)
			}
			continue
		}
		fmt.Fprint(w, `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`)
		for r := 1; r <= rows; r++ {
			fmt.Fprintf(w, `<row r="%d">`, r)
			for c := 1; c <= 12; c++ {
				switch name := cellName(c, r); {
				case c <= 4:
					fmt.Fprintf(w, `<c r="%s" t="s"><v>%d</v></c>`, name, (r*7+c)%500)
				case c == 5:
					fmt.Fprintf(w, `<c r="%s" s="1"><v>%d</v></c>`, name, 40000+r%5000)
				case c == 6:
					fmt.Fprintf(w, `<c r="%s" s="3"><v>%d.5</v></c>`, name, r)
				default:
					fmt.Fprintf(w, `<c r="%s"><v>%d</v></c>`, name, (r+c)%1000)
				}
			}
			fmt.Fprint(w, `</row>`)
		}
		fmt.Fprint(w, `</sheetData></worksheet>`)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
}

// TestTextRoomIsForetold: the text of a large workbook is moved once, to a place
// that is hardly larger than it needs, also when its rows become longer or
// shorter on the way; and it is the same as without.
func TestTextRoomIsForetold(t *testing.T) {
	for name, c := range map[string]struct {
		words func(row int) int
		moves int // at most
	}{
		"even rows":    {func(int) int { return 6 }, 1},
		"longer rows":  {func(row int) int { return 2 + row/4000 }, 9},
		"shorter rows": {func(row int) int { return 12 - row/4000 }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			const rows = 40_000
			d := newDocument(Options{MaxChars: 1 << 30})
			room := &textRoom{d: d}
			line := func(row int) string { return strings.Repeat("a word | ", c.words(row)) + itoa(row) }
			for row := range rows {
				room.all += 3 * int64(len(line(row)))
			}
			w := sheetWriter{d: d, sheet: "S", room: room, known: true}
			var want strings.Builder
			moves, capacity := 0, 0
			for row := range rows {
				text := line(row)
				_, _ = room.Write(make([]byte, 3*len(text)))
				w.row(row+1, strings.Split(text, " | "))
				want.WriteString(text)
				if now := d.text.Cap(); now != capacity {
					if d.text.Len() > knownText {
						moves++
					}
					capacity = now
				}
			}
			w.flush()
			got := strings.NewReplacer("\n", "").Replace(d.text.String())
			if got != want.String() {
				t.Errorf("the text is another one: %d bytes, not %d", len(got), want.Len())
			}
			if spare := float64(d.text.Cap()) / float64(d.text.Len()); moves > c.moves || name == "even rows" && spare > 1.1 {
				t.Errorf("moved %d times, %.2f times as much room as text", moves, spare)
			}
			checkOffsets(t, d.finish())
		})
	}
}
