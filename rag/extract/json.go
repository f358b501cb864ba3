package extract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"referent/rag"
)

// readJSON reads JSON and JSON lines as "path: value" lines. A block is a
// member of the top-level object or array, with its pointer (RFC 6901).
func readJSON(_ context.Context, src *source, opts Options, d *document) error {
	text, err := textOf(src, opts, maxTextBytes, d)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	w := jsonWalk{d: d}
	for n := 0; !d.full; n++ {
		w.record = n
		err := w.value(dec)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if n == 0 && len(w.lines) == 0 && d.runes == 0 {
				lineBlocks(text, rag.BlockParagraph, d) // JSON with comments and the like is still text
				return nil
			}
			w.flush("")
			d.partly = append(d.partly, fmt.Sprintf("The file stops being JSON at byte %d; what stands before was read.", dec.InputOffset()))
			return nil
		}
	}
	w.flush("")
	return nil
}

// jsonWalk turns tokens into lines without recursion: the path is a stack.
type jsonWalk struct {
	d      *document
	record int // of JSON lines
	lines  []string
	at     string // pointer of the open block
	stack  []jsonLevel
}

type jsonLevel struct {
	array bool
	key   string
	index int
	named bool // key is set, its value is awaited
}

const maxDepth = 256

// value reads one top-level value.
func (w *jsonWalk) value(dec *json.Decoder) error {
	w.stack = w.stack[:0]
	for {
		tok, err := dec.Token()
		if err != nil {
			if errors.Is(err, io.EOF) && len(w.stack) > 0 {
				return io.ErrUnexpectedEOF
			}
			return err
		}
		switch t := tok.(type) {
		case json.Delim:
			switch t {
			case '{', '[':
				if len(w.stack) >= maxDepth {
					return damaged("The JSON is nested deeper than any reader goes. Export the part that you need.", nil)
				}
				w.stack = append(w.stack, jsonLevel{array: t == '['})
				continue
			default:
				w.stack = w.stack[:len(w.stack)-1]
				w.next()
			}
		case string:
			if w.expectsKey() {
				top := &w.stack[len(w.stack)-1]
				top.key, top.named = t, true
				continue
			}
			w.leaf(t)
		case nil:
			w.next()
		default:
			w.leaf(fmt.Sprint(t))
		}
		if len(w.stack) == 0 {
			return nil
		}
	}
}

func (w *jsonWalk) expectsKey() bool {
	if len(w.stack) == 0 {
		return false
	}
	top := w.stack[len(w.stack)-1]
	return !top.array && !top.named
}

// next moves the innermost level past a finished value.
func (w *jsonWalk) next() {
	if len(w.stack) == 0 {
		return
	}
	top := &w.stack[len(w.stack)-1]
	top.named = false
	top.index++
}

func (w *jsonWalk) leaf(text string) {
	if text = oneLine(cleanText(text)); text != "" {
		if at := w.pointer(1); at != w.at || len(w.lines) >= maxBlockLines {
			w.flush(at)
		}
		line := text
		if name := w.name(); name != "" {
			line = name + ": " + text
		}
		w.lines = append(w.lines, line)
	}
	w.next()
}

// name is the readable path below the block: keys and numbers, joined by dots.
func (w *jsonWalk) name() string {
	var parts []string
	for i, l := range w.stack {
		switch {
		case !l.array:
			parts = append(parts, l.key)
		case i > 0:
			parts = append(parts, fmt.Sprint(l.index+1))
		}
	}
	return strings.Join(parts, ".")
}

// pointer is the JSON pointer of the first depth levels. A line of JSON lines
// is a member of the file.
func (w *jsonWalk) pointer(depth int) string {
	var b strings.Builder
	if w.record > 0 {
		fmt.Fprintf(&b, "/%d", w.record)
	}
	for _, l := range w.stack[:min(depth, len(w.stack))] {
		if l.array {
			fmt.Fprintf(&b, "/%d", l.index)
		} else {
			b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(l.key))
		}
	}
	return b.String()
}

// flush ends the open block and opens one at the pointer.
func (w *jsonWalk) flush(at string) {
	if len(w.lines) > 0 {
		w.d.add(rag.Block{Kind: rag.BlockParagraph, Text: strings.Join(w.lines, "\n"), Locator: rag.Locator{Pointer: w.at}})
	}
	w.lines, w.at = w.lines[:0], at
}
