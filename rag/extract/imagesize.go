package extract

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image/jpeg"
	"image/png"
)

// imageSize is the size of one page of a picture in pixels.
type imageSize struct{ width, height int }

var errImage = errors.New("the head of the picture cannot be read")

// isPicture tells by the first bytes whether they are a picture of a kind that
// is read: PNG, JPEG, TIFF, WebP or BMP.
func isPicture(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) || bytes.HasPrefix(b, []byte("\xff\xd8\xff")) || tiffOrder(b) != nil ||
		isWebP(b) || isBMP(b)
}

func isWebP(b []byte) bool {
	return len(b) >= 16 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP"
}

func isBMP(b []byte) bool { return len(b) >= 26 && string(b[:2]) == "BM" && b[15]|b[16]|b[17] == 0 }

// imagePages gives the size of every page. Sizes come from the head, so that a
// picture that unpacks to more than memory holds is never unpacked.
func imagePages(b []byte) ([]imageSize, error) {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG")):
		c, err := png.DecodeConfig(bytes.NewReader(b))
		return []imageSize{{c.Width, c.Height}}, err
	case bytes.HasPrefix(b, []byte("\xff\xd8")):
		c, err := jpeg.DecodeConfig(bytes.NewReader(b))
		return []imageSize{{c.Width, c.Height}}, err
	case isWebP(b):
		return webpSize(b)
	case isBMP(b):
		le := binary.LittleEndian
		if b[14] == 12 { // the oldest head has sizes of two bytes
			return checked([]imageSize{{int(le.Uint16(b[18:])), int(le.Uint16(b[20:]))}})
		}
		height := int(int32(le.Uint32(b[22:])))
		return checked([]imageSize{{int(int32(le.Uint32(b[18:]))), max(height, -height)}}) // negative: top line first
	}
	return tiffPages(b)
}

func checked(pages []imageSize) ([]imageSize, error) {
	for _, p := range pages {
		if p.width <= 0 || p.height <= 0 {
			return nil, errImage
		}
	}
	if len(pages) == 0 {
		return nil, errImage
	}
	return pages, nil
}

// webpSize reads the first chunk (RFC 9649, section 2).
func webpSize(b []byte) ([]imageSize, error) {
	if len(b) < 30 {
		return nil, errImage
	}
	le := binary.LittleEndian
	switch string(b[12:16]) {
	case "VP8 ":
		return checked([]imageSize{{int(le.Uint16(b[26:]) & 0x3fff), int(le.Uint16(b[28:]) & 0x3fff)}})
	case "VP8L":
		bits := le.Uint32(b[21:])
		return checked([]imageSize{{int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1}})
	case "VP8X":
		return checked([]imageSize{{int(le.Uint32(b[24:])&0xffffff) + 1, int(le.Uint32(b[26:])>>8) + 1}})
	}
	return nil, errImage
}

func tiffOrder(b []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(b, []byte("II*\x00")):
		return binary.LittleEndian
	case bytes.HasPrefix(b, []byte("MM\x00*")):
		return binary.BigEndian
	}
	return nil
}

// maxTIFFPages ends a chain of pages that leads back into itself.
const maxTIFFPages = 10_000

// tiffPages follows the chain of directories (TIFF 6.0, section 2) and reads
// the tags of width and height.
func tiffPages(b []byte) ([]imageSize, error) {
	order := tiffOrder(b)
	if order == nil || len(b) < 8 {
		return nil, errImage
	}
	var pages []imageSize
	for at := int64(order.Uint32(b[4:])); at != 0; {
		if at+2 > int64(len(b)) || len(pages) == maxTIFFPages {
			return nil, errImage
		}
		n := int64(order.Uint16(b[at:]))
		end := at + 2 + 12*n
		if end+4 > int64(len(b)) {
			return nil, errImage
		}
		var p imageSize
		for e := at + 2; e < end; e += 12 {
			value := int(order.Uint32(b[e+8:]))
			if order.Uint16(b[e+2:]) == 3 { // a short stands in the first two bytes
				value = int(order.Uint16(b[e+8:]))
			}
			switch order.Uint16(b[e:]) {
			case 256:
				p.width = value
			case 257:
				p.height = value
			}
		}
		pages = append(pages, p)
		at = int64(order.Uint32(b[end:]))
	}
	return checked(pages)
}
