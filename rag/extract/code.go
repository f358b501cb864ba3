package extract

import (
	"context"
	"strings"

	"referent/rag"
)

// readCode reads source code and configuration: a block is a top-level piece,
// which begins at a line without indent after a blank line.
func readCode(_ context.Context, src *source, opts Options, d *document) error {
	text, err := textOf(src, opts, maxTextBytes, d)
	if err != nil {
		return err
	}
	codeBlocks(text, 1, d)
	return nil
}

// codeBlocks cuts text, whose first line has number first, at top-level pieces.
func codeBlocks(text string, first int, d *document) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for from := 0; from < len(lines) && !d.full; {
		for from < len(lines) && strings.TrimSpace(lines[from]) == "" {
			from++
		}
		if from >= len(lines) {
			return
		}
		to := from + 1 // exclusive
		for to < len(lines) && to-from < maxBlockLines && !topLevel(lines, to) {
			to++
		}
		end := to
		for end > from+1 && strings.TrimSpace(lines[end-1]) == "" {
			end--
		}
		d.add(rag.Block{Kind: rag.BlockCode, Text: strings.Join(lines[from:end], "\n"),
			Locator: rag.Locator{LineFrom: first + from, LineTo: first + end - 1}})
		from = to
	}
}

// topLevel tells whether a new piece begins at line i.
func topLevel(lines []string, i int) bool {
	l := lines[i]
	return strings.TrimSpace(lines[i-1]) == "" && l != "" && l[0] != ' ' && l[0] != '\t' && !strings.ContainsAny(l[:1], "})]")
}
