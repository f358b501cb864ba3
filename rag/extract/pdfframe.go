package extract

import (
	"math"

	"github.com/klippa-app/go-pdfium/requests"

	"referent/rag"
)

// pageFrame turns places in a page's own space (origin at the bottom left of
// its box, before rotation) into places on the page as shown.
type pageFrame struct {
	left, bottom, right, top float64
	rotation                 int     // quarter turns clockwise
	width, height            float64 // as shown
}

func (r *pdfReader) frame(page requests.Page) (pageFrame, error) {
	size, err := r.GetPageSize(&requests.GetPageSize{Page: page})
	if err != nil {
		return pageFrame{}, err
	}
	f := pageFrame{width: size.Width, height: size.Height, right: size.Width, top: size.Height}
	if rot, err := r.FPDFPage_GetRotation(&requests.FPDFPage_GetRotation{Page: page}); err == nil {
		f.rotation = int(rot.PageRotation)
	}
	if box, err := r.FPDF_GetPageBoundingBox(&requests.FPDF_GetPageBoundingBox{Page: page}); err == nil {
		f.left, f.bottom, f.right, f.top = float64(box.Rect.Left), float64(box.Rect.Bottom), float64(box.Rect.Right), float64(box.Rect.Top)
		if f.bottom > f.top {
			f.bottom, f.top = f.top, f.bottom
		}
	}
	return f, nil
}

// show gives the rectangle as seen, origin at the top left, in tenths of a
// point, which is finer than any screen.
func (f pageFrame) show(left, top, right, bottom float64) rag.Rect {
	x1, y1 := f.point(left, top)
	x2, y2 := f.point(right, bottom)
	x, y := math.Min(x1, x2), math.Min(y1, y2)
	return rag.Rect{X: tenth(x), Y: tenth(y), Width: tenth(math.Abs(x2 - x1)), Height: tenth(math.Abs(y2 - y1))}
}

func (f pageFrame) point(x, y float64) (float64, float64) {
	switch f.rotation {
	case 1:
		return y - f.bottom, x - f.left
	case 2:
		return f.right - x, y - f.bottom
	case 3:
		return f.top - y, f.right - x
	}
	return x - f.left, f.top - y
}

func tenth(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return math.Round(v*10) / 10
}

// union is the smallest rectangle around both; an empty one counts not.
func union(a, b rag.Rect) rag.Rect {
	if a.Width == 0 && a.Height == 0 {
		return b
	}
	if b.Width == 0 && b.Height == 0 {
		return a
	}
	x, y := math.Min(a.X, b.X), math.Min(a.Y, b.Y)
	return rag.Rect{X: x, Y: y,
		Width:  tenth(math.Max(a.X+a.Width, b.X+b.Width) - x),
		Height: tenth(math.Max(a.Y+a.Height, b.Y+b.Height) - y)}
}
