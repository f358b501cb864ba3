package vector

import (
	"math"
	"slices"

	"referent/rag/segment/bitmap"
	"referent/rag/vector/kernel"
)

// pageRows bounds what adding one vector copies: 256 rows of 384 dimensions
// are 300 kB, and a scan of them is long against the call.
const pageRows = 256

// Block holds the vectors of some chunks. Ordinals count the chunks in
// ascending order of their ids, those without a vector too. Immutable.
type Block struct {
	chunks []int64
	dims   int
	count  int            // chunks that have a vector
	pages  []*page        // nil where no chunk has one; may point into data
	live   *bitmap.Bitmap // ordinals that are still there; nil: all
	sketch *sketch        // nil: not made
	data   []byte         // the encoded form of all of it; nil: not encoded
	keep   any            // what holds data in place
}

// file is what data may be kept by; *disk.Mapping is one.
type file interface {
	// Copy reads a part of the data in place of touching its mapped pages.
	Copy(to, part []byte) error
	// Forget gives mapped pages back.
	Forget()
}

// page is the vectors of up to 256 neighbouring ordinals.
type page struct {
	rows   []uint16 // half precision
	codes  []uint8
	scales []float32 // a value is (code − 128) · scale
	have   [pageRows / 64]uint64
	file   file // that rows and codes lie in; nil: in memory
}

// Row is the vector of a chunk. V has the dimensions of the block.
type Row struct {
	Chunk int64
	V     []float32
}

// NewBlock makes a block without vectors. chunks are ascending ids; the slice
// is kept and must not change.
func NewBlock(chunks []int64, dims int) *Block {
	return &Block{chunks: chunks, dims: dims, pages: make([]*page, (len(chunks)+pageRows-1)/pageRows)}
}

// Dimensions is the length of every vector.
func (b *Block) Dimensions() int { return b.dims }

// Count is the number of chunks that have a vector.
func (b *Block) Count() int { return b.count }

// Has tells whether a chunk has a vector that can be found.
func (b *Block) Has(chunk int64) bool {
	p, _ := locate([]*Block{b}, chunk)
	return p != nil
}

// Fill returns a block that also holds the vectors that others have of its
// chunks. dims is for a block that has none yet.
func (b *Block) Fill(dims int, from []*Block) *Block {
	out := *b
	if b.count == 0 {
		out.dims = dims
	}
	out.pages = slices.Clone(b.pages)
	copied := map[int]bool{}
	for ord, id := range b.chunks {
		n := ord / pageRows
		if p := out.pages[n]; p != nil && p.has(ord%pageRows) {
			continue
		}
		p, i := locate(from, id)
		if p == nil {
			continue
		}
		if !copied[n] {
			out.pages[n] = out.pages[n].copy(out.rowsOf(n), out.dims)
			copied[n] = true
		}
		out.pages[n].take(ord%pageRows, p, i, out.dims)
		out.count++
	}
	if len(copied) == 0 {
		return b
	}
	out.sketch, out.data = nil, nil
	return &out
}

// Only returns the same block in which just the given ordinals can be found
// (nil: all).
func (b *Block) Only(live *bitmap.Bitmap) *Block {
	out := *b
	out.live = live
	return &out
}

// With returns a block that also holds rows, and how many were refused: of a
// chunk that is not in the block, of another length, zero, or not finite. Rows
// are brought to unit length and to half precision, which is what storage
// keeps. The receiver does not change.
func (b *Block) With(rows []Row) (*Block, int) {
	out := *b
	out.pages, out.sketch, out.data = slices.Clone(b.pages), nil, nil
	copied := make(map[int]bool)
	refused := 0
	for _, r := range rows {
		ord, ok := slices.BinarySearch(b.chunks, r.Chunk)
		scale, valid := inverseLength(r.V)
		if !ok || !valid || len(r.V) != b.dims {
			refused++
			continue
		}
		n := ord / pageRows
		if !copied[n] {
			out.pages[n] = out.pages[n].copy(out.rowsOf(n), b.dims)
			copied[n] = true
		}
		if out.pages[n].put(ord%pageRows, r.V, scale) {
			out.count++
		}
	}
	if len(copied) == 0 {
		return b, refused
	}
	return &out, refused
}

// rowsOf is the number of ordinals of page n.
func (b *Block) rowsOf(n int) int { return min(pageRows, len(b.chunks)-n*pageRows) }

// Regroup makes a block for chunks with the vectors that the given blocks hold
// of them; the rest of those blocks is left behind.
func Regroup(chunks []int64, dims int, from []*Block) *Block {
	return NewBlock(chunks, dims).Fill(dims, from)
}

// locate finds the page and row of a chunk; nil where it has no vector.
func locate(blocks []*Block, chunk int64) (*page, int) {
	for _, b := range blocks {
		if n := len(b.chunks); b.count == 0 || chunk < b.chunks[0] || chunk > b.chunks[n-1] {
			continue
		}
		ord, ok := slices.BinarySearch(b.chunks, chunk)
		if !ok || !b.live.Has(ord) {
			continue
		}
		if p, i := b.pages[ord/pageRows], ord%pageRows; p != nil && p.has(i) {
			return p, i
		}
	}
	return nil, 0
}

func (p *page) copy(rows, dims int) *page {
	if p == nil {
		return &page{rows: make([]uint16, rows*dims), codes: make([]uint8, rows*dims), scales: make([]float32, rows)}
	}
	return &page{rows: slices.Clone(p.rows), codes: slices.Clone(p.codes), scales: slices.Clone(p.scales), have: p.have}
}

func (p *page) has(i int) bool { return p.have[i>>6]&(1<<(i&63)) != 0 }

// put writes a row and tells whether it is a new one.
func (p *page) put(i int, v []float32, scale float32) bool {
	row := make([]float32, len(v))
	for j, x := range v {
		half := kernel.ToHalf(x * scale)
		p.rows[i*len(v)+j], row[j] = half, kernel.FromHalf(half)
	}
	p.scales[i] = quantize(row, p.codes[i*len(v):(i+1)*len(v)])
	fresh := !p.has(i)
	p.have[i>>6] |= 1 << (i & 63)
	return fresh
}

// take copies a row of another page.
func (p *page) take(i int, from *page, k, dims int) {
	copy(p.rows[i*dims:(i+1)*dims], from.rows[k*dims:])
	copy(p.codes[i*dims:(i+1)*dims], from.codes[k*dims:])
	p.scales[i] = from.scales[k]
	p.have[i>>6] |= 1 << (i & 63)
}

// inverseLength is what brings a vector to unit length; false for one that has
// no direction.
func inverseLength(v []float32) (float32, bool) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum < 1e-12 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return 0, false
	}
	return float32(1 / math.Sqrt(sum)), true
}

// quantize writes the codes of a row, value+128 with value from −127 to 127,
// and returns the scale.
func quantize(row []float32, codes []uint8) float32 {
	var most float32
	for _, x := range row {
		most = max(most, x, -x)
	}
	if most == 0 {
		return 0
	}
	for j, x := range row {
		codes[j] = uint8(int(math.Round(float64(x/most)*127)) + 128)
	}
	return most / 127
}
