package extract

import (
	"bytes"
	"io"
	"unicode/utf16"
)

// oleMagic begins a compound file: Microsoft's container before 2007, and
// today's envelope of an encrypted document.
var oleMagic = []byte{0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1}

// chooseOLE tells apart what lies in a compound file by the names in its
// directory, which are UTF-16 and can stand anywhere in the file.
func chooseOLE(src *source) (string, reader, error) {
	b, err := io.ReadAll(io.LimitReader(src.File, 64<<20))
	if err != nil {
		return "", nil, err
	}
	has := func(name string) bool { return bytes.Contains(b, utf16LE(name)) }
	switch ext := src.ext(); {
	case has("EncryptedPackage"):
		kind := kindDOCX
		if ext == ".xlsx" || ext == ".pptx" {
			kind = ext[1:]
		}
		return kind, readEncrypted, nil
	case has("WordDocument") || ext == ".doc":
		return "doc", nil, unsupported("This is a Word document in the format before 2007 (.doc). Save it as DOCX or PDF to have it read.")
	case has("Workbook") || has("Book") || ext == ".xls":
		return "xls", nil, unsupported("This is an Excel workbook in the format before 2007 (.xls). Save it as XLSX or CSV to have it read.")
	case has("PowerPoint Document") || ext == ".ppt":
		return "ppt", nil, unsupported("This is a PowerPoint presentation in the format before 2007 (.ppt). Save it as PPTX or PDF to have it read.")
	case has("__properties_version1.0") || ext == ".msg":
		return "msg", nil, unsupported("This is an Outlook message (.msg). Save it as PDF or text to have it read.")
	}
	return "ole", nil, unsupported("This kind of Microsoft file holds no text that can be read. If it has pages, export it as PDF.")
}

func utf16LE(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}
