package lexical

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Postings of one term come in blocks of 128 with the last block shorter. A
// list of one block has the entry
//
//	impact u8 | ordinal bits u8 | count bits u8
//
// and one of several blocks has for each of them
//
//	last ordinal u32 | offset behind the entries u32 | impact u8 | ordinal bits u8 | count bits u8
//
// A packed block is the gaps between ordinals, each less one, then the counts
// less one; no bytes where all counts are 1. The impact is the greatest
// fraction tf/(tf+norm) of the block in 255ths, rounded up.
const (
	listBlock  = 128
	shortEntry = 3
	longEntry  = 11
	impactMax  = 255
)

func (e *encoder) appendList(ords []uint32, counts []uint8) {
	blocks := (len(ords) + listBlock - 1) / listBlock
	entries, entry := len(e.postings), shortEntry
	if blocks > 1 {
		entry = longEntry
	}
	e.postings = append(e.postings, make([]byte, blocks*entry)...)
	body := len(e.postings)
	before := int64(-1)
	for i := range blocks {
		o, c := ords[i*listBlock:min(len(ords), (i+1)*listBlock)], counts[i*listBlock:min(len(counts), (i+1)*listBlock)]
		offset := len(e.postings) - body
		ordBits, countBits, impact := 0, 0, float32(0)
		prev := before
		for k, ord := range o {
			ordBits = max(ordBits, bits.Len32(uint32(int64(ord)-prev-1)))
			countBits = max(countBits, bits.Len8(c[k]-1))
			impact = max(impact, e.norm.of(c[k], e.lengths[ord]))
			prev = int64(ord)
		}
		e.postings = appendPacked(e.postings, len(o), ordBits, func(k int) uint32 {
			if k == 0 {
				return uint32(int64(o[0]) - before - 1)
			}
			return o[k] - o[k-1] - 1
		})
		e.postings = appendPacked(e.postings, len(o), countBits, func(k int) uint32 { return uint32(c[k] - 1) })
		at := e.postings[entries+i*entry:]
		if blocks > 1 {
			binary.LittleEndian.PutUint32(at, o[len(o)-1])
			binary.LittleEndian.PutUint32(at[4:], uint32(offset))
			at = at[8:]
		}
		at[0], at[1], at[2] = uint8(min(impactMax, math.Ceil(float64(impact)*impactMax))), uint8(ordBits), uint8(countBits)
		before = int64(o[len(o)-1])
	}
}

// appendPacked writes n values of width bits each, the lowest bit first.
func appendPacked(to []byte, n, width int, value func(int) uint32) []byte {
	var word uint64
	have := 0
	for k := range n {
		word |= uint64(value(k)) << have
		for have += width; have >= 8; have -= 8 {
			to = append(to, byte(word))
			word >>= 8
		}
	}
	if have > 0 {
		to = append(to, byte(word))
	}
	return to
}

func packedBytes(n, width int) int { return (n*width + 7) / 8 }

// cursor walks the postings of one term forward.
type cursor struct {
	df      int
	blocks  int
	entries []byte
	body    []byte
	at      int // block that was last asked for
	loaded  int // block in ords; −1: none
	n, pos  int // postings in ords, and the next one
	counts  []byte
	width   int // of a count
	ords    [listBlock]uint32
}

// open sets the cursor in front of a list; df is at least 1.
func (c *cursor) open(list []byte, df int) {
	c.df, c.blocks, c.at, c.loaded, c.n, c.pos = df, (df+listBlock-1)/listBlock, 0, -1, 0, 0
	entry := longEntry
	if c.blocks == 1 {
		entry = shortEntry
	}
	c.entries, c.body = list[:c.blocks*entry], list[c.blocks*entry:]
	if c.blocks == 1 {
		c.load(0)
	}
}

// last is the greatest ordinal of block i.
func (c *cursor) last(i int) uint32 {
	if c.blocks == 1 {
		return c.ords[c.n-1]
	}
	return binary.LittleEndian.Uint32(c.entries[i*longEntry:])
}

func (c *cursor) impact(i int) uint8 {
	if c.blocks == 1 {
		return c.entries[0]
	}
	return c.entries[i*longEntry+8]
}

// load unpacks the ordinals of block i.
func (c *cursor) load(i int) {
	if c.loaded == i {
		return
	}
	c.loaded, c.pos, c.n = i, 0, min(listBlock, c.df-i*listBlock)
	entry, offset, before := c.entries, 0, uint32(math.MaxUint32) // −1
	if c.blocks > 1 {
		entry = c.entries[i*longEntry:]
		offset = int(binary.LittleEndian.Uint32(entry[4:]))
		entry = entry[8:]
		if i > 0 {
			before = c.last(i - 1)
		}
	}
	width := int(entry[1])
	data := c.body[offset:]
	unpackOrdinals(c.ords[:c.n], data, width, before)
	c.width = int(entry[2])
	c.counts = data[packedBytes(c.n, width):]
}

// unpackOrdinals reads gaps and adds them up.
func unpackOrdinals(to []uint32, data []byte, width int, before uint32) {
	mask, at := uint64(1)<<width-1, 0
	for k := range to {
		before += uint32(binary.LittleEndian.Uint64(data[at>>3:])>>(at&7)&mask) + 1
		to[k] = before
		at += width
	}
}

// count is how often the term stands in the posting k of the loaded block.
func (c *cursor) count(k int) uint8 {
	if c.width == 0 {
		return 1
	}
	at := k * c.width
	return uint8(binary.LittleEndian.Uint64(c.counts[at>>3:])>>(at&7)&(1<<c.width-1)) + 1
}

// skipTo moves to the first block that may hold an ordinal from lo on; false
// when there is none.
func (c *cursor) skipTo(lo uint32) bool {
	for c.at < c.blocks && c.last(c.at) < lo {
		c.at++
	}
	return c.at < c.blocks
}

// bound is the greatest impact of the blocks that may hold ordinals from lo to
// hi-1; 0 when there is none. Successive calls have ascending lo.
func (c *cursor) bound(lo, hi uint32) uint8 {
	if !c.skipTo(lo) {
		return 0
	}
	if c.blocks == 1 && c.ords[0] >= hi {
		return 0
	}
	most := uint8(0)
	for i := c.at; i < c.blocks; i++ {
		most = max(most, c.impact(i))
		if c.last(i) >= hi-1 {
			break
		}
	}
	return most
}

// find returns the count of an ordinal; 0: the term is not there. Successive
// calls have ascending ordinals.
func (c *cursor) find(ord uint32) uint8 {
	if !c.skipTo(ord) {
		return 0
	}
	c.load(c.at)
	lo, end := c.pos, c.n
	for lo < end {
		if mid := (lo + end) / 2; c.ords[mid] < ord {
			lo = mid + 1
		} else {
			end = mid
		}
	}
	c.pos = lo
	if lo < c.n && c.ords[lo] == ord {
		return c.count(lo)
	}
	return 0
}
