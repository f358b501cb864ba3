package segment

import (
	"encoding/binary"
	"errors"

	"referent/rag/lexical"
	"referent/rag/segment/disk"
	"referent/rag/vector"
	"referent/storage/index"
)

// A segment is two files. The words:
//
//	header     magic, version u32, documents u32, runs u32; 64 bytes
//	documents  id i64, revision i64 each
//	runs       first ordinal u32, document u32 each; padded to 64 bytes
//	block      as lexical encodes it
//
// and, once its chunks have vectors, the vectors: the header and the block as
// vector encodes it. Both are little-endian. The vectors have a number of their
// own in their name, a new one each time they are written: the list tells which
// file counts.
const (
	formatVersion = 1
	fileHeader    = 64
	wordsMagic    = "RFTWORDS"
	vectorsMagic  = "RFTVECTS"
	wordsKind     = "bm25"
	vectorsKind   = "vec"
)

// fileNames are the files of a segment in the list.
func fileNames(row index.Segment) []string {
	names := []string{disk.Name(row.ID, wordsKind)}
	if row.VectorsFile > 0 {
		names = append(names, disk.Name(row.VectorsFile, vectorsKind))
	}
	return names
}

var errForeign = errors.New("segment: the file has another form")

func header(magic string, documents, runs int) []byte {
	h := make([]byte, fileHeader)
	copy(h, magic)
	binary.LittleEndian.PutUint32(h[8:], formatVersion)
	binary.LittleEndian.PutUint32(h[12:], uint32(documents))
	binary.LittleEndian.PutUint32(h[16:], uint32(runs))
	return h
}

// open checks the header of a file.
func openHeader(data []byte, magic string) (documents, runs int, err error) {
	if len(data) < fileHeader || string(data[:8]) != magic || binary.LittleEndian.Uint32(data[8:]) != formatVersion {
		return 0, 0, errForeign
	}
	return int(binary.LittleEndian.Uint32(data[12:])), int(binary.LittleEndian.Uint32(data[16:])), nil
}

// wordsFile is the parts of the file of a block without anything gone.
func (b *block) wordsFile() [][]byte {
	var table []byte
	for _, d := range b.docs {
		table = binary.LittleEndian.AppendUint64(table, uint64(d.ID))
		table = binary.LittleEndian.AppendUint64(table, uint64(d.Revision))
	}
	for _, r := range b.runs {
		table = binary.LittleEndian.AppendUint32(table, r.from)
		table = binary.LittleEndian.AppendUint32(table, r.doc)
	}
	table = append(table, make([]byte, (fileHeader-len(table)%fileHeader)%fileHeader)...)
	return [][]byte{header(wordsMagic, len(b.docs), len(b.runs)), table, b.words.Encoded()}
}

// parseWords reads a file of words, which nobody may have read before: it may be
// cut short, or its disk fail, meanwhile. The documents have a number and a
// revision only.
func parseWords(m *disk.Mapping) (b *block, err error) {
	err = disk.Guard(nil, func() (err error) { b, err = readWords(m); return err })
	return b, err
}

func readWords(m *disk.Mapping) (*block, error) {
	documents, runs, err := openHeader(m.Data, wordsMagic)
	if err != nil {
		return nil, err
	}
	size := 16*documents + 8*runs
	size += (fileHeader - size%fileHeader) % fileHeader
	rest := m.Data[fileHeader:]
	if size > len(rest) {
		return nil, errForeign
	}
	b := &block{}
	if b.words, err = lexical.Parse(rest[size:], m); err != nil {
		return nil, err
	}
	b.docs, b.runs = make([]document, documents), make([]run, runs)
	for i := range b.docs {
		d := &b.docs[i]
		d.ID, d.Revision = int64(binary.LittleEndian.Uint64(rest[16*i:])), int64(binary.LittleEndian.Uint64(rest[16*i+8:]))
		if i > 0 && d.ID <= b.docs[i-1].ID {
			return nil, errForeign
		}
	}
	for i := range b.runs {
		at := rest[16*documents+8*i:]
		r := run{binary.LittleEndian.Uint32(at), binary.LittleEndian.Uint32(at[4:])}
		if int(r.doc) >= documents || int(r.from) >= b.words.Len() || i == 0 && r.from != 0 || i > 0 && r.from <= b.runs[i-1].from {
			return nil, errForeign
		}
		b.runs[i] = r
	}
	if (runs == 0) != (b.words.Len() == 0) {
		return nil, errForeign
	}
	b.vectors = emptyVectors(b)
	return b, nil
}

// parseVectors reads the file of vectors of a block in the same way.
func (b *block) parseVectors(m *disk.Mapping) (v *vector.Block, err error) {
	err = disk.Guard(nil, func() (err error) {
		if _, _, err := openHeader(m.Data, vectorsMagic); err != nil {
			return err
		}
		v, err = vector.Parse(m.Data[fileHeader:], b.words.Chunks(), m)
		return err
	})
	return v, err
}
