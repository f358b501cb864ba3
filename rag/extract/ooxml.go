package extract

import (
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
)

// relationship is a link from one part of an Office document to another. Types
// are compared by their last path element, which transitional and strict
// documents share.
type relationship struct {
	id, kind, target string
}

// relationships lists what part refers to; "" is the package itself.
func (a *archive) relationships(part string) ([]relationship, error) {
	dir, name := path.Split(part)
	r, err := a.open(dir + "_rels/" + name + ".rels")
	if r == nil || err != nil {
		return nil, err
	}
	defer r.Close()
	var list []relationship
	err = eachToken(r, func(t xml.Token) {
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "Relationship" || attr(e, "TargetMode") == "External" {
			return
		}
		target := attr(e, "Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join(dir, target)
		}
		list = append(list, relationship{attr(e, "Id"), path.Base(attr(e, "Type")), partName(target)})
	})
	return list, err
}

// related gives the first part of a kind; empty if there is none.
func related(list []relationship, kind string) string {
	for _, r := range list {
		if r.kind == kind {
			return r.target
		}
	}
	return ""
}

// eachToken streams the raw tokens of a part. Names stay without namespace
// (only local names are compared), entities are not expanded beyond XML's own,
// nesting costs no memory. What stands before a break in the XML is kept: the
// caller has seen it when the error comes.
func eachToken(r io.Reader, each func(xml.Token)) error {
	dec := xml.NewDecoder(r)
	dec.Strict = false
	dec.CharsetReader = xmlCharset
	for {
		t, err := dec.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		each(t)
	}
}

// xmlCharset decodes parts that are not UTF-8, which old programs wrote.
func xmlCharset(label string, in io.Reader) (io.Reader, error) {
	b, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	text, _, err := decode(b, label)
	return strings.NewReader(text), err
}

// attr gives an attribute by its local name; the first one wins.
func attr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}
