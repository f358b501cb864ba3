package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"sync"
)

// The icon is a few rounded rectangles on a field of 256 units: a page, its
// lines, the line that is cited, and the mark of the citation. The SVG and the
// pictures of every size are drawn from this one list.
var iconShapes = []shape{
	{8, 8, 240, 240, 52, color.NRGBA{0x1f, 0x4e, 0x5f, 0xff}},
	{58, 38, 124, 180, 14, color.NRGBA{0xfb, 0xf9, 0xf4, 0xff}},
	{78, 66, 84, 12, 6, color.NRGBA{0x9a, 0xa8, 0xae, 0xff}},
	{78, 94, 84, 12, 6, color.NRGBA{0x9a, 0xa8, 0xae, 0xff}},
	{70, 116, 100, 28, 8, color.NRGBA{0xf2, 0xc1, 0x4e, 0xff}},
	{78, 124, 84, 12, 6, color.NRGBA{0x6b, 0x52, 0x12, 0xff}},
	{78, 154, 56, 12, 6, color.NRGBA{0x9a, 0xa8, 0xae, 0xff}},
	{142, 150, 76, 76, 38, color.NRGBA{0xd9, 0x5d, 0x39, 0xff}},
	{174, 168, 12, 40, 5, color.NRGBA{0xff, 0xff, 0xff, 0xff}},
}

// iconSizes are those of the hicolor theme that desktops ask for, in pixels.
var iconSizes = []int{16, 22, 24, 32, 48, 64, 128, 256, 512}

// icons draws every size, once.
var icons = sync.OnceValues(func() (map[int][]byte, error) {
	out := map[int][]byte{}
	for _, size := range iconSizes {
		body, err := iconPNG(size)
		if err != nil {
			return nil, err
		}
		out[size] = body
	}
	return out, nil
})

// shape is a rectangle with round corners, in units of the field.
type shape struct {
	x, y, w, h, r float64
	fill          color.NRGBA
}

// holds tells whether a point is inside.
func (s shape) holds(x, y float64) bool {
	x, y = x-s.x, y-s.y
	if x < 0 || y < 0 || x >= s.w || y >= s.h {
		return false
	}
	dx, dy := max(s.r-x, x-(s.w-s.r), 0), max(s.r-y, y-(s.h-s.r), 0)
	return dx*dx+dy*dy <= s.r*s.r
}

func iconSVG() []byte {
	var out bytes.Buffer
	out.WriteString("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 256 256\" role=\"img\" aria-label=\"Referent\">\n")
	for _, s := range iconShapes {
		fmt.Fprintf(&out, "  <rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"%g\" fill=\"#%02x%02x%02x\"/>\n", s.x, s.y, s.w, s.h, s.r, s.fill.R, s.fill.G, s.fill.B)
	}
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// samples is how many points along each side of a pixel are looked at.
const samples = 4

// iconPNG draws the icon in size × size pixels: each point takes the last shape
// that holds it, a pixel the mean of its points.
func iconPNG(size int) ([]byte, error) {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	unit := 256 / float64(size*samples)
	for py := range size {
		for px := range size {
			img.SetNRGBA(px, py, pixel(px, py, unit))
		}
	}
	var out bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, img)
	return out.Bytes(), err
}

func pixel(px, py int, unit float64) color.NRGBA {
	var r, g, b, hits int
	for sy := range samples {
		for sx := range samples {
			x, y := (float64(px*samples+sx)+0.5)*unit, (float64(py*samples+sy)+0.5)*unit
			for i := len(iconShapes) - 1; i >= 0; i-- {
				if s := iconShapes[i]; s.holds(x, y) {
					r, g, b, hits = r+int(s.fill.R), g+int(s.fill.G), b+int(s.fill.B), hits+1
					break
				}
			}
		}
	}
	if hits == 0 {
		return color.NRGBA{}
	}
	half := hits / 2
	return color.NRGBA{uint8((r + half) / hits), uint8((g + half) / hits), uint8((b + half) / hits), uint8(hits * 255 / (samples * samples))}
}
