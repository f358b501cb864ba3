package extract

import (
	"context"
	"fmt"
	"strings"

	"referent/rag"
)

// readText reads plain text: a block is a run of lines between blank lines,
// with its line range.
func readText(_ context.Context, src *source, opts Options, d *document) error {
	text, err := textOf(src, opts, maxTextBytes, d)
	if err != nil {
		return err
	}
	lineBlocks(text, rag.BlockParagraph, d)
	return nil
}

// textOf reads and decodes a text file, and says so where the decoding lost
// characters: a wrong decoding must not hide behind replacement marks.
func textOf(src *source, opts Options, limit int64, d *document) (string, error) {
	raw, err := src.bytes(limit)
	if err != nil {
		return "", err
	}
	text, name, err := decode(raw, opts.Encoding)
	if err != nil {
		return "", err
	}
	d.encoding = name
	text = cleanText(text)
	if broken := strings.Count(text, "\uFFFD"); broken > 0 && broken*1000 > len(text) {
		d.partly = append(d.partly, fmt.Sprintf("%d characters could not be decoded as %s; words around them will not be found. Choose another encoding for this file.", broken, name))
	}
	return text, nil
}

// maxBlockLines keeps one block of a file without blank lines at a size that a
// person can look at.
const maxBlockLines = 200

// A large text makes larger blocks, so that their number stays within memory.
const (
	largeText  = 4 << 20
	largeBlock = 1000 // bytes that a block of a large text has at least
)

// lineBlocks adds the runs of lines between blank lines as blocks.
func lineBlocks(text string, kind rag.BlockKind, d *document) {
	d.text.Grow(len(text))
	least := 0
	if len(text) > largeText {
		least = largeBlock
	}
	from, line := -1, 0 // first line of the open run, from 1
	last := 0           // its last line with text
	var start, end int  // byte range of the open run
	flush := func() {
		if from >= 0 {
			d.add(rag.Block{Kind: kind, Text: text[start:end], Locator: rag.Locator{LineFrom: from, LineTo: last}})
		}
		from = -1
	}
	for pos := 0; pos < len(text) && !d.full; {
		next := strings.IndexByte(text[pos:], '\n')
		stop := len(text)
		if next >= 0 {
			stop = pos + next
		}
		if strings.TrimSpace(text[pos:stop]) == "" {
			if end-start >= least {
				flush()
			}
			line++
		} else {
			if from >= 0 && line-from+1 >= maxBlockLines {
				flush()
			}
			line++
			last = line
			if from < 0 {
				from, start = line, pos
			}
			end = stop
		}
		pos = stop + 1
	}
	flush()
}
