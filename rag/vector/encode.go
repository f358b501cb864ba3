package vector

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/bits"
	"unsafe"

	"referent/rag/vector/kernel"
)

// The encoded form of a block, little-endian like every processor that the
// program is built for; each part begins at a multiple of 64 bytes:
//
//	header   chunks u32 | dimensions u32 | vectors u32 | checksum of the chunk ids u32
//	have     a bit for each chunk that has a vector
//	scales   f32 each
//	factors  f32 each, see sketch.go
//	mean     f32 for each dimension
//	codes    dimensions bytes each
//	sketch   blocks of 32 vectors
//	rows     half precision
const (
	headerBytes  = 16
	partAlign    = 64
	maxDimension = 1 << 14
)

// Encode makes a block for chunks with the vectors that the given blocks hold
// of them, in the form that Parse reads, with a sketch.
func Encode(chunks []int64, dims int, from []*Block) []byte {
	n := len(chunks)
	l := layoutOf(n, dims)
	data := make([]byte, l.size)
	binary.LittleEndian.PutUint32(data, uint32(n))
	binary.LittleEndian.PutUint32(data[4:], uint32(dims))
	binary.LittleEndian.PutUint32(data[12:], chunkSum(chunks))
	count := 0
	scales, codes, rows := view[float32](l.scales.of(data)), l.codes.of(data), view[uint16](l.rows.of(data))
	have := l.have.of(data)
	for ord, id := range chunks {
		p, i := locate(from, id)
		if p == nil {
			continue
		}
		copy(rows[ord*dims:(ord+1)*dims], p.rows[i*dims:])
		copy(codes[ord*dims:(ord+1)*dims], p.codes[i*dims:])
		scales[ord] = p.scales[i]
		have[ord/8] |= 1 << (ord % 8)
		count++
	}
	binary.LittleEndian.PutUint32(data[8:], uint32(count))
	drawSketch(data, l, n, dims)
	return data
}

var errDamaged = errors.New("vector: the block is damaged")

// Parse reads an encoded block of exactly these chunks. data and chunks must
// not change afterwards; keep is held as long as the block. Sizes are checked,
// values are trusted by the checksum of their file.
func Parse(data []byte, chunks []int64, keep any) (*Block, error) {
	if len(data) < headerBytes || int(binary.LittleEndian.Uint32(data)) != len(chunks) || binary.LittleEndian.Uint32(data[12:]) != chunkSum(chunks) {
		return nil, errDamaged
	}
	dims, count := int(binary.LittleEndian.Uint32(data[4:])), int(binary.LittleEndian.Uint32(data[8:]))
	if dims <= 0 || dims > maxDimension {
		return nil, errDamaged
	}
	n := len(chunks)
	l := layoutOf(n, dims)
	if l.size != len(data) {
		return nil, errDamaged
	}
	b := NewBlock(chunks, dims)
	b.count, b.data, b.keep = count, data, keep
	in, _ := keep.(file)
	scales, codes, rows, have := view[float32](l.scales.of(data)), l.codes.of(data), view[uint16](l.rows.of(data)), l.have.of(data)
	found := 0
	for i := range b.pages {
		from := i * pageRows
		to := from + b.rowsOf(i)
		p := &page{rows: rows[from*dims : to*dims], codes: codes[from*dims : to*dims], scales: scales[from:to], file: in}
		any := false
		for k := range p.have {
			if at := from/8 + 8*k; at < len(have) {
				p.have[k] = binary.LittleEndian.Uint64(have[at:])
				found += bits.OnesCount64(p.have[k])
				any = any || p.have[k] != 0
			}
		}
		if any {
			b.pages[i] = p
		}
	}
	if found != count || n%64 != 0 && n > 0 && have[n/8]>>(n%8) != 0 {
		return nil, errDamaged
	}
	b.sketch = &sketch{mean: view[float32](l.mean.of(data)), factors: view[float32](l.factors.of(data)), signs: l.sketch.of(data)}
	return b, nil
}

// Encoded is the form that Parse reads; nil for a block that did not come from
// there or got vectors since. Not to be changed.
func (b *Block) Encoded() []byte { return b.data }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// chunkSum tells blocks of other chunks apart.
func chunkSum(chunks []int64) uint32 {
	return crc32.Checksum(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(chunks))), 8*len(chunks)), castagnoli)
}

// part is a range of bytes.
type part struct{ from, to int }

func (p part) of(data []byte) []byte { return data[p.from:p.to:p.to] }

type layout struct {
	have, scales, factors, mean, codes, sketch, rows part
	size                                             int
}

func layoutOf(n, dims int) layout {
	var l layout
	at := headerBytes
	next := func(size int) part {
		from := (at + partAlign - 1) &^ (partAlign - 1)
		at = from + size
		return part{from, at}
	}
	l.have = next((n + 63) / 64 * 8)
	l.scales, l.factors, l.mean = next(4*n), next(4*n), next(4*dims)
	l.codes = next(n * dims)
	l.sketch = next((n + kernel.SketchBlock - 1) / kernel.SketchBlock * groupsOf(dims) * 16)
	l.rows = next(2 * n * dims)
	l.size = at
	return l
}

// view reads bytes as numbers. Parts are aligned to 64 bytes in data that
// begins at an address of the allocator or of a mapping.
func view[T float32 | uint16](data []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/int(unsafe.Sizeof(one)))
}
