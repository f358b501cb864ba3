package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"referent/rag"
)

// readPPTX reads a presentation: slides in the order of the presentation part,
// each with its charts and diagrams, then speaker notes and comments.
func readPPTX(ctx context.Context, src *source, opts Options, d *document) error {
	a, main, rels, err := openOffice(src, opts, "ppt/presentation.xml", d)
	if err != nil {
		return err
	}
	ids, err := a.slideOrder(main)
	if err != nil {
		return err
	}
	lost := 0
	for i, id := range ids {
		if err := ctx.Err(); err != nil {
			return err
		}
		if d.full {
			break
		}
		err := a.readSlide(byID(rels, id), i+1, d)
		if stops(err) {
			return err
		}
		if err != nil {
			lost++
		}
	}
	if lost == len(ids) && lost > 0 {
		return damaged("No slide of the presentation could be read. Open it in the program that made it and save it again.", nil)
	}
	if lost > 0 {
		d.partly = append(d.partly, fmt.Sprintf("%d of %d slides are damaged and were read in part or not at all.", lost, len(ids)))
	}
	d.pages = len(ids)
	return nil
}

// slideOrder lists the relationship ids of the slides as they are shown.
func (a *archive) slideOrder(main string) ([]string, error) {
	var ids []string
	found, err := a.eachTokenOf(main, func(t xml.Token) {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "sldId" {
			ids = append(ids, relationAttr(e, "id"))
		}
	})
	switch {
	case !found && err == nil:
		return nil, damaged("The presentation has no list of slides. Save it again in the program that made it.", nil)
	case err != nil && (len(ids) == 0 || stops(err)):
		return nil, xmlProblem(err)
	}
	return ids, nil
}

// readSlide reads one slide with what hangs on it. What stood before a break
// is kept; the error says that there was one.
func (a *archive) readSlide(part string, number int, d *document) error {
	if part == "" {
		return fmt.Errorf("slide %d has no part", number)
	}
	rels, broken := a.relationships(part)
	r := slideReader{slide: slide{number: number}}
	found, err := a.eachTokenOf(part, r.token)
	r.end()
	if !found && err == nil {
		err = fmt.Errorf("slide %d is missing", number)
	}
	if err = errors.Join(broken, err); stops(err) {
		return err
	}
	for _, id := range r.charts {
		list, problem := a.chartBlocks(byID(rels, id))
		err = errors.Join(err, problem)
		r.slide.add(list...)
	}
	for _, id := range r.diagrams {
		list, problem := a.diagramBlocks(byID(rels, id))
		err = errors.Join(err, problem)
		r.slide.add(list...)
	}
	for _, rel := range rels {
		switch rel.kind {
		case "notesSlide":
			notes := slideReader{notes: true}
			_, problem := a.eachTokenOf(rel.target, notes.token)
			err = errors.Join(err, problem)
			r.slide.add(rag.Block{Kind: rag.BlockNote, Text: strings.Join(notes.spoken, "\n")})
		case "comments":
			problem := a.eachComment(rel.target, func(_, text string) {
				r.slide.add(rag.Block{Kind: rag.BlockNote, Text: text})
			})
			err = errors.Join(err, problem)
		}
	}
	r.slide.flush(d)
	return err
}
