package rag

import "encoding/json"

// Rect is a rectangle on a page in points, origin at the top left.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Locator says where in a document a text stands. Exactly one family is set:
// Page, Slide, Sheet, LineFrom, Section, Message, Cell or Pointer. Numbers
// count from 1; 0 means not set. The zero Locator is the document as a whole.
type Locator struct {
	Page      int    `json:"page,omitempty"` // physical page
	PageTo    int    `json:"page_to,omitempty"`
	PageLabel string `json:"page_label,omitempty"`
	Rects     []Rect `json:"rects,omitempty"` // on Page

	Slide int `json:"slide,omitempty"`

	Sheet string `json:"sheet,omitempty"`
	Cell  string `json:"cell,omitempty"` // A1 form, or a range

	LineFrom int `json:"line_from,omitempty"`
	LineTo   int `json:"line_to,omitempty"`

	Section   string `json:"section,omitempty"`
	Paragraph int    `json:"paragraph,omitempty"`

	Message string `json:"message,omitempty"`
	Part    string `json:"part,omitempty"`

	CellIndex int    `json:"cell_index,omitempty"` // notebook cell
	Pointer   string `json:"pointer,omitempty"`    // JSON pointer
}

// ParseLocator reads the stored form; an empty or broken text is the zero Locator.
func ParseLocator(s string) Locator {
	var l Locator
	if s != "" {
		_ = json.Unmarshal([]byte(s), &l) // a locator that cannot be read locates the document
	}
	return l
}

// String returns the stored form.
func (l Locator) String() string {
	b, err := json.Marshal(l)
	if err != nil { // only non-finite rectangles can fail
		return "{}"
	}
	return string(b)
}
