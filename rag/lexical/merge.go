package lexical

import (
	"bytes"
	"slices"
)

// Merge makes one block of several, without the chunks that drop names (nil:
// none). The blocks hold distinct chunks, together at most MaxBlock of those
// that stay. The inputs are not changed.
func Merge(blocks []*Block, drop func(chunk int64) bool) *Block {
	type place struct {
		block, ord int
		id         int64
	}
	var places []place
	for i, b := range blocks {
		for ord, id := range b.chunks {
			if drop == nil || !drop(id) {
				places = append(places, place{i, ord, id})
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return compare(a.id, b.id) })
	chunks, lengths := make([]int64, len(places)), make([]uint16, len(places))
	moved := make([][]int32, len(blocks)) // new ordinal of each old one, -1: dropped
	for i, b := range blocks {
		moved[i] = make([]int32, b.Len())
		for k := range moved[i] {
			moved[i][k] = -1
		}
	}
	for ord, p := range places {
		chunks[ord], lengths[ord] = p.id, blocks[p.block].lengths[p.ord]
		moved[p.block][p.ord] = int32(ord)
	}
	out := newBlock(chunks, lengths)
	total := 0
	for _, b := range blocks {
		total += len(b.ords)
	}
	out.ords, out.counts = make([]uint16, 0, total), make([]uint8, 0, total)

	at := make([]int, len(blocks)) // next term of each block
	for {
		var name []byte
		for i, b := range blocks {
			if at[i] < b.Terms() && (name == nil || bytes.Compare(b.name(at[i]), name) < 0) {
				name = b.name(at[i])
			}
		}
		if name == nil {
			return out.finish()
		}
		from := len(out.ords)
		for i, b := range blocks {
			if at[i] == b.Terms() || !bytes.Equal(b.name(at[i]), name) {
				continue
			}
			for k := b.postAt[at[i]]; k < b.postAt[at[i]+1]; k++ {
				if ord := moved[i][b.ords[k]]; ord >= 0 {
					out.ords = append(out.ords, uint16(ord))
					out.counts = append(out.counts, b.counts[k])
				}
			}
			at[i]++
		}
		if len(out.ords) > from { // a word that only dropped chunks held is forgotten
			out.nameAt = append(out.nameAt, uint32(len(out.names)))
			out.postAt = append(out.postAt, uint32(from))
			out.names = append(out.names, name...)
			sortPostings(out.ords[from:], out.counts[from:])
		}
	}
}

// sortPostings brings postings into ordinal order; mostly they are already.
func sortPostings(ords []uint16, counts []uint8) {
	if slices.IsSorted(ords) {
		return
	}
	both := make([]uint32, len(ords))
	for i, o := range ords {
		both[i] = uint32(o)<<8 | uint32(counts[i])
	}
	slices.Sort(both)
	for i, v := range both {
		ords[i], counts[i] = uint16(v>>8), uint8(v)
	}
}
