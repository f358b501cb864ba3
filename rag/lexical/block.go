package lexical

import (
	"slices"
	"sort"
)

// MaxBlock is the most chunks in a block: ordinals have 16 bits.
const MaxBlock = 1 << 16

// Block is an immutable inverted index of some chunks. Ordinals count them in
// ascending order of their ids. Safe for concurrent use.
type Block struct {
	chunks  []int64  // ids, ascending
	lengths []uint16 // terms a chunk, second readings aside
	tokens  uint64   // sum of lengths

	names  []byte   // the dictionary: terms in byte order, one after the other
	nameAt []uint32 // where each begins, and the end
	postAt []uint32 // where the postings of each term begin, and the end
	ords   []uint16 // postings: ordinals, ascending within a term
	counts []uint8  // postings: weighted term frequency, at most 255
}

// Len is the number of chunks.
func (b *Block) Len() int { return len(b.chunks) }

// Chunks returns the ids, ascending; not to be changed.
func (b *Block) Chunks() []int64 { return b.chunks }

// Chunk returns the id of the chunk with an ordinal.
func (b *Block) Chunk(ordinal int) int64 { return b.chunks[ordinal] }

// Ordinal finds a chunk by id.
func (b *Block) Ordinal(chunk int64) (int, bool) { return slices.BinarySearch(b.chunks, chunk) }

// Terms is the number of distinct terms.
func (b *Block) Terms() int { return len(b.postAt) - 1 }

// Bytes is the memory that the block takes, without its header.
func (b *Block) Bytes() int {
	return 8*len(b.chunks) + 2*len(b.lengths) + len(b.names) + 4*len(b.nameAt) + 4*len(b.postAt) + 3*len(b.ords)
}

func (b *Block) name(i int) []byte { return b.names[b.nameAt[i]:b.nameAt[i+1]] }

// find returns the number of a term in the dictionary.
func (b *Block) find(term string) (int, bool) {
	n := b.Terms()
	i := sort.Search(n, func(i int) bool { return string(b.name(i)) >= term })
	return i, i < n && string(b.name(i)) == term
}

// postings returns the chunks that hold a term, and how often.
func (b *Block) postings(term string) ([]uint16, []uint8) {
	i, ok := b.find(term)
	if !ok {
		return nil, nil
	}
	from, to := b.postAt[i], b.postAt[i+1]
	return b.ords[from:to], b.counts[from:to]
}

func newBlock(chunks []int64, lengths []uint16) *Block {
	b := &Block{chunks: chunks, lengths: lengths}
	for _, l := range lengths {
		b.tokens += uint64(l)
	}
	return b
}

// begin starts the postings of the next term, in dictionary order.
func (b *Block) begin(name string) {
	b.nameAt = append(b.nameAt, uint32(len(b.names)))
	b.postAt = append(b.postAt, uint32(len(b.ords)))
	b.names = append(b.names, name...)
}

// finish closes the last term.
func (b *Block) finish() *Block {
	b.nameAt = append(b.nameAt, uint32(len(b.names)))
	b.postAt = append(b.postAt, uint32(len(b.ords)))
	return b
}
