package worker

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"referent/rag"
	"referent/rag/extract"
)

// Types of frames.
const (
	frameRequest   byte = 'r'
	frameProgress  byte = 'p'
	framePicture   byte = 'o' // a picture's words begin to be recognised
	framePreparing byte = 'w' // the program makes something of its own ready
	frameReady     byte = 'y' // and the file goes on
	frameHead      byte = 'h'
	frameText      byte = 't'
	frameBlocks    byte = 'b'
	frameEnd       byte = 'e'
)

// pieceBytes is about how much of a document one frame holds.
const pieceBytes = 1 << 19

type request struct {
	Path    []byte          `json:"path"` // not a string: JSON would change a name that is no UTF-8
	Options extract.Options `json:"options"`
}

type progress struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// block adds what the public JSON of a block leaves out. The outer field wins.
type block struct {
	rag.Block
	TableHeader string `json:"table_header,omitempty"`
}

// sender is the half of a pipe that writes. It does not keep the payload.
type sender interface {
	Send(kind byte, payload []byte) error
}

// sendExtraction streams an extraction as frames.
func sendExtraction(to sender, ex rag.Extraction) error {
	if err := sendJSON(to, frameHead, ex); err != nil {
		return err
	}
	var piece []byte // one for all: a long text is not copied as a whole
	for text := ex.Text; text != ""; {
		n := min(len(text), pieceBytes)
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		piece = append(piece[:0], text[:n]...)
		if err := to.Send(frameText, piece); err != nil {
			return err
		}
		text = text[n:]
	}
	for from := 0; from < len(ex.Blocks); {
		var batch []block
		for size := 0; from < len(ex.Blocks) && size < pieceBytes; from++ {
			b := ex.Blocks[from]
			size += len(b.Text) + 200
			header := b.TableHeader
			// Block texts stand in the text already; they are cut out of it again.
			b.Text = itoa(utf8.RuneCountInString(b.Text))
			batch = append(batch, block{b, header})
		}
		if err := sendJSON(to, frameBlocks, batch); err != nil {
			return err
		}
	}
	return to.Send(frameEnd, nil)
}

func sendJSON(to sender, kind byte, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return to.Send(kind, b)
}

// assembly puts frames together again.
type assembly struct {
	ex   rag.Extraction
	text strings.Builder
	done bool
}

// take adds a frame; progress goes to each, what moves the deadline to moves.
func (a *assembly) take(kind byte, payload []byte, each func(done, total int), moves func(kind byte)) error {
	switch kind {
	case framePicture, framePreparing, frameReady:
		moves(kind)
	case frameProgress:
		var p progress
		if err := json.Unmarshal(payload, &p); err != nil {
			return err
		}
		if each != nil {
			each(p.Done, p.Total)
		}
	case frameHead:
		return json.Unmarshal(payload, &a.ex)
	case frameText:
		a.text.Write(payload)
	case frameBlocks:
		return a.blocks(payload)
	case frameEnd:
		a.ex.Text = a.text.String()
		a.done = true
		return a.cut()
	default:
		return fmt.Errorf("an unknown frame %q", kind)
	}
	return nil
}

func (a *assembly) blocks(payload []byte) error {
	var batch []block
	if err := json.Unmarshal(payload, &batch); err != nil {
		return err
	}
	for _, b := range batch {
		b.Block.TableHeader = b.TableHeader
		a.ex.Blocks = append(a.ex.Blocks, b.Block)
	}
	return nil
}

// cut gives every block its text. Blocks come in the order of their offsets, so
// one walk over the text is enough.
func (a *assembly) cut() error {
	pos, at := 0, 0 // code points and bytes
	for i := range a.ex.Blocks {
		b := &a.ex.Blocks[i]
		n := 0
		if _, err := fmt.Sscan(b.Text, &n); err != nil {
			return fmt.Errorf("the length of block %d: %w", i, err)
		}
		from, ok := skip(a.ex.Text, at, b.Offset-pos)
		to, fits := skip(a.ex.Text, from, n)
		if !ok || !fits || n < 0 {
			return fmt.Errorf("block %d lies outside of the text", i)
		}
		b.Text = a.ex.Text[from:to]
		pos, at = b.Offset+n, to
	}
	return nil
}

// skip gives the byte that lies n code points behind the byte at.
func skip(text string, at, n int) (int, bool) {
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at, n == 0
}

func itoa(n int) string { return fmt.Sprint(n) }
