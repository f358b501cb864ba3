package extract

import (
	"encoding/xml"
	"errors"
	"strings"

	"referent/rag"
)

// eachTokenOf streams a part by name and tells whether there is one.
func (a *archive) eachTokenOf(name string, each func(xml.Token)) (found bool, err error) {
	if name == "" {
		return false, nil
	}
	r, err := a.open(name)
	if r == nil || err != nil {
		return false, err
	}
	defer r.Close()
	return true, eachToken(r, each)
}

// skipDepth counts how deep a reader is inside an element whose text is not
// read.
type skipDepth int

// over tells whether a token is passed over: it begins, ends or lies in an
// element for which begins is true.
func (n *skipDepth) over(t xml.Token, begins func(xml.StartElement) bool) bool {
	switch t := t.(type) {
	case xml.StartElement:
		if *n == 0 && !begins(t) {
			return false
		}
		*n++
		return true
	case xml.EndElement:
		if *n == 0 {
			return false
		}
		*n--
		return true
	}
	return *n > 0
}

// secondCopy tells what programs of other versions read in place of a shape,
// and what they keep for themselves.
func secondCopy(e xml.StartElement) bool {
	return e.Name.Local == "Fallback" || e.Name.Local == "extLst"
}

// stops tells the errors that end the reading of the whole file; all others
// cost the part alone.
func stops(err error) bool {
	var p *problem
	return errors.As(err, &p) && (p.status == rag.FileTooLarge || p.status == rag.FileNeedsPassword)
}

// byID gives the part that a relationship names; empty if there is none.
func byID(list []relationship, id string) string {
	for _, r := range list {
		if r.id == id {
			return r.target
		}
	}
	return ""
}

// relationAttr gives an attribute that refers to a relationship ("r:id"), apart
// from the element's own attribute of the same local name.
func relationAttr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

// drawingTexts lists the paragraphs of a drawing or of a diagram's data.
func (a *archive) drawingTexts(part string) ([]string, error) {
	var texts []string
	var text strings.Builder
	var skip skipDepth
	inText := false
	_, err := a.eachTokenOf(part, func(t xml.Token) {
		if skip.over(t, secondCopy) {
			return
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "p":
				text.Reset()
			case "br":
				text.WriteByte('\n')
			}
			inText = t.Name.Local == "t"
		case xml.EndElement:
			inText = false
			if s := tidy(text.String()); t.Name.Local == "p" && s != "" {
				texts = append(texts, s)
			}
		case xml.CharData:
			if inText {
				text.Write(t)
			}
		}
	})
	return texts, err
}

// eachComment reads a comments part of a presentation or a workbook, in the old
// form and in that of conversations. ref is the cell, where there is one.
func (a *archive) eachComment(part string, each func(ref, text string)) error {
	var ref, in string
	var runs, whole strings.Builder // text of <t>, and of <text> itself
	flush := func() {
		text := tidy(runs.String())
		if text == "" {
			text = tidy(whole.String())
		}
		if text != "" {
			each(ref, text)
		}
		runs.Reset()
		whole.Reset()
	}
	_, err := a.eachTokenOf(part, func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			in = t.Name.Local
			switch in {
			case "cm", "comment", "threadedComment", "reply":
				flush()
				ref = attr(t, "ref")
			case "br":
				runs.WriteByte('\n')
			}
		case xml.EndElement:
			in = ""
			switch t.Name.Local {
			case "p":
				runs.WriteByte('\n')
			case "cm", "comment", "threadedComment", "reply":
				flush()
			}
		case xml.CharData:
			switch in {
			case "t":
				runs.Write(t)
			case "text":
				whole.Write(t)
			}
		}
	})
	flush()
	return err
}
