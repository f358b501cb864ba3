package extract

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"math"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/requests"

	"referent/rag"
)

const (
	// ocrDPI is what recognition needs for letters of ordinary size; finer
	// pictures take longer and gave the same words on the samples tried.
	ocrDPI = 200
	// ocrPixels bounds a page of any size: an A3 sheet at ocrDPI has 8 million.
	ocrPixels = 25_000_000
)

// recognise reads a page that is a picture, or whose letters carry no meaning,
// with text recognition if there is one. A page that it cannot read stays what
// it was.
func (r *pdfReader) recognise(ctx context.Context, index int, p *pdfPage) {
	if r.ocr == nil || r.recognised == maxPictures || !(p.chars < fewChars && p.picture || p.unreadable()) || p.width <= 0 || p.height <= 0 {
		return
	}
	r.recognised++
	r.opts.recognising()
	picture, width, err := r.render(index, p)
	if err != nil {
		r.faulty = r.faulty || broken(err)
		return
	}
	lines, err := r.ocr.read(ctx, picture, 0)
	if err != nil {
		return
	}
	scale := p.width / float64(width) // points a pixel
	p.lines, p.chars, p.picture, p.sampled, p.unmapped = nil, 0, false, 0, 0
	for _, l := range lines {
		r.d.recognised = true
		height := float64(l.bottom-l.top) * scale
		p.chars += utf8.RuneCountInString(l.text)
		p.lines = append(p.lines, pdfLine{text: tidyPDF(l.text), size: height, recognised: true, rect: rag.Rect{
			X: tenth(float64(l.left) * scale), Y: tenth(float64(l.top) * scale), Width: tenth(float64(l.right-l.left) * scale), Height: tenth(height)}})
	}
}

// render gives a page as a grey picture in the PGM format, which needs no
// packing, and its width in pixels.
func (r *pdfReader) render(index int, p *pdfPage) ([]byte, int, error) {
	dpi := min(ocrDPI, int(math.Sqrt(ocrPixels/(p.width*p.height))*72))
	page, err := r.RenderPageInDPI(&requests.RenderPageInDPI{Page: requests.Page{ByIndex: &requests.PageByIndex{Document: r.doc, Index: index}},
		DPI: max(dpi, 1), ImageFormat: requests.RenderImageFormatGrayscale})
	if err != nil {
		return nil, 0, err
	}
	defer page.Cleanup()
	grey, ok := page.Result.RenderedImage.(*image.Gray)
	if !ok || grey.Rect.Empty() {
		return nil, 0, fmt.Errorf("the page was drawn as %T", page.Result.RenderedImage)
	}
	var b bytes.Buffer
	size := grey.Rect.Size()
	b.Grow(size.X*size.Y + 32)
	fmt.Fprintf(&b, "P5\n%d %d\n255\n", size.X, size.Y)
	for y := range size.Y {
		b.Write(grey.Pix[y*grey.Stride : y*grey.Stride+size.X])
	}
	return b.Bytes(), size.X, nil
}
