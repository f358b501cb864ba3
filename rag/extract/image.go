package extract

import (
	"context"
	"fmt"
	"strings"

	"referent/rag"
)

const (
	maxImageBytes = 64 << 20
	// maxPixels bounds the memory of the recognition, which unpacks the whole
	// picture: about 1 GB at four bytes a pixel and two copies.
	maxPixels = 100_000_000
	minSide   = 16 // pixels; what is smaller is an icon
)

// readImage reads the words of a picture with the installed text recognition;
// a locator is the page of the picture, which only TIFF has several of.
func readImage(ctx context.Context, src *source, opts Options, d *document) error {
	raw, err := src.bytes(maxImageBytes)
	if err != nil {
		return err
	}
	pages, err := imagePages(raw)
	if err != nil {
		return damaged("The picture is damaged or cut off. If it is still being copied, wait; else save it again.", err)
	}
	for _, p := range pages {
		if p.width*p.height > maxPixels {
			return tooLarge("The picture has %d by %d pixels. Up to %d million are read.", p.width, p.height, maxPixels/1_000_000)
		}
	}
	ocr, advice := opts.recogniser(ctx)
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if ocr == nil {
		return &problem{rag.FileNeedsOCR, "This is a picture. " + advice, nil}
	}
	d.pages = len(pages)
	failed := 0
	for i, p := range pages {
		if i == maxPictures {
			d.partly = append(d.partly, fmt.Sprintf("Only the first %d of %d pages were read.", i, len(pages)))
			break
		}
		if p.width < minSide || p.height < minSide {
			continue
		}
		opts.recognising()
		lines, err := ocr.read(ctx, raw, i)
		if cause := ctx.Err(); cause != nil {
			return cause
		}
		if err != nil {
			failed++
			continue
		}
		d.recognised = d.recognised || len(lines) > 0
		addParagraphs(lines, i+1, d)
		if opts.Progress != nil {
			opts.Progress(i+1, len(pages))
		}
	}
	switch {
	case failed == len(pages):
		return &problem{rag.FileNeedsOCR, "Text recognition could not read this picture. Save it as PNG, then try again.", nil}
	case failed > 0:
		d.partly = append(d.partly, fmt.Sprintf("Pages that text recognition could not read: %d.", failed))
	}
	return nil
}

// addParagraphs joins lines of one paragraph.
func addParagraphs(lines []ocrLine, page int, d *document) {
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && lines[to].paragraph == lines[from].paragraph {
			to++
		}
		var texts []string
		for _, l := range lines[from:to] {
			texts = append(texts, l.text)
		}
		d.add(rag.Block{Kind: rag.BlockParagraph, Text: strings.Join(texts, "\n"), Locator: rag.Locator{Page: page}})
		from = to
	}
}
