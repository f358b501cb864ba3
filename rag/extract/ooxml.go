package extract

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"regexp"
	"strings"
)

// relationship is a link from one part of an Office document to another. Types
// are compared by their last path element, which transitional and strict
// documents share.
type relationship struct {
	id, kind, target string
}

// openOffice opens an Office document and gives its main part, which other
// parts name or else stands at main, with what it refers to. The document's
// properties give the title.
func openOffice(src *source, opts Options, main string, d *document) (a *archive, part string, rels []relationship, err error) {
	if a, err = openArchive(src, opts); err != nil {
		return nil, "", nil, err
	}
	top, err := a.relationships("")
	if err != nil {
		return nil, "", nil, xmlProblem(err)
	}
	if found := related(top, "officeDocument"); found != "" {
		main = found
	}
	a.coreTitle(related(top, "core-properties"), d)
	if rels, err = a.relationships(main); err != nil {
		return nil, "", nil, xmlProblem(err)
	}
	return a, main, rels, nil
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

// eachToken streams the tokens of a part. Names stay without namespace (only
// local names are compared), entities are not expanded beyond XML's own,
// nesting costs no memory. What stands before a break in the XML is kept: the
// caller has seen it when the error comes. The attributes of a start tag are
// the caller's until it returns.
func eachToken(r io.Reader, each func(xml.Token)) error {
	head := bufio.NewReaderSize(r, 1<<10)
	if start, _ := head.Peek(1 << 10); !isPlainXML(start) { // what is wrong with it is met again below
		return eachDecodedToken(head, each)
	}
	x := newXMLScanner(head)
	names := map[string]xml.Name{}
	var attrs []xml.Attr
	for {
		err := x.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch x.kind {
		case '<':
			attrs = attrs[:0]
			for name, value, rest := nextAttr(x.attrs); name != nil; name, value, rest = nextAttr(rest) {
				attrs = append(attrs, xml.Attr{Name: xmlName(names, name), Value: string(x.resolve(value))})
			}
			each(xml.StartElement{Name: xmlName(names, x.name), Attr: attrs})
		case '>':
			each(xml.EndElement{Name: xmlName(names, x.name)})
		case 't':
			each(xml.CharData(x.text))
		}
	}
}

// maxNames bounds the names that are remembered of one part: real ones have a
// few dozen.
const maxNames = 10_000

// xmlName splits a name and makes its strings once.
func xmlName(known map[string]xml.Name, name []byte) xml.Name {
	if n, ok := known[string(name)]; ok {
		return n
	}
	prefix, local := splitName(name)
	n := xml.Name{Space: string(prefix), Local: string(local)}
	if len(known) < maxNames {
		known[string(name)] = n
	}
	return n
}

var declaredEncoding = regexp.MustCompile(`(?i)^\x{feff}?\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']`)

// isPlainXML tells XML in UTF-8 or ASCII by its first bytes.
func isPlainXML(start []byte) bool {
	if bytes.HasPrefix(start, []byte{0xfe, 0xff}) || bytes.HasPrefix(start, []byte{0xff, 0xfe}) || bytes.IndexByte(start, 0) >= 0 {
		return false
	}
	m := declaredEncoding.FindSubmatch(start)
	return m == nil || strings.EqualFold(string(m[1]), "utf-8") || strings.EqualFold(string(m[1]), "us-ascii")
}

// eachDecodedToken is eachToken for parts in other encodings.
func eachDecodedToken(r io.Reader, each func(xml.Token)) error {
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
