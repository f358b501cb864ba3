package lexical

import (
	"encoding/binary"
	"slices"

	"referent/rag/segment/bitmap"
)

// MaxBlock is the most chunks in a block.
const MaxBlock = 1 << 18

// Block is an immutable inverted index of some chunks. Ordinals count them in
// ascending order of their ids. It is a view of its encoded form, which may lie
// in a mapped file. Safe for concurrent use.
type Block struct {
	data []byte // the encoded form
	keep any    // what holds data in place

	chunks   []int64        // ids, ascending
	live     *bitmap.Bitmap // ordinals that are still there; nil: all
	terms    int            // distinct
	tokens   uint64         // sum of lengths
	average  float64        // length that the impacts were made for
	lengths  []byte         // uint16: terms a chunk, second readings aside
	heads    []byte         // uint32: where each dictionary group begins
	dict     []byte
	postings []byte
}

// Len is the number of chunks, those that Without hides too.
func (b *Block) Len() int { return len(b.chunks) }

// Chunks returns the ids, ascending; not to be changed.
func (b *Block) Chunks() []int64 { return b.chunks }

// Chunk returns the id of the chunk with an ordinal.
func (b *Block) Chunk(ordinal int) int64 { return b.chunks[ordinal] }

// Ordinal finds a chunk by id, also one that Without hides.
func (b *Block) Ordinal(chunk int64) (int, bool) { return slices.BinarySearch(b.chunks, chunk) }

// Terms is the number of distinct terms.
func (b *Block) Terms() int { return b.terms }

// Encoded is the form that Parse reads; not to be changed.
func (b *Block) Encoded() []byte { return b.data }

// Only returns the same block in which just the given ordinals can be found
// (nil: all). Hidden chunks still count for the rarity of words until a Merge
// leaves them behind.
func (b *Block) Only(live *bitmap.Bitmap) *Block {
	out := *b
	out.live = live
	return &out
}

func (b *Block) length(ord int) uint16 { return binary.LittleEndian.Uint16(b.lengths[2*ord:]) }
