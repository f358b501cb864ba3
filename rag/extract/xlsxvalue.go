package extract

import (
	"archive/zip"
	"bytes"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// cellValues turns what is stored in cells into what is shown. Formats are
// applied by excelize, on one cell of a workbook in memory that holds nothing
// but the styles; what needs no format never gets there.
type cellValues struct {
	shared  []string
	formats []string            // of each cell style: the code, "" where there is none, bare where it shows values as they are
	plain   map[int]plainFormat // of the cell styles that have such a one
	book    *excelize.File
	known   map[cellKey]string
	numbers textStore
}

type cellKey struct {
	style int
	text  bool
	value string
}

// maxKnown bounds the formatted values that are remembered: dates and amounts
// repeat.
const maxKnown = 8_000

// close ends the workbook of the styles, which holds no file open.
func (v *cellValues) close() { _ = v.book.Close() }

// cellValues reads strings and styles of a workbook.
func (a *archive) cellValues(b workbook) (*cellValues, error) {
	v := &cellValues{plain: map[int]plainFormat{}, known: map[cellKey]string{}, numbers: textStore{piece: 64 << 10}}
	var err error
	if part := related(b.rels, "sharedStrings"); part != "" {
		if v.shared, err = a.sharedStrings(part); err != nil {
			return nil, err
		}
	}
	var styles string
	if part := related(b.rels, "styles"); part != "" {
		raw, err := a.partBytes(part, maxStyleBytes)
		if stops(err) {
			return nil, err
		}
		if err == nil { // numbers without formats are better than no numbers
			styles = datesInEnglish(string(raw))
		}
	}
	if v.book, err = styleBook(styles, b.from1904); err != nil {
		if v.book, err = styleBook("", b.from1904); err != nil { // styles that are damaged
			return nil, err
		}
		styles = ""
	}
	v.formats = cellFormats(styles)
	for i, code := range v.formats {
		if f, ok := plainFormatOf(code); ok {
			v.plain[i] = f
		}
	}
	return v, nil
}

// styleBook is a workbook with one empty sheet and the styles.
func styleBook(styles string, from1904 bool) (*excelize.File, error) {
	const ns, office = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`, "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	relation := func(id, kind, target string) string {
		return `<Relationship Id="` + id + `" Type="` + office + "/" + kind + `" Target="` + target + `"/>`
	}
	const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	parts := [][2]string{
		{"_rels/.rels", rels + relation("r1", "officeDocument", "xl/workbook.xml") + `</Relationships>`},
		{"xl/workbook.xml", `<workbook ` + ns + ` xmlns:r="` + office + `"><workbookPr date1904="` + strconv.FormatBool(from1904) + `"/><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", rels + relation("r1", "worksheet", "worksheets/sheet1.xml") + relation("r2", "styles", "styles.xml") + `</Relationships>`},
		{"xl/worksheets/sheet1.xml", `<worksheet ` + ns + `><sheetData/></worksheet>`},
	}
	if styles != "" {
		parts = append(parts, [2]string{"xl/styles.xml", styles})
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, p := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: p[0], Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, p[1]); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	f, err := excelize.OpenReader(&packed)
	if err != nil || styles == "" {
		return f, err
	}
	_, err = f.GetStyle(0) // reads the styles
	return f, err
}

// text is what a cell shows, on one line.
func (v *cellValues) text(kind string, style int, value []byte) string {
	if len(value) == 0 {
		return ""
	}
	switch kind {
	case "s":
		i := wholeNumber(value)
		if i < 0 || i >= len(v.shared) {
			return ""
		}
		return v.asText(style, v.shared[i])
	case "str", "inlineStr":
		return v.asText(style, cell(unescapeCell(string(value))))
	case "b":
		return map[bool]string{true: "TRUE", false: "FALSE"}[string(bytes.TrimSpace(value)) == "1"]
	case "e", "d":
		return cell(strings.TrimSuffix(string(value), "T00:00:00"))
	}
	if v.bare(style) && isPlainNumber(value) {
		return v.numbers.add(value)
	}
	if f, ok := v.plain[style]; ok {
		if s, ok := f.text(value); ok {
			return cell(s)
		}
	}
	return v.formatted(style, false, string(value))
}

// bare tells a style that shows numbers as they are.
func (v *cellValues) bare(style int) bool {
	return style <= 0 || style >= len(v.formats) || v.formats[style] == ""
}

// asText shows a text; few formats say anything of texts.
func (v *cellValues) asText(style int, s string) string {
	if v.bare(style) || v.formats[style] == "@" || !strings.Contains(v.formats[style], "@") && strings.Count(v.formats[style], ";") < 3 {
		return s
	}
	return v.formatted(style, true, s)
}

// formatted applies the format of a style.
func (v *cellValues) formatted(style int, text bool, value string) string {
	key := cellKey{style, text, value}
	if shown, ok := v.known[key]; ok {
		return shown
	}
	if len(v.known) >= maxKnown {
		clear(v.known)
	}
	shown := value
	if style >= len(v.formats) {
		style = 0
	}
	err := v.book.SetCellStyle("S", "A1", "A1", style)
	switch {
	case err != nil:
	case text:
		err = v.book.SetCellStr("S", "A1", value)
	default:
		err = v.book.SetCellDefault("S", "A1", value)
	}
	if err == nil {
		if s, err := v.book.GetCellValue("S", "A1"); err == nil {
			shown = s
		}
	}
	shown = cell(shown)
	v.known[key] = shown
	return shown
}

// isPlainNumber tells a number that is shown as it is stored: no exponent, no
// needless zeros, no more than the 15 digits that Excel has.
func isPlainNumber(b []byte) bool {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	whole, fraction, dotted := bytes.Cut(b, []byte("."))
	switch {
	case len(whole) == 0, len(whole)+len(fraction) > 15, len(whole) > 1 && whole[0] == '0':
		return false
	case dotted && (len(fraction) == 0 || fraction[len(fraction)-1] == '0'):
		return false
	}
	for _, part := range [][]byte{whole, fraction} {
		for _, c := range part {
			if c < '0' || c > '9' {
				return false
			}
		}
	}
	return string(b) != "0" || !dotted
}

// escapedChar is a character that XML does not allow, as Office writes it.
var escapedChar = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func unescapeCell(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	return escapedChar.ReplaceAllStringFunc(s, func(m string) string {
		n, err := strconv.ParseUint(m[2:6], 16, 16)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return m
		}
		return string(rune(n))
	})
}

var (
	numberFormat = regexp.MustCompile(`<(?:\w+:)?numFmt\b[^>]*>`)
	cellStyles   = regexp.MustCompile(`(?s)<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>`)
	styleElement = regexp.MustCompile(`<(?:\w+:)?xf\b[^>]*>`)
	formatID     = regexp.MustCompile(`\bnumFmtId=["'](\d+)["']`)
	formatText   = regexp.MustCompile(`\bformatCode=(?:"([^"]*)"|'([^']*)')`)
)

// cellFormats gives the format of each cell style: its code, or its number where
// it is one of those that have no code in the file; "" for none.
func cellFormats(styles string) []string {
	codes := map[string]string{"0": "", "49": "@"}
	for _, f := range numberFormat.FindAllString(styles, -1) {
		id, code := formatID.FindStringSubmatch(f), formatText.FindStringSubmatch(f)
		if id == nil || code == nil {
			continue
		}
		c := html.UnescapeString(code[1] + code[2])
		if strings.EqualFold(c, "general") {
			c = ""
		}
		codes[id[1]] = c
	}
	var out []string
	for _, xf := range styleElement.FindAllString(cellStyles.FindString(styles), -1) {
		id := formatID.FindStringSubmatch(xf)
		if id == nil {
			out = append(out, "")
			continue
		}
		code, ok := codes[id[1]]
		if !ok {
			code = id[1]
		}
		out = append(out, code)
	}
	return out
}
