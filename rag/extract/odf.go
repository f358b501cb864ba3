package extract

import (
	"context"
	"encoding/xml"
)

// OpenDocument kinds by what their media type ends in; templates count as what
// they are templates of.
var odfKinds = map[string]string{"text": kindODT, "text-master": kindODT, "text-web": kindODT, "spreadsheet": kindODS, "presentation": kindODP, "graphics": kindODP}

// readODF reads an OpenDocument text, spreadsheet or presentation. The names of
// its parts are fixed by the standard.
func readODF(ctx context.Context, src *source, opts Options, d *document) error {
	a, err := openArchive(src, opts)
	if err != nil {
		return err
	}
	if err := a.odfLocked(); err != nil {
		return err
	}
	a.coreTitle("meta.xml", d)
	styles := odfStyles{}
	page := odfReader{ctx: ctx, d: d, opts: opts, styles: styles, furniture: true}
	if _, err := a.eachTokenOf("styles.xml", page.token); stops(err) {
		return err // broken styles cost only their names
	}
	body := odfReader{ctx: ctx, d: d, opts: opts, styles: styles, archive: a}
	found, err := a.eachTokenOf("content.xml", body.token)
	body.end()
	d.pages = body.slide.number
	switch {
	case !found && err == nil:
		return damaged("The document has no text part. Save it again in the program that made it.", nil)
	case err != nil && (body.paragraphs == 0 || stops(err)):
		return xmlProblem(err)
	case err != nil:
		d.partly = append(d.partly, "The document is damaged; what stands before the damage was read.")
	}
	return ctx.Err()
}

// odfLocked looks in the manifest for parts that are encrypted.
func (a *archive) odfLocked() error {
	locked := false
	_, err := a.eachTokenOf("META-INF/manifest.xml", func(t xml.Token) {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "encryption-data" {
			locked = true
		}
	})
	switch {
	case locked:
		return needsPassword("This document is protected by a password. Save a copy without a password to have it read.")
	case stops(err):
		return err
	}
	return nil // a broken manifest says nothing about the text
}
