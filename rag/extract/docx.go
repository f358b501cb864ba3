package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"strings"

	"referent/rag"
)

// readDOCX reads a Word document: its body, then notes, comments, headers and
// footers. Parts are found by relationships, never by fixed names.
func readDOCX(ctx context.Context, src *source, opts Options, d *document) error {
	a, main, rels, err := openOffice(src, opts, "word/document.xml", d)
	if err != nil {
		return err
	}
	styles, err := a.wordStyles(related(rels, "styles"))
	if err != nil {
		return xmlProblem(err)
	}
	lists, err := a.wordLists(related(rels, "numbering"))
	if err != nil {
		return xmlProblem(err)
	}
	body := wordReader{ctx: ctx, d: d, styles: styles, lists: lists}
	body.embedded = func(kind, id string) []rag.Block {
		read := a.chartBlocks
		if kind == "diagram" {
			read = a.diagramBlocks
		}
		list, err := read(byID(rels, id))
		if err != nil {
			d.leftOut("Some charts or diagrams could not be read.")
		}
		return list
	}
	if err := a.wordPart(main, &body); err != nil {
		return err
	}
	for _, r := range rels {
		kind := rag.BlockNote
		switch r.kind {
		case "footnotes", "endnotes", "comments":
		case "header", "footer":
			kind = rag.BlockHeaderFooter
		default:
			continue
		}
		// A broken side part costs only itself.
		side := wordReader{ctx: ctx, d: d, styles: styles, lists: lists, kind: kind, section: strings.TrimSuffix(r.kind, "s")}
		if err := a.wordPart(r.target, &side); err != nil {
			var p *problem
			if errors.As(err, &p) && p.status == rag.FileTooLarge {
				return err
			}
			d.partly = append(d.partly, "Some notes, headers or footers could not be read.")
		}
	}
	return ctx.Err()
}

// wordPart streams a part through a reader. A body that breaks off after some
// text is read up to there.
func (a *archive) wordPart(name string, w *wordReader) error {
	r, err := a.open(name)
	if err != nil {
		return err
	}
	if r == nil {
		if w.kind == "" {
			return damaged("The document has no text part. Save it again in the program that made it.", nil)
		}
		return nil
	}
	defer r.Close()
	err = eachToken(r, w.token)
	w.end()
	if err == nil {
		return nil
	}
	var p *problem
	if errors.As(err, &p) || w.paragraphs == 0 {
		return xmlProblem(err)
	}
	w.d.partly = append(w.d.partly, "The document is damaged; what stands before the damage was read.")
	return nil
}

// coreTitle takes title and language from the document's properties.
func (a *archive) coreTitle(name string, d *document) {
	if name == "" {
		return
	}
	r, err := a.open(name)
	if r == nil || err != nil {
		return
	}
	defer r.Close()
	in := ""
	_ = eachToken(r, func(t xml.Token) { // broken properties cost only the title
		switch t := t.(type) {
		case xml.StartElement:
			in = t.Name.Local
		case xml.EndElement:
			in = ""
		case xml.CharData:
			if in == "title" && plausibleTitle(string(t)) {
				d.setTitle(string(t), "metadata")
			}
		}
	})
}

func xmlProblem(err error) error {
	var p *problem
	if errors.As(err, &p) {
		return err
	}
	return damaged("The document is damaged inside. Open it in the program that made it and save it again.", err)
}
