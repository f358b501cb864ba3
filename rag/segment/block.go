package segment

import (
	"cmp"
	"slices"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/vector"
	"referent/storage/index"
)

// sealed is the size in chunks from which blocks are no longer joined. It
// bounds what one change costs: 16,384 chunks are rewritten in some ten
// milliseconds.
const sealed = 16 << 10

// block is some chunks with everything a search needs of them. Immutable.
type block struct {
	words   *lexical.Block
	vectors *vector.Block
	docs    []document // ascending by id
	owner   []uint16   // for each ordinal, its document in docs
}

// document is what filters look at.
type document struct {
	index.DocumentColumns
	path   string // normalised by pathKey
	masked bool
}

func newDocument(c index.DocumentColumns) document {
	return document{DocumentColumns: c, path: pathKey(c.Path, foldsCase)}
}

func (d document) visible() bool { return d.Searchable && !d.masked }

func (d document) restricted() bool { return d.Label == string(rag.LabelRestricted) }

// addition is a document that comes in.
type addition struct {
	doc    document
	chunks []index.Chunk
}

// newBlock analyses chunks into a block; at most sealed chunks.
func newBlock(in []addition) *block {
	var entries []lexical.Entry
	owners := map[int64]int64{}
	b := &block{}
	for _, a := range in {
		for _, c := range a.chunks {
			entries = append(entries, lexical.Entry{Chunk: c.ID, Language: c.Language, Text: c.Text, Title: c.Title, Heading: c.Heading, FileName: c.FileName})
			owners[c.ID] = a.doc.ID
		}
		b.docs = append(b.docs, a.doc)
	}
	b.words = lexical.Build(entries)
	b.vectors = emptyVectors(b)
	b.sortDocs()
	b.own(func(chunk int64) int64 { return owners[chunk] })
	return b
}

func (b *block) sortDocs() {
	slices.SortFunc(b.docs, func(x, y document) int { return cmp.Compare(x.ID, y.ID) })
	b.docs = slices.CompactFunc(b.docs, func(x, y document) bool { return x.ID == y.ID })
}

// own notes the document of each chunk.
func (b *block) own(documentOf func(chunk int64) int64) {
	b.owner = make([]uint16, b.words.Len())
	for ord, chunk := range b.words.Chunks() {
		i, _ := b.find(documentOf(chunk))
		b.owner[ord] = uint16(i)
	}
}

// find returns the place of a document in docs.
func (b *block) find(id int64) (int, bool) {
	return slices.BinarySearchFunc(b.docs, id, func(d document, id int64) int { return cmp.Compare(d.ID, id) })
}

func (b *block) documentOf(chunk int64) (int64, bool) {
	chunks := b.words.Chunks()
	if n := len(chunks); n == 0 || chunk < chunks[0] || chunk > chunks[n-1] {
		return 0, false
	}
	ord, ok := b.words.Ordinal(chunk)
	if !ok {
		return 0, false
	}
	return b.docs[b.owner[ord]].ID, true
}

// join makes one block of several without some documents; nil when nothing is
// left.
func join(blocks []*block, drop map[int64]bool) *block {
	dropped := map[int64]bool{}
	out := &block{}
	for _, b := range blocks {
		for _, d := range b.docs {
			if !drop[d.ID] {
				out.docs = append(out.docs, d)
			}
		}
		for ord, i := range b.owner {
			if drop[b.docs[i].ID] {
				dropped[b.words.Chunk(ord)] = true
			}
		}
	}
	words, vectors, dims := make([]*lexical.Block, len(blocks)), make([]*vector.Block, len(blocks)), 0
	for i, b := range blocks {
		words[i], vectors[i] = b.words, b.vectors
		dims = max(dims, b.vectors.Dimensions())
	}
	out.words = lexical.Merge(words, func(chunk int64) bool { return dropped[chunk] })
	if out.words.Len() == 0 {
		return nil
	}
	out.vectors = vector.Regroup(out.words.Chunks(), dims, vectors)
	out.sortDocs()
	out.own(func(chunk int64) int64 {
		for _, b := range blocks {
			if id, ok := b.documentOf(chunk); ok {
				return id
			}
		}
		return 0
	})
	return out
}

// withDocument returns a block in which one document has new columns or a new
// mask.
func (b *block) withDocument(i int, change func(*document)) *block {
	out := *b
	out.docs = slices.Clone(b.docs)
	change(&out.docs[i])
	return &out
}

// tier sorts blocks by size; eight of one tier become one of the next.
func (b *block) tier() int {
	switch n := b.words.Len(); {
	case n < 64:
		return 0
	case n < 512:
		return 1
	case n < 4096:
		return 2
	}
	return sealedTier
}

const (
	sealedTier = 3
	fanIn      = 8
)
