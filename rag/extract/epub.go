package extract

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"
)

// book is what the package file of an EPUB says.
type book struct {
	spine   []string // parts in reading order
	nav     string   // table of contents of EPUB 3
	ncx     string   // table of contents of EPUB 2
	tocPage string   // a page of the text that may only repeat the table of contents
}

// readEPUB reads the chapters of an e-book in the order of its spine, with the
// titles of its table of contents as headings.
func readEPUB(ctx context.Context, src *source, opts Options, d *document) error {
	a, err := openArchive(src, opts)
	if err != nil {
		return err
	}
	opf, err := a.epubPackage()
	if err != nil {
		return err
	}
	b, err := a.epubBook(opf, d)
	if err != nil {
		return err
	}
	if len(b.spine) == 0 {
		return damaged("The e-book has no list of chapters. Download it again.", nil)
	}
	if a.epubLocked(b.spine) {
		return unsupported("This e-book is locked by the shop it came from (DRM). Only that shop's programs can open it.")
	}
	toc := a.epubContents(b)
	lost := 0
	w := htmlWalk{d: d, count: true}
	for _, part := range b.spine {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d.full {
			break
		}
		err := a.epubChapter(part, toc[part], part == b.tocPage, opts, &w)
		if stops(err) {
			return err
		}
		if err != nil {
			lost++
		}
	}
	if lost == len(b.spine) {
		return damaged("No chapter of the e-book could be read. Download it again.", nil)
	}
	if lost > 0 {
		d.partly = append(d.partly, fmt.Sprintf("%d of %d chapters are missing or damaged.", lost, len(b.spine)))
	}
	return nil
}

// epubPackage finds the package file by the container.
func (a *archive) epubPackage() (string, error) {
	opf := ""
	_, err := a.eachTokenOf("META-INF/container.xml", func(t xml.Token) {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "rootfile" && opf == "" {
			opf = attr(e, "full-path")
		}
	})
	if stops(err) {
		return "", err
	}
	if opf != "" && a.parts[partName(opf)] != nil {
		return partName(opf), nil
	}
	for _, f := range a.zip.File { // a broken container, but a whole book
		if strings.HasSuffix(strings.ToLower(f.Name), ".opf") {
			return partName(f.Name), nil
		}
	}
	return "", damaged("The e-book has no package file. Download it again.", err)
}

// epubBook reads title, language and reading order.
func (a *archive) epubBook(opf string, d *document) (book, error) {
	var b book
	var in, tocID string
	var refs []string
	items := map[string]string{}
	_, err := a.eachTokenOf(opf, func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			in = t.Name.Local
			switch in {
			case "item":
				part := epubPart(opf, attr(t, "href"))
				items[attr(t, "id")] = part
				if strings.Contains(" "+attr(t, "properties")+" ", " nav ") {
					b.nav = part
				}
				if attr(t, "media-type") == "application/x-dtbncx+xml" && b.ncx == "" {
					b.ncx = part
				}
			case "spine":
				tocID = attr(t, "toc")
			case "itemref":
				refs = append(refs, attr(t, "idref"))
			case "reference":
				// With a fragment the page holds more than its contents.
				if href := attr(t, "href"); attr(t, "type") == "toc" && !strings.Contains(href, "#") {
					b.tocPage = epubPart(opf, href)
				}
			}
		case xml.EndElement:
			in = ""
		case xml.CharData:
			switch in {
			case "title":
				if plausibleTitle(string(t)) {
					d.setTitle(string(t), "metadata")
				}
			case "language":
				if s := strings.TrimSpace(string(t)); len(s) >= 2 && d.language == "" {
					d.language = strings.ToLower(s[:2])
				}
			}
		}
	})
	if part := items[tocID]; part != "" {
		b.ncx = part
	}
	seen := map[string]bool{}
	for _, id := range refs {
		if part := items[id]; part != "" && !seen[part] {
			seen[part] = true
			b.spine = append(b.spine, part)
		}
	}
	if err != nil && (len(b.spine) == 0 || stops(err)) {
		return b, xmlProblem(err)
	}
	return b, nil
}

// epubPart resolves a reference from one part to another, without its fragment.
func epubPart(from, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if plain, err := url.PathUnescape(href); err == nil {
		href = plain
	}
	return partName(path.Join(path.Dir(from), href))
}

// epubLocked tells whether chapters are encrypted. Fonts often are, by a
// scheme that keeps nobody from reading.
func (a *archive) epubLocked(spine []string) bool {
	chapters := map[string]bool{}
	for _, part := range spine {
		chapters[part] = true
	}
	locked := false
	_, _ = a.eachTokenOf("META-INF/encryption.xml", func(t xml.Token) { // a broken one locks nothing
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "CipherReference" && chapters[epubPart("x", attr(e, "URI"))] {
			locked = true
		}
	})
	return locked
}

// partBytes reads a whole part of up to limit bytes.
func (a *archive) partBytes(name string, limit int64) ([]byte, error) {
	r, err := a.open(name)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, fmt.Errorf("part %q is missing", name)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("part %q is larger than %d bytes", name, limit)
	}
	return b, err
}
