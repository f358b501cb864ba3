package extract

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"

	"referent/rag"
)

// rtfReader reads an RTF file byte by byte. What a group changes is kept on a
// stack of at most maxDepth groups; deeper ones share the innermost.
type rtfReader struct {
	ctx context.Context
	in  *bufio.Reader
	d   *document

	state  rtfState
	stack  []rtfState
	deeper int
	words  int // control words so far

	override encoding.Encoding // set by the person, for every font
	forced   int               // the code page that has its double bytes
	ansi     int               // code page of the file
	deffont  int
	fonts    map[int]int // code page by font
	styles   map[int]wordStyle
	font     int // being defined
	style    int
	level    int             // of the style
	name     strings.Builder // of the style or title being read

	bytes []byte // not decoded yet
	page  int    // their code page
	lead  bool   // the last of them needs a second byte
	raw   bool   // it stands in the file as it is
	high  rune   // first half of a pair of \u
	skip  int    // characters that repeat a \u for programs that do not know it
	star  bool   // \* was seen: an unknown destination is skipped

	texts      []*rtfText // open: the body, and notes and boxes inside of it
	paragraphs int
}

// rtfState is what a group inherits and leaves unchanged behind it.
type rtfState struct {
	dest    rtfDest
	outer   rtfDest // around \upr
	texts   int     // open texts
	font    int
	unicode int // characters to skip after \u
	hidden  bool
	deleted bool
	inTable bool
	style   int
	outline int // heading level; 0 is none
}

// rtfDest is where the text of a group goes.
type rtfDest int

const (
	rtfBody  rtfDest = iota
	rtfSkip          // nowhere, with all that lies inside
	rtfHold          // nowhere, but groups inside may have destinations of their own
	rtfFonts         // the table of fonts
	rtfStyleSheet
	rtfTitle
	rtfMarker // what is shown before the paragraph of a list
)

// readRTF reads an RTF document: paragraphs, lists, tables, then notes,
// comments, headers and footers.
func readRTF(ctx context.Context, src *source, opts Options, d *document) error {
	r := &rtfReader{ctx: ctx, in: bufio.NewReaderSize(src.File, 64<<10), d: d, ansi: 1252, fonts: map[int]int{}, styles: map[int]wordStyle{}}
	r.state.unicode = 1
	if opts.Encoding != "" {
		if err := r.force(opts.Encoding); err != nil {
			return damaged("The encoding "+opts.Encoding+" is not known. Choose another one.", err)
		}
	}
	r.push(rag.BlockParagraph, "")
	whole, err := r.read()
	r.flush()
	for len(r.texts) > 0 {
		r.pop()
	}
	switch {
	case err != nil:
		return err
	case !whole && len(d.blocks)+len(d.tail) == 0:
		return damaged("The document is cut off or damaged. If it is still being copied, wait; else save it again in the program that made it.", nil)
	case !whole:
		d.partly = append(d.partly, "The document breaks off before its end; what stands before was read.")
	}
	if d.encoding == "" {
		d.encoding = fmt.Sprintf("windows-%d", r.ansi)
	}
	return ctx.Err()
}

// read goes to the end of the outermost group and tells whether there is one.
func (r *rtfReader) read() (whole bool, err error) {
	for {
		c, err := r.in.ReadByte()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch {
		case r.lead && r.raw: // the second byte may look like anything
			r.char(c)
		case c == '\\':
			if err := r.control(); err != nil {
				if errors.Is(err, io.EOF) {
					return false, nil
				}
				return false, err
			}
		case c == '{' || c == '}':
			r.flush()
			r.skip, r.star, r.high = 0, false, 0
			if c == '{' {
				r.open()
			} else if r.close() {
				return true, nil
			}
		case c == '\r' || c == '\n' || c == 0:
		default:
			r.char(c)
		}
		if r.d.full || r.words&0xffff == 0xffff && r.ctx.Err() != nil {
			return true, r.ctx.Err()
		}
	}
}

func (r *rtfReader) open() {
	if len(r.stack) >= maxDepth {
		r.deeper++
		return
	}
	r.stack = append(r.stack, r.state)
}

// close ends a group and tells whether it was the outermost.
func (r *rtfReader) close() bool {
	if r.deeper > 0 {
		r.deeper--
		return false
	}
	n := len(r.stack)
	if n == 0 {
		return true
	}
	ended := r.state.dest
	r.state = r.stack[n-1]
	r.stack = r.stack[:n-1]
	if ended != r.state.dest {
		switch ended {
		case rtfTitle:
			if plausibleTitle(r.name.String()) {
				r.d.setTitle(r.name.String(), "metadata")
			}
			r.name.Reset()
		case rtfMarker:
			r.text().mark()
		}
	}
	if ended == rtfStyleSheet {
		r.endStyle()
	}
	for len(r.texts) > r.state.texts+1 {
		r.pop()
	}
	return n == 1
}

// control reads a control word or symbol and does what it says.
func (r *rtfReader) control() error {
	c, err := r.in.ReadByte()
	if err != nil {
		return err
	}
	if c < 'A' || c > 'Z' && c < 'a' || c > 'z' {
		return r.symbol(c)
	}
	var word [32]byte
	n := 0
	for ; err == nil && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'); c, err = r.in.ReadByte() {
		if n < len(word) {
			word[n] = c
			n++
		}
	}
	value, given, negative := 0, false, false
	if err == nil && c == '-' {
		negative = true
		c, err = r.in.ReadByte()
	}
	for ; err == nil && c >= '0' && c <= '9'; c, err = r.in.ReadByte() {
		given = true
		value = min(value*10+int(c-'0'), 1<<30)
	}
	if err == nil && c != ' ' {
		err = r.in.UnreadByte()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if negative {
		value = -value
	}
	return r.word(string(word[:n]), value, given)
}

func (r *rtfReader) symbol(c byte) error {
	switch c {
	case '\'':
		hex, err := r.in.Peek(2)
		if err != nil {
			return err
		}
		if b, ok := fromHex(hex); ok {
			r.byte(b)
			r.raw = false
			_, err = r.in.Discard(2)
			return err
		}
	case '*':
		r.star = true
	case '~':
		r.write(" ")
	case '_':
		r.write("-")
	case '\n', '\r':
		return r.word("par", 0, false)
	case '\t':
		r.write(" ")
	case '\\', '{', '}':
		r.char(c)
	}
	return nil // the others are hints about hyphens and indexes
}

func fromHex(h []byte) (byte, bool) {
	var out byte
	for _, c := range h {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		out = out<<4 | c
	}
	return out, true
}
