package chunk

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"

	"referent/rag"
)

// Version is raised whenever the chunks of some extraction change.
const Version = 1

// Sizes in estimated tokens. The estimate errs by up to 5 % at p99, so the hard
// limit keeps header and text together within 300 real tokens of the starter
// embedder.
const (
	minTokens    = 200 // a chunk this large is not made larger
	maxTokens    = 285 // header and text
	crumbTokens  = 40  // below it a chunk joins a neighbour
	headerTokens = 60  // the most that a header may take
	parentTokens = 1200
)

// hashChars is the length of a content hash: 128 bits in hexadecimal.
const hashChars = 32

// Split cuts an extraction into chunks and parents, in reading order. Ordinals
// count from 0; a chunk's Parent is the ordinal of its parent. path is where
// the document lies and is no part of any output yet: a title taken from a
// file name is not embedded, so that a rename embeds nothing anew.
func Split(ex rag.Extraction, path string) (chunks []rag.Chunk, parents []rag.Parent) {
	text := newRuler(ex.Text)
	title := ex.Title
	if ex.TitleSource == "file_name" {
		title = ""
	}
	for _, s := range sections(ex.Blocks) {
		first := len(chunks)
		for _, span := range s.spans(title) {
			chunks = append(chunks, span.chunk(text, title, s.lowRank, len(chunks)))
		}
		parents = appendParents(parents, chunks[first:], text)
	}
	return chunks, parents
}

// section is a run of blocks that one chunk may cover: below one heading of
// level 1 or 2, on one slide or sheet, or the notes.
type section struct {
	blocks  []rag.Block
	lowRank bool
}

func sections(blocks []rag.Block) []section {
	var list []section
	var open section
	flush := func() {
		if len(open.blocks) > 0 {
			list = append(list, open)
		}
		open = section{}
	}
	for _, b := range blocks {
		if b.Kind == rag.BlockHeaderFooter {
			continue
		}
		note := b.Kind == rag.BlockNote
		if n := len(open.blocks); n > 0 && apart(open.blocks[n-1].Locator, b.Locator) {
			flush()
			open.lowRank = note
		}
		if note != open.lowRank || b.Kind == rag.BlockHeading && b.Level <= 2 {
			// A heading with nothing below it but a deeper heading lives
			// on in the path of what follows.
			if b.Kind == rag.BlockHeading && onlyHeadings(open.blocks) && b.Level > open.blocks[len(open.blocks)-1].Level {
				open.blocks = nil
			}
			flush()
			open.lowRank = note
		}
		open.blocks = append(open.blocks, b)
	}
	flush()
	return list
}

// apart tells places that a reader never sees together: two slides, two sheets,
// two messages.
func apart(a, b rag.Locator) bool {
	return a.Slide != b.Slide || a.Sheet != b.Sheet || a.Message != b.Message
}

func onlyHeadings(blocks []rag.Block) bool {
	for _, b := range blocks {
		if b.Kind != rag.BlockHeading {
			return false
		}
	}
	return len(blocks) > 0
}

// chunk makes a chunk of a span.
func (s span) chunk(text *ruler, title string, lowRank bool, ordinal int) rag.Chunk {
	body := text.cut(s.from, s.to)
	if s.header != "" {
		body = s.header + "\n" + body
	}
	header := headerOf(title, s.heading)
	sum := sha256.Sum256([]byte(header + "\x00" + body))
	return rag.Chunk{
		Ordinal: ordinal, Header: header, Text: body, Heading: s.heading, Locator: s.locator,
		Offset: s.from, Length: s.to - s.from, Tokens: EstimateTokens(header) + EstimateTokens(body),
		ContentHash: hex.EncodeToString(sum[:])[:hashChars], LowRank: lowRank,
	}
}

// appendParents groups the chunks of one section into parents: the section as
// a whole where it fits, else page by page, else as many chunks as fit.
func appendParents(parents []rag.Parent, chunks []rag.Chunk, text *ruler) []rag.Parent {
	total := 0
	for _, c := range chunks {
		total += c.Tokens
	}
	byPage := total > parentTokens
	before := len(parents)
	for i := range chunks {
		c := &chunks[i]
		n := len(parents)
		fresh := i == 0 || byPage && c.Locator.Page != chunks[i-1].Locator.Page
		if !fresh {
			p := &parents[n-1]
			to := max(p.Offset+p.Length, c.Offset+c.Length)
			if tokens := EstimateTokens(text.cut(p.Offset, to)); tokens > parentTokens {
				fresh = true
			} else {
				p.Length, p.Tokens, p.Locator = to-p.Offset, tokens, mergeLocators(p.Locator, c.Locator)
			}
		}
		if fresh {
			whole := text.cut(c.Offset, c.Offset+c.Length)
			parents = append(parents, rag.Parent{Ordinal: n, Locator: c.Locator, Offset: c.Offset, Length: c.Length, Tokens: EstimateTokens(whole)})
		}
		c.Parent = len(parents) - 1
	}
	for i := before; i < len(parents); i++ {
		parents[i].Text = text.cut(parents[i].Offset, parents[i].Offset+parents[i].Length)
	}
	return parents
}

// ruler cuts a text at offsets in code points without walking it from the
// beginning each time.
type ruler struct {
	text  string
	marks []int // byte offset of every step-th code point
	runes int
}

const step = 256

func newRuler(text string) *ruler {
	r := &ruler{text: text}
	for i := range text {
		if r.runes%step == 0 {
			r.marks = append(r.marks, i)
		}
		r.runes++
	}
	return r
}

// byteAt is the byte offset of a code point; the end for all beyond it.
func (r *ruler) byteAt(rune int) int {
	if rune >= r.runes {
		return len(r.text)
	}
	at := r.marks[rune/step]
	for n := rune % step; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(r.text[at:])
		at += size
	}
	return at
}

func (r *ruler) cut(from, to int) string { return r.text[r.byteAt(from):r.byteAt(to)] }
