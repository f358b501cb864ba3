package lexical

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"
)

// Merge makes one block of several, without the chunks that Only hides and
// those that drop names (nil: none). What stays are distinct chunks, at most
// MaxBlock of them. The inputs are not changed.
func Merge(blocks []*Block, drop func(chunk int64) bool) *Block {
	defer runtime.KeepAlive(blocks)
	type place struct {
		block, ord int
		id         int64
	}
	var places []place
	for i, b := range blocks {
		for ord, id := range b.chunks {
			if b.live.Has(ord) && (drop == nil || !drop(id)) {
				places = append(places, place{i, ord, id})
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.id, b.id) })
	chunks, lengths := make([]int64, len(places)), make([]uint16, len(places))
	moved := make([][]int32, len(blocks)) // new ordinal of each old one, -1: dropped
	for i, b := range blocks {
		moved[i] = make([]int32, b.Len())
		for k := range moved[i] {
			moved[i][k] = -1
		}
	}
	for ord, p := range places {
		chunks[ord], lengths[ord] = p.id, blocks[p.block].length(p.ord)
		moved[p.block][p.ord] = int32(ord)
	}
	out := newEncoder(chunks, lengths)
	walkers := make([]walker, 0, len(blocks))
	from := make([]int, 0, len(blocks)) // the block of each walker
	for i, b := range blocks {
		if b.terms == 0 {
			continue
		}
		if w := b.walk(0); w.step() {
			walkers, from = append(walkers, w), append(from, i)
		}
	}
	var (
		c      cursor
		term   []byte
		ords   []uint32
		counts []uint8
	)
	for len(walkers) > 0 {
		least := 0
		for i := 1; i < len(walkers); i++ {
			if bytes.Compare(walkers[i].term, walkers[least].term) < 0 {
				least = i
			}
		}
		term = append(term[:0], walkers[least].term...)
		ords, counts = ords[:0], counts[:0]
		for i := 0; i < len(walkers); {
			w := &walkers[i]
			if !bytes.Equal(w.term, term) {
				i++
				continue
			}
			c.open(w.entry.list, w.entry.df)
			for k := range c.blocks {
				c.load(k)
				for p, ord := range c.ords[:c.n] {
					if to := moved[from[i]][ord]; to >= 0 {
						ords, counts = append(ords, uint32(to)), append(counts, c.count(p))
					}
				}
			}
			if w.step() {
				i++
			} else {
				walkers, from = slices.Delete(walkers, i, i+1), slices.Delete(from, i, i+1)
			}
		}
		if len(ords) > 0 { // a word that only dropped chunks held is forgotten
			sortPostings(ords, counts)
			out.add(term, ords, counts)
		}
	}
	return out.finish()
}
