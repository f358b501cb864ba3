package extract

import (
	"context"
	"encoding/json"
	"strings"

	"referent/rag"
)

// notebook is what is read of a Jupyter notebook, versions 3 and 4.
type notebook struct {
	Cells      []notebookCell `json:"cells"`
	Worksheets []struct {
		Cells []notebookCell `json:"cells"`
	} `json:"worksheets"`
	Metadata struct {
		Title string `json:"title"`
	} `json:"metadata"`
}

type notebookCell struct {
	Type    string       `json:"cell_type"`
	Source  notebookText `json:"source"`
	Input   notebookText `json:"input"` // version 3
	Level   int          `json:"level"` // of a version 3 heading
	Outputs []struct {
		Text notebookText            `json:"text"`
		Data map[string]notebookText `json:"data"`
	} `json:"outputs"`
}

// notebookText is a string or a list of strings.
type notebookText string

func (t *notebookText) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = notebookText(one)
		return nil
	}
	var many []string
	if json.Unmarshal(b, &many) == nil {
		*t = notebookText(strings.Join(many, ""))
	}
	return nil // an output that is an object (a chart) holds no text
}

// readNotebook reads cells in order; the locator is the cell's number.
func readNotebook(_ context.Context, src *source, opts Options, d *document) error {
	text, err := textOf(src, opts, maxTextBytes, d)
	if err != nil {
		return err
	}
	var nb notebook
	if err := json.Unmarshal([]byte(text), &nb); err != nil {
		return damaged("The notebook is damaged or cut off. Save it again in the program that made it.", err)
	}
	d.setTitle(nb.Metadata.Title, "metadata")
	cells := nb.Cells
	for _, w := range nb.Worksheets {
		cells = append(cells, w.Cells...)
	}
	for i, c := range cells {
		at := rag.Locator{CellIndex: i + 1}
		switch c.Type {
		case "heading":
			d.heading(max(c.Level, 1), string(c.Source), at)
		case "markdown":
			markdownBlocks([]byte(c.Source), func(int, int) rag.Locator { return at }, d)
		case "raw":
			d.add(rag.Block{Kind: rag.BlockParagraph, Text: string(c.Source), Locator: at})
		default:
			d.add(rag.Block{Kind: rag.BlockCode, Text: string(c.Source) + string(c.Input), Locator: at})
			for _, o := range c.Outputs {
				out := string(o.Text)
				if out == "" {
					out = string(o.Data["text/plain"])
				}
				d.add(rag.Block{Kind: rag.BlockCode, Text: out, Locator: at})
			}
		}
	}
	return nil
}
