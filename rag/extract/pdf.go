package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"referent/rag"
)

// pdfInMemory is the size up to which a PDF is handed over as a whole; a larger
// one is read piece by piece, which is slower and spares memory.
const pdfInMemory = 32 << 20

// maxEmptyRun ends a page tree that goes on for ever: so many failed pages in
// a row are no document.
const maxEmptyRun = 50

// readPDF reads a PDF page by page: lines with their rectangles, then blocks.
func readPDF(ctx context.Context, src *source, opts Options, d *document) error {
	pool, err := pdfPool(opts)
	if err != nil {
		return &problem{rag.FileDamaged, "The reader of PDF files could not start. The file is not to blame. Restart the program, then retry.", err}
	}
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return err
	}
	r := pdfReader{Pdfium: instance, opts: opts, d: d, spent: true}
	r.ocr, r.advice = opts.recogniser(ctx)
	defer r.release()
	if err := r.open(src); err != nil {
		r.spent = broken(err)
		return err
	}
	err = r.read(ctx)
	r.spent = r.faulty || src.size > pdfLight || len(r.pages) > pdfLightPages
	return err
}

// An instance that read more than this is not used again: its memory never
// shrinks.
const (
	pdfLight      = 4 << 20
	pdfLightPages = 200
)

// release gives the instance back for the next document, or ends it: after a
// fault inside the module (or a panic) nothing in it can be trusted.
func (r *pdfReader) release() {
	if r.spent {
		_ = r.Kill()
		return
	}
	_ = r.Close()
}

type pdfReader struct {
	pdfium.Pdfium
	opts  Options
	d     *document
	doc   references.FPDF_DOCUMENT
	data  []byte // must outlive the document
	pages []pdfPage

	ocr        *recogniser // nil: none, then advice says what to do
	advice     string
	recognised int // pages given to it

	faulty bool // the module failed inside
	spent  bool // the instance must not be used again
}

func (r *pdfReader) open(src *source) error {
	var password *string
	if r.opts.Password != "" {
		password = &r.opts.Password
	}
	request := &requests.OpenDocument{Password: password}
	if src.size <= pdfInMemory {
		b, err := src.bytes(pdfInMemory)
		if err != nil {
			return err
		}
		r.data = b
		request.File = &r.data
	} else {
		request.FileReader, request.FileReaderSize = src.File, src.size
	}
	doc, err := r.OpenDocument(request)
	switch {
	case err == nil:
		r.doc = doc.Document
		return nil
	case errors.Is(err, pdferrors.ErrPassword) && r.opts.Password != "":
		return needsPassword("The password does not open this PDF. Enter it again.")
	case errors.Is(err, pdferrors.ErrPassword):
		return needsPassword("This PDF is protected by a password. Enter it to have the PDF read.")
	case errors.Is(err, pdferrors.ErrSecurity):
		return needsPassword("This PDF is protected in a way that is not supported. Save a copy without protection to have it read.")
	}
	return damaged("The PDF is damaged or cut off. If it is still being copied, wait; else download or export it again.", err)
}

func (r *pdfReader) read(ctx context.Context) error {
	count, err := r.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: r.doc})
	if err != nil {
		return damaged("The PDF is damaged: its pages cannot be counted. Download or export it again.", err)
	}
	total := count.PageCount
	if title, err := r.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: r.doc, Tag: "Title"}); err == nil && plausibleTitle(title.Value) {
		r.d.setTitle(title.Value, "metadata")
	}
	outline := r.outline()
	limit := min(total, r.opts.MaxPages)
	failed, run, chars := 0, 0, 0
	for i := 0; i < limit && chars < r.opts.MaxChars; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := r.page(i)
		if err != nil {
			failed++
			r.faulty = r.faulty || broken(err)
			if run++; run >= maxEmptyRun || r.faulty {
				limit = i + 1
			}
		} else if p.empty() {
			run++
		} else {
			run = 0
			r.recognise(ctx, i, &p)
		}
		// More pages than bytes would allow: the page tree loops.
		if run >= maxEmptyRun && i > int(r.fileSize()/64) {
			limit = i + 1
		}
		p.number = i + 1
		chars += p.chars
		r.pages = append(r.pages, p)
		if r.opts.Progress != nil {
			r.opts.Progress(i+1, total)
		}
	}
	r.d.pages = total
	if total > limit {
		r.d.partly = append(r.d.partly, fmt.Sprintf("Only the first %d of %d pages were read.", limit, total))
	}
	if failed == len(r.pages) && failed > 0 {
		return damaged("The PDF is damaged: none of its pages can be read. Download or export it again.", nil)
	}
	if failed > 0 {
		r.d.partly = append(r.d.partly, fmt.Sprintf("Pages that could not be read: %d.", failed))
	}
	if err := r.judge(); err != nil {
		return err
	}
	layout(r.pages, outline, r.d)
	return nil
}

func (r *pdfReader) fileSize() int64 {
	if r.data != nil {
		return int64(len(r.data))
	}
	return 1 << 40
}

// broken tells a fault inside the module, after which nothing in it works.
func broken(err error) bool {
	return strings.Contains(err.Error(), "wasm error") || strings.Contains(err.Error(), "module closed")
}

// fewChars is what a page with a picture may hold (a page number, a stamp)
// and still need text recognition.
const fewChars = 20

// judge decides from all pages whether the words of this file can be read.
func (r *pdfReader) judge() error {
	pictures, unreadable, read := 0, 0, 0
	sampled, bad := 0, 0
	for i := range r.pages {
		p := &r.pages[i]
		sampled += p.sampled
		bad += p.unmapped
		switch {
		case p.unreadable():
			unreadable++
			p.lines = nil // signs without meaning are worse than none
		case p.chars < fewChars && p.picture:
			pictures++
		case p.chars > 0:
			read++
		}
	}
	switch {
	case read == 0 && unreadable > 0:
		return &problem{rag.FileNeedsOCR, fmt.Sprintf("The letters of this PDF carry no meaning for programs (%d %% cannot be read). %s", bad*100/max(sampled, 1), r.howToRead()), nil}
	case read == 0 && pictures > 0:
		return &problem{rag.FileNeedsOCR, "The pages of this PDF are pictures. " + r.howToRead(), nil}
	}
	if unreadable > 0 {
		r.d.partly = append(r.d.partly, fmt.Sprintf("Pages left out because their letters carry no meaning for programs: %d (%d %% of all letters).", unreadable, bad*100/max(sampled, 1)))
	}
	if pictures > 0 {
		r.d.partly = append(r.d.partly, "Pages that are pictures, whose words are not read: "+itoa(pictures)+". "+r.howToRead())
	}
	return nil
}

// howToRead says what a person can do about pages that are pictures.
func (r *pdfReader) howToRead() string {
	if r.ocr == nil {
		return r.advice
	}
	return "Text recognition could not read them. Scan them again, or save the file anew."
}

// plausibleTitle refuses what programs write there without being asked.
func plausibleTitle(s string) bool {
	l := strings.ToLower(strings.TrimSpace(s))
	named := strings.IndexFunc(l, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
	if len(l) < 3 || !named || l == "untitled" || l == "title" || strings.HasPrefix(l, "microsoft word") || strings.HasPrefix(l, "microsoft powerpoint") {
		return false
	}
	if strings.Contains(l, "powerpoint") && (strings.Contains(l, "pres") || strings.Contains(l, "prés") || strings.Contains(l, "präs")) { // in each language of the program
		return false
	}
	for _, end := range []string{".doc", ".docx", ".pdf", ".tex", ".dvi", ".indd", ".qxd", ".ppt", ".pptx", ".odt", ".rtf", ".xls", ".xlsx"} {
		if strings.HasSuffix(l, end) {
			return false
		}
	}
	return true
}
