package extract

import (
	"archive/zip"
	"errors"
	"io"
	"path"
	"regexp"
	"strings"
)

// Caps of a zip archive. Bytes are counted while reading; the sizes that the
// archive itself states are not believed.
const (
	maxPartBytes    = 200 << 20
	maxArchiveBytes = 1 << 30
	maxEntries      = 10_000
	maxRatio        = 200 // unpacked to packed
)

// archive is an open zip file with its budget of unpacked bytes.
type archive struct {
	zip    *zip.Reader
	parts  map[string]*zip.File
	packed int64 // size of the whole file
	used   int64 // unpacked so far
	spared int64 // unpacked bytes below which maxRatio is not asked
}

func openArchive(src *source, opts Options) (*archive, error) {
	info, err := src.File.Stat()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(src.File, info.Size())
	if err != nil {
		return nil, damaged("The document is cut off or damaged. If it is still being copied, wait; else save it again in the program that made it.", err)
	}
	if len(z.File) > maxEntries {
		return nil, tooLarge("The document holds %d parts. Up to %d are read.", len(z.File), maxEntries)
	}
	a := &archive{zip: z, parts: make(map[string]*zip.File, len(z.File)), packed: info.Size(), spared: opts.ratioFrom}
	for _, f := range z.File {
		name := partName(f.Name)
		if _, twice := a.parts[name]; !twice {
			a.parts[name] = f
		}
	}
	return a, nil
}

// partName makes names comparable: forward slashes, no leading slash, no dots.
// Parts are only ever looked up by name, never written, so a name that climbs
// out of the archive can do no harm.
func partName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// open gives a part by name; fs.ErrNotExist has no place here, so absence is
// a nil reader.
func (a *archive) open(name string) (io.ReadCloser, error) {
	f := a.parts[partName(name)]
	if f == nil {
		return nil, nil
	}
	if f.Flags&1 != 0 {
		return nil, needsPassword("This archive is protected by a password. Save a copy without one to have it read.")
	}
	r, err := f.Open()
	if err != nil {
		if errors.Is(err, zip.ErrAlgorithm) {
			return nil, damaged("The document is packed in a way that is not read. Save it again in the program that made it.", err)
		}
		return nil, err
	}
	return &part{r: r, archive: a}, nil
}

// part counts what it unpacks against the caps.
type part struct {
	r       io.ReadCloser
	archive *archive
	n       int64
}

func (p *part) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.n += int64(n)
	p.archive.used += int64(n)
	switch {
	case p.n > maxPartBytes, p.archive.used > maxArchiveBytes:
		return n, tooLarge("The document unpacks to more than %s.", bytesText(maxPartBytes))
	case p.archive.used > p.archive.spared && p.archive.used > maxRatio*p.archive.packed:
		return n, tooLarge("The document unpacks to more than %d times its size, as no real document does; if you trust it, save it again in the program that made it.", maxRatio)
	}
	return n, err
}

func (p *part) Close() error { return p.r.Close() }

// chooseZip tells apart the documents that are zip archives.
func chooseZip(src *source, opts Options) (string, reader, error) {
	a, err := openArchive(src, opts)
	if err != nil {
		kind := strings.TrimPrefix(src.ext(), ".")
		if kind == "" {
			kind = "zip"
		}
		return kind, nil, err
	}
	types := string(a.peek("[Content_Types].xml", 1<<20))
	if kind := officeKind(types, src.ext()); kind != "" {
		return kind, officeReaders[kind], nil
	}
	if strings.Contains(types, "ms-excel.sheet.binary") {
		return "xlsb", nil, unsupported("Binary workbooks (XLSB) are not read. Save it as XLSX to have it read.")
	}
	mime := strings.TrimSpace(string(a.peek("mimetype", 200)))
	if strings.HasPrefix(mime, "application/epub") || mime == "" && a.parts["META-INF/container.xml"] != nil {
		return kindEPUB, readEPUB, nil
	}
	if odf, ok := strings.CutPrefix(mime, "application/vnd.oasis.opendocument."); ok {
		kind := odfKinds[strings.TrimSuffix(odf, "-template")]
		if kind == "" {
			return "odf", nil, unsupported("OpenDocument files of this kind are not read; texts, spreadsheets, presentations and drawings are. Export it as PDF to have it read.")
		}
		return kind, readODF, nil
	}
	if kind := strings.TrimPrefix(src.ext(), "."); a.parts["content.xml"] != nil && (kind == kindODT || kind == kindODS || kind == kindODP) {
		return kind, readODF, nil
	}
	return "zip", readArchive, nil
}

var officeReaders = map[string]reader{kindDOCX: readDOCX, kindPPTX: readPPTX, kindXLSX: readXLSX}

// mainPart finds the content type of a document's main part. Types of documents
// that only lie within it end otherwise.
var mainPart = regexp.MustCompile(`(wordprocessingml|ms-word|presentationml|ms-powerpoint|spreadsheetml|ms-excel)[^"']*\.main\+xml`)

// officeKind tells the Office document by its content types, by the extension
// where they do not; empty if it is none.
func officeKind(types, ext string) string {
	main := types
	if m := mainPart.FindString(types); m != "" {
		main = m
	}
	switch {
	case strings.Contains(main, "wordprocessingml"), strings.Contains(main, "ms-word"):
		return kindDOCX
	case strings.Contains(main, "presentationml"), strings.Contains(main, "ms-powerpoint"):
		return kindPPTX
	case strings.Contains(main, "spreadsheetml"), strings.Contains(main, "ms-excel") && !strings.Contains(main, "binary"):
		return kindXLSX
	}
	if kind := strings.TrimPrefix(ext, "."); officeReaders[kind] != nil {
		return kind
	}
	return ""
}

// peek reads the beginning of a part; nil if there is none.
func (a *archive) peek(name string, limit int64) []byte {
	r, err := a.open(name)
	if r == nil || err != nil {
		return nil
	}
	defer r.Close()
	b, _ := io.ReadAll(io.LimitReader(r, limit)) // a damaged part says so when it is really read
	return b
}
