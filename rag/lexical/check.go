package lexical

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
)

var errDamaged = errors.New("lexical: the block is damaged")

// Check reads the whole block and returns an error where a part contradicts
// another. A block that passes can be searched, whatever its bytes.
func (b *Block) Check() error {
	defer runtime.KeepAlive(b)
	tokens := uint64(0)
	for ord := range b.chunks {
		tokens += uint64(b.length(ord))
	}
	if tokens != b.tokens || b.average != averageOf(tokens, b.Len()) {
		return errDamaged
	}
	n := norm{average: b.average}
	at, offset := 0, uint64(0) // in the dictionary and in the postings
	number := func() (uint64, bool) {
		v, n := binary.Uvarint(b.dict[at:])
		at += max(n, 0)
		return v, n > 0
	}
	var term, before []byte
	for i := range b.terms {
		if i%groupTerms == 0 {
			if int(binary.LittleEndian.Uint32(b.heads[i/groupTerms*4:])) != at {
				return errDamaged
			}
			if v, ok := number(); !ok || v != offset {
				return errDamaged
			}
		}
		shared, ok1 := number()
		suffix, ok2 := number()
		if !ok1 || !ok2 || shared > uint64(len(term)) || i%groupTerms == 0 && shared != 0 || suffix > uint64(len(b.dict)-at) {
			return errDamaged
		}
		before = append(before[:0], term...)
		term = append(term[:shared], b.dict[at:at+int(suffix)]...)
		at += int(suffix)
		df, ok1 := number()
		size, ok2 := number()
		if !ok1 || !ok2 || i > 0 && bytes.Compare(before, term) >= 0 || df == 0 || df > uint64(b.Len()) || size > uint64(len(b.postings)-padding)-offset {
			return errDamaged
		}
		if !b.checkList(b.postings[offset:offset+size+padding], int(df), &n) {
			return errDamaged
		}
		offset += size
	}
	if at != len(b.dict) || offset != uint64(len(b.postings)-padding) {
		return errDamaged
	}
	return nil
}

// checkList reads one list, which is followed by 8 bytes of others.
func (b *Block) checkList(list []byte, df int, n *norm) bool {
	c := cursor{df: df, blocks: (df + listBlock - 1) / listBlock}
	entry := longEntry
	if c.blocks == 1 {
		entry = shortEntry
	}
	if c.blocks*entry > len(list)-padding {
		return false
	}
	expected, before := 0, int64(-1)
	for i := range c.blocks {
		e := list[i*entry:]
		if c.blocks > 1 {
			if int(binary.LittleEndian.Uint32(e[4:])) != expected {
				return false
			}
			e = e[8:]
		}
		size := min(listBlock, df-i*listBlock)
		if e[1] > 32 || e[2] > 8 {
			return false
		}
		expected += packedBytes(size, int(e[1])) + packedBytes(size, int(e[2]))
		if c.blocks*entry+expected > len(list)-padding {
			return false
		}
	}
	if c.blocks*entry+expected != len(list)-padding {
		return false
	}
	c.open(list, df)
	for i := range c.blocks {
		c.load(i)
		most := float32(0)
		for k, ord := range c.ords[:c.n] {
			tf := c.count(k)
			if int64(ord) <= before || int(ord) >= b.Len() || tf == 0 {
				return false
			}
			before = int64(ord)
			most = max(most, n.exact(int(tf), int(b.length(int(ord)))))
		}
		if int64(c.last(i)) != before || c.impact(i) != uint8(min(impactMax, math.Ceil(float64(most)*impactMax))) {
			return false
		}
	}
	return true
}
