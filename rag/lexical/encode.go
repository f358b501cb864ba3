package lexical

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// The encoded form of a block, little-endian, every part padded to 8 bytes:
//
//	header    chunks u32 | terms u32 | tokens u64 | average f64 bits |
//	          dictionary bytes u64 | postings bytes u64
//	chunks    i64 each, ascending
//	lengths   u16 each
//	heads     u32 each: offset of every group of 16 terms
//	dict      per term: shared prefix, suffix length, suffix, chunks that hold
//	          it, bytes of its postings; in a group's first term the prefix is
//	          empty and the offset of its postings stands in front
//	postings  see list.go; 8 bytes of zeros at the end, so that a value can
//	          always be read as one 64-bit word
const (
	headerBytes = 40
	groupTerms  = 16
	padding     = 8
)

func padded(n int) int { return (n + padding - 1) &^ (padding - 1) }

// encoder writes a block term by term.
type encoder struct {
	chunks   []int64
	lengths  []uint16
	tokens   uint64
	norm     norm
	terms    int
	heads    []byte
	dict     []byte
	postings []byte
	last     []byte // the term before
}

func newEncoder(chunks []int64, lengths []uint16) *encoder {
	e := &encoder{chunks: chunks, lengths: lengths}
	for _, l := range lengths {
		e.tokens += uint64(l)
	}
	e.norm.average = averageOf(e.tokens, len(chunks))
	e.norm.fill()
	return e
}

// add writes the postings of the next term, in dictionary order; ords ascend.
func (e *encoder) add(term []byte, ords []uint32, counts []uint8) {
	shared := 0
	if e.terms%groupTerms == 0 {
		e.heads = binary.LittleEndian.AppendUint32(e.heads, uint32(len(e.dict)))
		e.dict = binary.AppendUvarint(e.dict, uint64(len(e.postings)))
	} else {
		for shared < len(term) && shared < len(e.last) && term[shared] == e.last[shared] {
			shared++
		}
	}
	from := len(e.postings)
	e.appendList(ords, counts)
	e.dict = binary.AppendUvarint(e.dict, uint64(shared))
	e.dict = binary.AppendUvarint(e.dict, uint64(len(term)-shared))
	e.dict = append(e.dict, term[shared:]...)
	e.dict = binary.AppendUvarint(e.dict, uint64(len(ords)))
	e.dict = binary.AppendUvarint(e.dict, uint64(len(e.postings)-from))
	e.last = append(e.last[:0], term...)
	e.terms++
}

// finish joins the parts.
func (e *encoder) finish() *Block {
	e.postings = append(e.postings, make([]byte, padding)...)
	size := headerBytes + 8*len(e.chunks) + padded(2*len(e.lengths)) + padded(len(e.heads)) + padded(len(e.dict)) + padded(len(e.postings))
	data := make([]byte, 0, size)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(e.chunks)))
	data = binary.LittleEndian.AppendUint32(data, uint32(e.terms))
	data = binary.LittleEndian.AppendUint64(data, e.tokens)
	data = binary.LittleEndian.AppendUint64(data, math.Float64bits(e.norm.average))
	data = binary.LittleEndian.AppendUint64(data, uint64(len(e.dict)))
	data = binary.LittleEndian.AppendUint64(data, uint64(len(e.postings)))
	for _, c := range e.chunks {
		data = binary.LittleEndian.AppendUint64(data, uint64(c))
	}
	for _, l := range e.lengths {
		data = binary.LittleEndian.AppendUint16(data, l)
	}
	for _, part := range [][]byte{nil, e.heads, e.dict, e.postings} {
		data = append(data, part...)
		data = append(data, make([]byte, padded(len(data))-len(data))...)
	}
	b, err := Parse(data, nil)
	if err != nil {
		panic(err) // the form is written and read here only
	}
	return b
}

// Parse reads an encoded block, which must not change afterwards; keep is held
// as long as the block. It checks sizes and the ids of the chunks, not the
// postings: callers trust data by its checksum, and Check looks at all of it.
func Parse(data []byte, keep any) (*Block, error) {
	damaged := func(what string) (*Block, error) { return nil, fmt.Errorf("lexical: the block is damaged: %s", what) }
	if len(data) < headerBytes {
		return damaged("no header")
	}
	b := &Block{data: data, keep: keep, terms: int(binary.LittleEndian.Uint32(data[4:])), tokens: binary.LittleEndian.Uint64(data[8:]),
		average: math.Float64frombits(binary.LittleEndian.Uint64(data[16:]))}
	n := int(binary.LittleEndian.Uint32(data))
	dict, postings := binary.LittleEndian.Uint64(data[24:]), binary.LittleEndian.Uint64(data[32:])
	if n > MaxBlock || dict > uint64(len(data)) || postings > uint64(len(data)) || postings < padding || !(b.average >= 1) || math.IsInf(b.average, 0) {
		return damaged("impossible sizes")
	}
	groups := (b.terms + groupTerms - 1) / groupTerms
	rest := data[headerBytes:]
	take := func(n int) []byte {
		if padded(n) > len(rest) {
			rest = nil
			return nil
		}
		part := rest[:n:n]
		rest = rest[padded(n):]
		return part
	}
	ids := take(8 * n)
	b.lengths, b.heads, b.dict, b.postings = take(2*n), take(4*groups), take(int(dict)), take(int(postings))
	if rest == nil || len(rest) != 0 || len(b.postings) != int(postings) {
		return damaged("a part is missing")
	}
	b.chunks = make([]int64, n)
	for i := range b.chunks {
		b.chunks[i] = int64(binary.LittleEndian.Uint64(ids[8*i:]))
		if i > 0 && b.chunks[i] <= b.chunks[i-1] {
			return damaged("chunks out of order")
		}
	}
	return b, nil
}

// averageOf is the mean length of chunks, at least 1.
func averageOf(tokens uint64, chunks int) float64 {
	if chunks == 0 {
		return 1
	}
	return max(1, float64(tokens)/float64(chunks))
}

// sortPostings brings postings into ordinal order; mostly they are already.
func sortPostings(ords []uint32, counts []uint8) {
	if slices.IsSorted(ords) {
		return
	}
	both := make([]uint64, len(ords))
	for i, o := range ords {
		both[i] = uint64(o)<<8 | uint64(counts[i])
	}
	slices.Sort(both)
	for i, v := range both {
		ords[i], counts[i] = uint32(v>>8), uint8(v)
	}
}
