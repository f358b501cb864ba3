package extract

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// Kinds of file that are read.
const (
	kindPDF      = "pdf"
	kindDOCX     = "docx"
	kindPPTX     = "pptx"
	kindXLSX     = "xlsx"
	kindODT      = "odt"
	kindODS      = "ods"
	kindODP      = "odp"
	kindEPUB     = "epub"
	kindRTF      = "rtf"
	kindHTML     = "html"
	kindMarkdown = "markdown"
	kindText     = "text"
	kindCSV      = "csv"
	kindJSON     = "json"
	kindNotebook = "notebook"
	kindCode     = "code"
	kindImage    = "image"
	kindEmail    = "email"
	kindBinary   = "binary" // no text, as far as its bytes tell
)

// choose finds the reader of a file: what the first bytes prove goes before
// what the extension claims, and text formats go by the extension, since
// their bytes prove nothing.
func choose(src *source, opts Options) (string, reader, error) {
	head, ext := src.head, src.ext()
	switch {
	case bytes.HasPrefix(head, []byte("%PDF-")) || ext == ".pdf" && bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF")):
		return kindPDF, readPDF, nil
	case ext == ".pdf":
		return kindPDF, nil, damaged("This is not a PDF, or its beginning is missing. Download or export it again.", nil)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return chooseZip(src, opts)
	case bytes.HasPrefix(head, oleMagic):
		return chooseOLE(src)
	case bytes.HasPrefix(head, []byte(`{\rtf`)):
		return kindRTF, readRTF, nil
	}
	if isPicture(head) {
		return kindImage, readImage, nil
	}
	if kind, err := binaryKind(head, ext); err != nil && !(kind == kindBinary && opts.Encoding != "") {
		return kind, nil, err
	}
	return chooseText(head, ext, src.path)
}

// byExtension holds the kinds that a program reads more than one way; all
// other text goes by its language or is plain.
var byExtension = map[string]string{
	".md": kindMarkdown, ".markdown": kindMarkdown, ".mdown": kindMarkdown, ".mkd": kindMarkdown,
	".html": kindHTML, ".htm": kindHTML, ".xhtml": kindHTML,
	".csv": kindCSV, ".tsv": kindCSV, ".tab": kindCSV,
	".json": kindJSON, ".jsonl": kindJSON, ".ndjson": kindJSON, ".geojson": kindJSON,
	".ipynb": kindNotebook,
	".eml":   kindEmail, ".mbox": kindEmail, ".mbx": kindEmail,
	".txt": kindText, ".text": kindText, ".log": kindText, ".asc": kindText, ".srt": kindText, ".vtt": kindText,
}

// KindByName guesses the kind of a file by its name alone, for estimates; the
// bytes may say otherwise.
func KindByName(path string) string {
	ext := strings.ToLower(filepath.Ext(path))
	switch ext {
	case ".pdf", ".docx", ".pptx", ".xlsx", ".odt", ".ods", ".odp", ".epub", ".rtf":
		return ext[1:]
	case ".docm", ".pptm", ".xlsm":
		return ext[1:len(ext)-1] + "x"
	case ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp":
		return kindImage
	}
	if kind, ok := byExtension[ext]; ok {
		return kind
	}
	if isCode(path, nil) {
		return kindCode
	}
	return kindText
}

var textReaders = map[string]reader{
	kindMarkdown: readMarkdown, kindHTML: readHTML, kindCSV: readCSV, kindJSON: readJSON,
	kindNotebook: readNotebook, kindText: readText, kindCode: readCode,
}

func chooseText(head []byte, ext, path string) (string, reader, error) {
	switch ext {
	case ".docx", ".pptx", ".xlsx", ".odt", ".ods", ".odp", ".epub", ".rtf":
		return ext[1:], nil, damaged("By its name this is "+strings.ToUpper(ext[1:])+", but its content is something else, or the beginning is missing. Save it again in the program that made it.", nil)
	}
	if byExtension[ext] == kindEmail || byExtension[ext] == "" && (beginsMailbox(head) || looksLikeMail(head)) {
		return kindEmail, readMail, nil // not in the table, since a message holds files of all kinds
	}
	if kind, ok := byExtension[ext]; ok {
		return kind, textReaders[kind], nil
	}
	if looksLikeHTML(head) {
		return kindHTML, readHTML, nil
	}
	if isCode(path, head) {
		return kindCode, readCode, nil
	}
	return kindText, readText, nil
}

func looksLikeHTML(head []byte) bool {
	b := bytes.ToLower(bytes.TrimLeft(head[:min(len(head), 512)], "\xef\xbb\xbf \t\r\n"))
	return bytes.HasPrefix(b, []byte("<!doctype html")) || bytes.HasPrefix(b, []byte("<html"))
}

// looksLikeMail knows a message without a telling name, as mail programs keep
// them in folders: it begins with headers, among them what every message has.
func looksLikeMail(head []byte) bool {
	if !headerLine.Match(head) {
		return false
	}
	headers, _, _ := bytes.Cut(bytes.ReplaceAll(head, []byte("\r"), nil), []byte("\n\n"))
	headers = append([]byte("\n"), bytes.ToLower(headers)...)
	for _, name := range []string{"\nfrom:", "\ndate:", "\nmessage-id:"} {
		if !bytes.Contains(headers, []byte(name)) {
			return false
		}
	}
	return true
}

// binaryKind ends the files that hold no text. Its error is nil for text.
func binaryKind(head []byte, ext string) (string, error) {
	if len(head) == 0 || utf16Without(head) != "" || hasUnicodeMark(head) {
		return kindText, nil
	}
	detected := mimetype.Detect(head)
	name := detected.String()
	switch {
	case strings.HasPrefix(name, "image/") && !strings.Contains(name, "svg"):
		return kindImage, unsupported("Pictures of this kind (" + kindName(ext, name) + ") are not read. Save it as PNG or JPEG to have its words read.")
	case strings.HasPrefix(name, "audio/"):
		return "audio", unsupported("Sound files are not read. Add a transcript of it as text to find what is said.")
	case strings.HasPrefix(name, "video/"):
		return "video", unsupported("Video files are not read. Add its subtitles as text to find what is said.")
	}
	if strings.HasPrefix(name, "text/") || looksTextual(head, byExtension[ext] != "") {
		return kindText, nil
	}
	return kindBinary, unsupported("This kind of file (" + kindName(ext, name) + ") holds no text that can be read. If it is text all the same, set its encoding.")
}

func kindName(ext, mime string) string {
	if ext != "" {
		return strings.TrimPrefix(ext, ".")
	}
	return mime
}

// looksTextual judges bytes by their control characters. A known text
// extension is believed more: a stray NUL byte must not hide a whole file.
func looksTextual(head []byte, known bool) bool {
	controls := 0
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b {
			controls++
		}
	}
	if known {
		return controls*10 <= len(head) // more than a tenth is no text in any encoding
	}
	return controls*200 <= len(head)
}
