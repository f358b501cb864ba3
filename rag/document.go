package rag

import "encoding/json"

// BlockKind is what a block of a document is.
type BlockKind string

// The closed list of block kinds.
const (
	BlockHeading      BlockKind = "heading"
	BlockParagraph    BlockKind = "paragraph"
	BlockListItem     BlockKind = "list_item"
	BlockTable        BlockKind = "table"
	BlockCode         BlockKind = "code"
	BlockCaption      BlockKind = "caption"
	BlockNote         BlockKind = "note"
	BlockHeaderFooter BlockKind = "header_footer"
)

// Block is a piece of a document in reading order. Offset is where Text begins
// in the normalised text of the document, in code points.
type Block struct {
	Kind    BlockKind `json:"kind"`
	Text    string    `json:"text"`
	Heading []string  `json:"heading"` // path of headings above it, outermost first
	Level   int       `json:"level"`   // of a heading, 1 to 6; else 0
	Locator Locator   `json:"locator"`
	Offset  int       `json:"offset"`
	// TableHeader is the header row of a table. Text begins with it only where
	// the block holds the table's first row; pieces of a table repeat it.
	TableHeader string `json:"-"`
}

// Extraction is what was read from a file.
type Extraction struct {
	Status      FileStatus `json:"status"`
	Reason      string     `json:"reason"` // a sentence for people; empty when all went well
	Kind        string     `json:"kind"`   // pdf, markdown, text, html, …
	Title       string     `json:"title"`
	TitleSource string     `json:"title_source"` // metadata | heading | file_name
	Pages       int        `json:"pages"`
	Language    string     `json:"language"` // ISO 639-1; empty if not known
	Encoding    string     `json:"encoding"`
	Text        string     `json:"-"` // the normalised text that offsets refer to
	Blocks      []Block    `json:"-"`
}

// MarshalJSON writes the first line of `referent extract --json`: absent values
// are null.
func (e Extraction) MarshalJSON() ([]byte, error) {
	type plain Extraction // without this method
	return json.Marshal(struct {
		plain
		Reason   *string `json:"reason"`
		Title    *string `json:"title"`
		Pages    *int    `json:"pages"`
		Language *string `json:"language"`
		Encoding *string `json:"encoding"`
	}{plain(e), ptr(e.Reason), ptr(e.Title), ptr(e.Pages), ptr(e.Language), ptr(e.Encoding)})
}

// Chunk is the unit that is indexed and cited, before it is stored.
type Chunk struct {
	Ordinal     int
	Parent      int      // ordinal of its parent
	Header      string   // "title > heading path", embedded in front of Text, never quoted
	Text        string   // equals the normalised text at Offset, apart from a repeated table header
	Heading     []string // heading path
	Locator     Locator
	Offset      int // code points in the normalised text
	Length      int // code points
	Tokens      int // model-free estimate
	ContentHash string
	LowRank     bool // note, quoted mail, header: found after equals
}

// Parent is the section or page around chunks, handed to the model when the
// budget allows.
type Parent struct {
	Ordinal int
	Text    string
	Locator Locator
	Offset  int
	Length  int
	Tokens  int
}

// Message is one earlier message of a conversation. Role is "user" or
// "assistant"; anything else counts as user.
type Message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}
