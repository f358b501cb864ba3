package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/sentences"

	"referent/rag"
)

// unit is a sentence, a line or a part of one, inside a block.
type unit struct {
	text   string
	runes  int
	tokens int
}

// cutSentences cuts a long block at sentence ends. Only here do two pieces
// overlap, by one sentence, since the cut is ours and not the author's.
func cutSentences(p piece, text string, limit int) []piece {
	var units []unit
	seg := sentences.FromString(text)
	for seg.Next() {
		units = append(units, shorten(seg.Value(), limit)...)
	}
	return group(p, units, limit, true)
}

// cutLines cuts code at blank lines where it can, else at lines.
func cutLines(p piece, text string, limit int) []piece {
	var units []unit
	for _, block := range blocksOfLines(text) {
		if n := EstimateTokens(block); n <= limit {
			units = append(units, newUnit(block))
			continue
		}
		for _, line := range strings.SplitAfter(block, "\n") {
			units = append(units, shorten(line, limit)...)
		}
	}
	pieces := group(p, units, limit, false)
	if p.locator.LineFrom > 0 {
		locateLines(pieces, text, p)
	}
	return pieces
}

// blocksOfLines splits after blank lines, keeping every character.
func blocksOfLines(text string) []string {
	var out []string
	start := 0
	for i := 0; i < len(text); {
		j := strings.Index(text[i:], "\n\n")
		if j < 0 {
			break
		}
		i += j + 2
		for i < len(text) && text[i] == '\n' {
			i++
		}
		out = append(out, text[start:i])
		start = i
	}
	return append(out, text[start:])
}

func newUnit(s string) unit {
	return unit{s, utf8.RuneCountInString(s), EstimateTokens(s)}
}

// shorten cuts what is longer than a chunk by itself at white space, and where
// there is none (a line of 5,000 characters) between two graphemes.
func shorten(s string, limit int) []unit {
	if u := newUnit(s); u.tokens <= limit {
		return []unit{u}
	}
	var out []unit
	start, pos, space := 0, 0, -1
	var m meter
	seg := graphemes.FromString(s)
	for seg.Next() {
		g := seg.Value()
		for _, r := range g {
			m.add(r)
		}
		if m.tokens() > limit*9/10 && pos > start {
			end := pos
			if space > start {
				end = space
			}
			out = append(out, newUnit(s[start:end]))
			start, space, m = end, -1, meter{}
			for _, r := range s[start : pos+len(g)] {
				m.add(r)
			}
		}
		pos += len(g)
		if unicode.IsSpace(firstRune(g)) {
			space = pos
		}
	}
	if start < len(s) {
		out = append(out, newUnit(s[start:]))
	}
	return out
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// group packs units into pieces up to the limit.
func group(p piece, units []unit, limit int, overlap bool) []piece {
	var out []piece
	pos := p.from // of the next unit
	start, size := pos, 0
	for i, u := range units {
		if size > 0 && size+u.tokens > limit {
			out = append(out, p.part(start, pos, size))
			start, size = pos, 0
			if prev := units[i-1]; overlap && prev.tokens*4 <= limit && prev.tokens+u.tokens <= limit {
				start, size = pos-prev.runes, prev.tokens
			}
		}
		pos += u.runes
		size += u.tokens
	}
	if pos > start {
		out = append(out, p.part(start, pos, size))
	}
	return trimmed(out, p, units)
}

func (p piece) part(from, to, tokens int) piece {
	q := p
	q.from, q.to, q.tokens = from, to, tokens
	return q
}

// trimmed moves the ends of pieces inwards past white space.
func trimmed(pieces []piece, p piece, units []unit) []piece {
	var whole strings.Builder
	for _, u := range units {
		whole.WriteString(u.text)
	}
	text := []rune(whole.String())
	out := pieces[:0]
	for _, q := range pieces {
		for q.from < q.to && text[q.from-p.from] == '\n' {
			q.from++
		}
		for q.to > q.from && unicode.IsSpace(text[q.to-1-p.from]) {
			q.to--
		}
		if q.to > q.from {
			out = append(out, q)
		}
	}
	return out
}

// locateLines gives each piece the lines that it covers, where a block's text
// has exactly the lines of its range.
func locateLines(pieces []piece, text string, p piece) {
	first := p.locator.LineFrom
	if strings.Count(text, "\n") != p.locator.LineTo-first {
		return
	}
	for i, l := range linesOf(pieces, text, p) {
		pieces[i].locator = rag.Locator{LineFrom: first + l.from, LineTo: first + l.to}
	}
}

// locateRows gives each piece the rows of a sheet that it covers, where each
// row of the block's range is one line of its text.
func locateRows(pieces []piece, text string, p piece) {
	from, to := cellRange(p.locator.Cell)
	if from.row == 0 || strings.Count(text, "\n") != to.row-from.row {
		return
	}
	for i, l := range linesOf(pieces, text, p) {
		pieces[i].locator.Cell = cellAt{from.column, from.row + l.from}.String() + ":" + cellAt{to.column, from.row + l.to}.String()
	}
}

// lineRange is a first and a last line, from 0.
type lineRange struct{ from, to int }

// linesOf gives the lines that pieces cover of the block they were cut from.
func linesOf(pieces []piece, text string, p piece) []lineRange {
	runes := []rune(text)
	line, at := 0, 0
	advance := func(to int) int {
		for ; at < to && at < len(runes); at++ {
			if runes[at] == '\n' {
				line++
			}
		}
		return line
	}
	var lines []lineRange
	for _, q := range pieces {
		from := advance(q.from - p.from)
		lines = append(lines, lineRange{from, advance(q.to - p.from)})
	}
	return lines
}

// tablePieces cuts a table between rows; every piece that does not begin with
// the header row repeats it.
func tablePieces(p piece, b rag.Block, limit int) []piece {
	head := b.TableHeader
	begins := head != "" && (b.Text == head || strings.HasPrefix(b.Text, head+"\n"))
	room := limit - EstimateTokens(head)
	if head != "" && room < limit/3 { // a header of its own size: not repeated
		head, begins, room = "", false, limit
	}
	if p.tokens <= limit && begins || p.tokens <= room {
		if head != "" && !begins {
			p.header = head
			p.tokens += EstimateTokens(head)
		}
		return []piece{p}
	}
	var units []unit
	for _, row := range strings.SplitAfter(b.Text, "\n") {
		units = append(units, shorten(row, room)...)
	}
	pieces := group(p, units, room, false)
	if p.locator.LineFrom > 0 {
		locateLines(pieces, b.Text, p)
	}
	if p.locator.Cell != "" {
		locateRows(pieces, b.Text, p)
	}
	for i := range pieces {
		if head != "" && !(i == 0 && begins) {
			pieces[i].header = head
			pieces[i].tokens += EstimateTokens(head)
		}
	}
	return pieces
}
