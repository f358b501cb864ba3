package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// kinds are what is written in turn. No text holds a sign that a format would
// have to escape.
var kinds = []struct {
	ending string
	body   func(letter) ([]byte, error)
}{
	{"txt", func(l letter) ([]byte, error) { return []byte(l.title + "\n\n" + l.text("", "\n\n")), nil }},
	{"md", func(l letter) ([]byte, error) { return []byte("# " + l.title + "\n\n" + l.text("", "\n\n")), nil }},
	{"html", func(l letter) ([]byte, error) {
		return []byte("<!doctype html><html><head><title>" + l.title + "</title></head><body><h1>" + l.title + "</h1>" + l.text("<p>", "</p>\n") + "</body></html>"), nil
	}},
	{"csv", func(l letter) ([]byte, error) { return []byte("Number;Text\n" + l.rows("%d;%s\n")), nil }},
	{"json", func(l letter) ([]byte, error) {
		return json.Marshal(map[string]any{"title": l.title, "paragraphs": l.paragraphs})
	}},
	{"eml", func(l letter) ([]byte, error) {
		return []byte("From: Ada <ada@example.org>\r\nTo: Ben <ben@example.org>\r\nSubject: " + l.title + "\r\nDate: Mon, 2 Mar 2026 09:05:00 +0000\r\n\r\n" + l.text("", "\r\n\r\n")), nil
	}},
	{"rtf", func(l letter) ([]byte, error) {
		return []byte(`{\rtf1\ansi\ansicpg1252 {\b ` + l.title + `}\par ` + l.text("", `\par `) + "}"), nil
	}},
	{"docx", func(l letter) ([]byte, error) {
		return zipped("[Content_Types].xml", types("word/document.xml", "wordprocessingml.document.main"), "_rels/.rels", relation("word/document.xml"),
			"word/document.xml", `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`+l.text("<w:p><w:r><w:t>", "</w:t></w:r></w:p>")+"</w:body></w:document>")
	}},
	{"xlsx", func(l letter) ([]byte, error) {
		return zipped("[Content_Types].xml", types("xl/workbook.xml", "spreadsheetml.sheet.main"), "_rels/.rels", relation("xl/workbook.xml"),
			"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Letters" sheetId="1" r:id="r1"/></sheets></workbook>`,
			"xl/worksheets/sheet1.xml", `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`+l.rows(`<row><c><v>%d</v></c><c t="inlineStr"><is><t>%s</t></is></c></row>`)+"</sheetData></worksheet>")
	}},
	{"pdf", func(l letter) ([]byte, error) { return l.pdf(), nil }},
	{"odt", func(l letter) ([]byte, error) {
		return zipped("mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
			`<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>`+
				l.text("<text:p>", "</text:p>")+"</office:text></office:body></office:document-content>")
	}},
	{"py", func(l letter) ([]byte, error) {
		return []byte("# " + l.title + "\n" + l.rows("\ndef step_%d():\n    return \"%s\"\n")), nil
	}},
}

// text joins the paragraphs, each between two texts.
func (l letter) text(before, after string) string {
	return before + strings.Join(l.paragraphs, after+before) + after
}

// rows writes each paragraph with its number.
func (l letter) rows(form string) string {
	var b strings.Builder
	for i, p := range l.paragraphs {
		fmt.Fprintf(&b, form, i+1, p)
	}
	return b.String()
}

func types(part, kind string) string {
	return `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/` + part +
		`" ContentType="application/vnd.openxmlformats-officedocument.` + kind + `+xml"/></Types>`
}

func relation(part string) string {
	return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="` + part + `"/></Relationships>`
}

// zipped makes an archive of names and contents.
func zipped(parts ...string) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(parts); i += 2 {
		f, err := w.Create(parts[i])
		if err != nil {
			return nil, err
		}
		if _, err := f.Write([]byte(parts[i+1])); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// pdf is a page of Helvetica, twelve words a line.
func (l letter) pdf() []byte {
	var text strings.Builder
	text.WriteString("BT /F1 9 Tf 40 800 Td 11 TL ")
	for _, p := range append([]string{l.title}, l.paragraphs...) {
		words := strings.Fields(p)
		for len(words) > 0 {
			n := min(12, len(words))
			fmt.Fprintf(&text, "(%s) Tj T* ", strings.Join(words[:n], " "))
			words = words[n:]
		}
		text.WriteString("T* ")
	}
	text.WriteString("ET")
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", text.Len(), text.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.Bytes()
}
