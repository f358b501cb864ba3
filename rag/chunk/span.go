package chunk

import (
	"unicode/utf8"

	"referent/rag"
)

// span is a chunk in the making: code points from and to of the normalised
// text.
type span struct {
	from, to int
	header   string // of a table, repeated before a piece that lacks it
	heading  []string
	locator  rag.Locator
	tokens   int
	apart    bool // a table or code: not mixed with prose
}

// piece is what spans are built from: a block, or a part of one.
type piece struct {
	span
	heads bool // a heading, which belongs to what follows
	level int
}

// spans packs the blocks of a section: whole blocks up to the limit, headings
// with what follows them, tables apart, crumbs joined to a neighbour.
func (s section) spans(title string) []span {
	var out []span
	var open []piece
	size := 0
	flush := func() {
		if sp, ok := joinPieces(open); ok {
			out = append(out, sp)
		}
		open, size = nil, 0
	}
	for _, p := range s.pieces(title) {
		if breaks(open, size, p, maxTokens-EstimateTokens(headerOf(title, p.heading))) {
			heads := trailingHeads(open)
			open = open[:len(open)-len(heads)]
			flush()
			for _, h := range heads {
				open, size = append(open, h), size+h.tokens
			}
		}
		open, size = append(open, p), size+p.tokens
	}
	flush()
	return joinCrumbs(out, title)
}

// breaks tells whether a new chunk begins at p.
func breaks(open []piece, size int, p piece, limit int) bool {
	body := open[:len(open)-len(trailingHeads(open))]
	if len(body) == 0 {
		return false // headings wait for what they head
	}
	mixed := !p.heads && p.apart != body[len(body)-1].apart
	switch {
	case size+p.tokens > limit:
		return true
	case p.locator.Slide > 0 && p.header == "": // a slide is one piece where it fits
		return false
	case size >= minTokens:
		return true
	case p.header != "": // a repeated header row stands at the beginning
		return true
	case p.heads:
		return size >= minTokens*3/4
	case mixed:
		return size >= crumbTokens && p.tokens >= crumbTokens
	}
	return false
}

func onlyHeads(pieces []piece) bool {
	for _, p := range pieces {
		if !p.heads {
			return false
		}
	}
	return true
}

func trailingHeads(pieces []piece) []piece {
	n := len(pieces)
	for n > 0 && pieces[n-1].heads {
		n--
	}
	return pieces[n:]
}

// joinPieces makes one span. Leading headings are in the heading path already,
// so the text begins below them, if there is any.
func joinPieces(pieces []piece) (span, bool) {
	if len(pieces) == 0 {
		return span{}, false
	}
	for len(pieces) > 1 && pieces[0].heads && !onlyHeads(pieces) {
		pieces = pieces[1:]
	}
	sp := pieces[0].span
	for _, p := range pieces[1:] {
		sp.to = max(sp.to, p.to)
		sp.tokens += p.tokens
		sp.locator = mergeLocators(sp.locator, p.locator)
		sp.apart = sp.apart && p.apart
		if !p.heads {
			sp.heading = common(sp.heading, p.heading)
		}
	}
	return sp, true
}

// joinCrumbs joins spans that are too small to mean anything to the neighbour
// before, or the first to the one behind it.
func joinCrumbs(spans []span, title string) []span {
	var out []span
	for _, sp := range spans {
		n := len(out)
		if n > 0 && sp.header == "" && out[n-1].header == "" && (sp.tokens < crumbTokens || out[n-1].tokens < crumbTokens) {
			joined := out[n-1]
			joined.to = max(joined.to, sp.to)
			joined.tokens += sp.tokens
			joined.locator = mergeLocators(joined.locator, sp.locator)
			joined.heading = common(joined.heading, sp.heading)
			joined.apart = joined.apart && sp.apart
			if joined.tokens+EstimateTokens(headerOf(title, joined.heading)) <= maxTokens {
				out[n-1] = joined
				continue
			}
		}
		out = append(out, sp)
	}
	return out
}

// pieces turns blocks into pieces no larger than a chunk.
func (s section) pieces(title string) []piece {
	var out []piece
	for _, b := range s.blocks {
		heading := b.Heading
		if b.Kind == rag.BlockHeading {
			heading = append(heading[:len(heading):len(heading)], b.Text)
		}
		p := piece{heads: b.Kind == rag.BlockHeading, level: b.Level, span: span{
			from: b.Offset, to: b.Offset + utf8.RuneCountInString(b.Text), heading: heading, locator: b.Locator,
			tokens: EstimateTokens(b.Text), apart: b.Kind == rag.BlockTable || b.Kind == rag.BlockCode,
		}}
		limit := maxTokens - EstimateTokens(headerOf(title, heading))
		switch {
		case b.Kind == rag.BlockTable:
			out = append(out, tablePieces(p, b, limit)...)
		case p.tokens <= limit:
			out = append(out, p)
		case b.Kind == rag.BlockCode:
			out = append(out, cutLines(p, b.Text, limit)...)
		default:
			p.heads = false
			out = append(out, cutSentences(p, b.Text, limit)...)
		}
	}
	return out
}
