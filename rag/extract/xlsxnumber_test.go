package extract

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlainFormatsAreShownAsExcelizeShowsThem compares the short way with the
// long one, for every format that takes the short one here.
func TestPlainFormatsAreShownAsExcelizeShowsThem(t *testing.T) {
	codes := []string{"0", "0.00", "#,##0", "#,##0.00", "0%", "0.00%", "0.000", `#,##0.00\ "€"`, `[$€-2] #,##0.00`, `[$€-2]\ #,##0`, `"about "0.0`, `$#,##0.00`, `0" kg"`, "1", "2", "3", "4", "9", "10"}
	var formats, styles strings.Builder
	for i, code := range codes {
		id := 200 + i
		if len(code) <= 2 && code != "0" && code != "0%" {
			id = number(code)
		} else {
			fmt.Fprintf(&formats, `<numFmt numFmtId="%d" formatCode="%s"/>`, id, strings.NewReplacer(`"`, "&quot;").Replace(code))
		}
		fmt.Fprintf(&styles, `<xf numFmtId="%d" applyNumberFormat="1"/>`, id)
	}
	part := `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts>` + formats.String() + `</numFmts><cellXfs count="99">` + styles.String() + `</cellXfs></styleSheet>`
	a, err := openArchive(inMemory("a.xlsx", zipOf(t, "xl/styles.xml", part)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	values, err := a.cellValues(workbook{rels: []relationship{{"r", "styles", "xl/styles.xml"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer values.close()
	for style, code := range codes {
		if _, ok := values.plain[style]; !ok {
			t.Errorf("%q goes the long way", code)
		}
		for _, value := range []string{"0", "1", "0.5", "2.25", "12", "999", "1000", "1410.5", "12345.678", "1234567.891", "0.125", "45292", "1E3", "1.5E-3", "999999.999", "-7.5"} {
			if got, want := values.text("", style, []byte(value)), values.formatted(style, false, value); got != want {
				t.Errorf("%s in %q is %q, excelize says %q", value, code, got, want)
			}
		}
	}
	for _, code := range []string{"", "General", "yyyy-mm-dd", "0;-0", "# ?/?", "0.0E+0", "@", "14", "[Red]0", "#", "0,", "0_)"} {
		if f, ok := plainFormatOf(code); ok {
			t.Errorf("%q goes the short way: %+v", code, f)
		}
	}
}

func TestCellValuesThatNeedNoFormat(t *testing.T) {
	for value, plain := range map[string]bool{"0": true, "7": true, "-7": true, "12.5": true, "100": true, "0.5": true, "123456789012345": true,
		"1234567890123456": false, "007": false, "1.50": false, "1.": false, ".5": false, "1e3": false, "": false, "-": false, "x": false, "1.2.3": false} {
		if isPlainNumber([]byte(value)) != plain {
			t.Errorf("%q: %v", value, !plain)
		}
	}
	for ref, column := range map[string]int{"A1": 1, "z9": 26, "AA10": 27, "XFD1048576": 16384, "": 0, "A": 0, "7": 0, "ABCD1": 0, "É1": 0} {
		if got := columnOf([]byte(ref)); got != column {
			t.Errorf("%q is in column %d", ref, got)
		}
	}
	for s, n := range map[string]int{"0": 0, " 12 ": 12, "": 0, "x": -1, "-1": -1, "99999999999": -1} {
		if got := wholeNumber([]byte(s)); got != n {
			t.Errorf("%q is %d", s, got)
		}
	}
	for s, want := range map[string]string{"a_x000D_b": "a\rb", "_x0041_": "A", "_x00_": "_x00_", "snake_xyz": "snake_xyz", "_xD800_": "_xD800_"} {
		if got := unescapeCell(s); got != want {
			t.Errorf("%q is %q", s, got)
		}
	}
}
