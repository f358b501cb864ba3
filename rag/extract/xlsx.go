package extract

import (
	"context"
	"encoding/xml"
	"errors"
	"runtime/debug"
	"strings"

	"referent/rag"
)

// Of a large workbook the text lives on and all else dies with its row: a
// collection finds next to nothing to follow, and many of them cost less than
// the room that their absence would take. The setting is the process's, which
// reads one document at a time.
const (
	largeWorkbook   = 8 << 20 // unpacked bytes
	largeWorkbookGC = 15      // percent of what lives that may be allocated before the next collection
)

// workbook is what the workbook part says.
type workbook struct {
	rels     []relationship
	sheets   []workSheet
	from1904 bool // days are counted from 1904 on
}

type workSheet struct {
	name   string
	part   string
	hidden bool
	bytes  int64 // of its XML
	merges []merge
}

// readXLSX reads a workbook sheet by sheet, rows as they are shown, then text
// boxes and comments.
func readXLSX(ctx context.Context, src *source, opts Options, d *document) error {
	a, main, rels, err := openOffice(src, opts, "xl/workbook.xml", d)
	if err != nil {
		return err
	}
	book, err := a.workbook(main, rels)
	if err != nil {
		return err
	}
	if len(book.sheets) == 0 {
		return damaged("The workbook has no sheet with cells. Save it again in the program that made it.", nil)
	}
	values, err := a.cellValues(book)
	if err != nil {
		return xmlProblem(err)
	}
	defer values.close()
	if err := a.findMerges(book.sheets); err != nil {
		return err
	}
	if a.used > largeWorkbook {
		defer debug.SetGCPercent(debug.SetGCPercent(largeWorkbookGC))
	}
	room := textRoom{d: d}
	for _, s := range book.sheets {
		room.all += s.bytes
	}
	for _, s := range book.sheets {
		if err := ctx.Err(); err != nil {
			return err
		}
		w := sheetWriter{d: d, sheet: s.name, room: &room}
		w.begin(s.hidden)
		if err := a.sheetRows(ctx, s, opts.MaxRows, values, &w); err != nil {
			return err
		}
		if err := a.sheetExtras(s, d); stops(err) {
			return err
		} else if err != nil {
			d.partly = append(d.partly, "Some comments, charts or text boxes could not be read.")
		}
	}
	return nil
}

// workbook lists the sheets in the order of their tabs. Sheets without cells
// (old macro sheets) are left out; of a sheet with a chart alone the chart is read.
func (a *archive) workbook(main string, rels []relationship) (workbook, error) {
	b := workbook{rels: rels}
	found, err := a.eachTokenOf(main, func(t xml.Token) {
		e, ok := t.(xml.StartElement)
		if ok && e.Name.Local == "workbookPr" {
			b.from1904 = attr(e, "date1904") == "1" || attr(e, "date1904") == "true"
		}
		if !ok || e.Name.Local != "sheet" {
			return
		}
		for _, r := range b.rels {
			chart := r.kind == "chartsheet" && a.parts[r.target] != nil
			if r.id == relationAttr(e, "id") && (r.kind == "worksheet" || chart) {
				state := attr(e, "state")
				b.sheets = append(b.sheets, workSheet{name: attr(e, "name"), part: r.target, hidden: state == "hidden" || state == "veryHidden"})
			}
		}
	})
	switch {
	case !found && err == nil:
		return b, damaged("The workbook has no list of sheets. Save it again in the program that made it.", nil)
	case err != nil && (len(b.sheets) == 0 || stops(err)):
		return b, xmlProblem(err)
	}
	return b, nil
}

// sheetExtras reads what lies on a sheet beside its cells: text boxes and
// comments. Conversations are kept twice, the second time as a comment that
// only tells to update Excel.
func (a *archive) sheetExtras(s workSheet, d *document) error {
	rels, err := a.relationships(s.part)
	if err != nil {
		return err
	}
	for _, r := range rels {
		var problem error
		switch r.kind {
		case "drawing":
			var texts []string
			texts, problem = a.drawingTexts(r.target)
			for _, text := range texts {
				d.add(rag.Block{Kind: rag.BlockParagraph, Text: text, Locator: rag.Locator{Sheet: s.name}})
			}
			problem = errors.Join(problem, a.sheetCharts(r.target, s, d))
		case "comments", "threadedComment":
			problem = a.eachComment(r.target, func(ref, text string) {
				if strings.HasPrefix(text, "[Threaded comment]") {
					return
				}
				d.add(rag.Block{Kind: rag.BlockNote, Text: text, Locator: rag.Locator{Sheet: s.name, Cell: ref}})
			})
		}
		err = errors.Join(err, problem)
	}
	return err
}

// sheetCharts reads the charts of a drawing on a sheet. Their data stand in
// cells, which were read.
func (a *archive) sheetCharts(drawing string, s workSheet, d *document) error {
	rels, err := a.relationships(drawing)
	for _, r := range rels {
		if r.kind == "chart" || r.kind == "chartEx" {
			text, problem := a.chartCaption(r.target)
			d.add(rag.Block{Kind: rag.BlockCaption, Text: text, Locator: rag.Locator{Sheet: s.name}})
			err = errors.Join(err, problem)
		}
	}
	return err
}
