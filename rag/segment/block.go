package segment

import (
	"cmp"
	"slices"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment/bitmap"
	"referent/rag/vector"
	"referent/storage/index"
)

// sealFrom is the number of chunks from which a block is not rewritten for
// every removal: what goes is hidden until a merge leaves it behind. It is also
// the most that stays in memory only.
const sealFrom = 4096

// block is some chunks with everything a search needs of them. Immutable.
type block struct {
	words   *lexical.Block
	vectors *vector.Block
	docs    []document     // ascending by id, those that are gone too
	runs    []run          // ascending; the first begins at ordinal 0
	live    *bitmap.Bitmap // ordinals that are not gone; nil: all
	gone    int            // ordinals that are
	row     index.Segment  // its files; ID 0: it is in memory only
	old     bool           // its words were analysed by an older version; it serves until they are analysed anew
}

// run is a stretch of chunks of one document.
type run struct {
	from uint32 // ordinal
	doc  uint32 // in docs
}

// document is what filters look at.
type document struct {
	index.DocumentColumns
	path   string // normalised by pathKey
	masked bool
	gone   bool // in this block; a newer version may be in another one
}

func newDocument(c index.DocumentColumns) document {
	return document{DocumentColumns: c, path: pathKey(c.Path, foldsCase)}
}

func (d document) visible() bool { return d.Searchable && !d.masked && !d.gone }

func (d document) restricted() bool { return d.Label == string(rag.LabelRestricted) }

// addition is a document that comes in.
type addition struct {
	doc    document
	chunks []index.Chunk
}

// entryOf is a chunk as the word index reads it.
func entryOf(c index.Chunk) lexical.Entry {
	return lexical.Entry{Chunk: c.ID, Language: c.Language, Text: c.Text, Title: c.Title, Heading: c.Heading, FileName: c.FileName}
}

// newBlock analyses chunks into a block.
func newBlock(in []addition) *block {
	var entries []lexical.Entry
	owners := map[int64]int64{}
	b := &block{}
	for _, a := range in {
		for _, c := range a.chunks {
			entries = append(entries, entryOf(c))
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
	for ord, chunk := range b.words.Chunks() {
		i, _ := b.place(documentOf(chunk))
		if n := len(b.runs); n == 0 || b.runs[n-1].doc != uint32(i) {
			b.runs = append(b.runs, run{uint32(ord), uint32(i)})
		}
	}
}

// eachRun hands every stretch of chunks with its document, gone or not.
func (b *block) eachRun(fn func(doc, from, to int)) {
	for i, r := range b.runs {
		to := b.words.Len()
		if i+1 < len(b.runs) {
			to = int(b.runs[i+1].from)
		}
		fn(int(r.doc), int(r.from), to)
	}
}

// place returns the place of a document in docs, gone or not.
func (b *block) place(id int64) (int, bool) {
	return slices.BinarySearchFunc(b.docs, id, func(d document, id int64) int { return cmp.Compare(d.ID, id) })
}

// find returns the place of a document that is not gone.
func (b *block) find(id int64) (int, bool) {
	i, ok := b.place(id)
	return i, ok && !b.docs[i].gone
}

// documentOf returns the document of a chunk that is not gone.
func (b *block) documentOf(chunk int64) (int64, bool) {
	chunks := b.words.Chunks()
	if n := len(chunks); n == 0 || chunk < chunks[0] || chunk > chunks[n-1] {
		return 0, false
	}
	ord, ok := b.words.Ordinal(chunk)
	if !ok || !b.live.Has(ord) {
		return 0, false
	}
	i, exact := slices.BinarySearchFunc(b.runs, uint32(ord), func(r run, ord uint32) int { return cmp.Compare(r.from, ord) })
	if !exact {
		i--
	}
	return b.docs[b.runs[i].doc].ID, true
}

// hide returns a block in which some documents are gone; itself when it holds
// none of them.
func (b *block) hide(drop func(document) bool) *block {
	if !slices.ContainsFunc(b.docs, func(d document) bool { return !d.gone && drop(d) }) {
		return b
	}
	out := *b
	out.docs = slices.Clone(b.docs)
	if out.live = b.live.Clone(); out.live == nil {
		out.live = bitmap.New(b.words.Len())
		out.live.SetRange(0, b.words.Len())
	}
	for i := range out.docs {
		if d := &out.docs[i]; !d.gone && drop(*d) {
			d.gone = true
		}
	}
	b.eachRun(func(doc, from, to int) {
		if out.docs[doc].gone && !b.docs[doc].gone {
			out.gone += to - from
			for ord := from; ord < to; ord++ {
				out.live.Clear(ord)
			}
		}
	})
	out.words, out.vectors = b.words.Only(out.live), b.vectors.Only(out.live)
	return &out
}

// join makes one block of several without what is gone; nil when nothing is
// left.
func join(blocks []*block) *block {
	out := joinWords(blocks)
	if out == nil {
		return nil
	}
	out.vectors = vector.Regroup(out.words.Chunks(), dimensions(blocks), vectorsOf(blocks))
	return out
}

// joinWords is join without the vectors.
func joinWords(blocks []*block) *block {
	out := &block{}
	words := make([]*lexical.Block, len(blocks))
	for i, b := range blocks {
		words[i] = b.words
		out.old = out.old || b.old
		for _, d := range b.docs {
			if !d.gone {
				out.docs = append(out.docs, d)
			}
		}
	}
	out.words = lexical.Merge(words, nil)
	if out.words.Len() == 0 {
		return nil
	}
	out.sortDocs()
	out.own(func(chunk int64) int64 {
		for _, b := range blocks {
			if id, ok := b.documentOf(chunk); ok {
				return id
			}
		}
		return 0
	})
	out.vectors = emptyVectors(out)
	return out
}

func vectorsOf(blocks []*block) []*vector.Block {
	out := make([]*vector.Block, len(blocks))
	for i, b := range blocks {
		out[i] = b.vectors
	}
	return out
}

// dimensions is the length of the vectors of blocks; 0 while there are none.
func dimensions(blocks []*block) int {
	dims := 0
	for _, b := range blocks {
		dims = max(dims, b.vectors.Dimensions())
	}
	return dims
}

// withOwnDocuments returns the same block with documents that may be changed.
func (b *block) withOwnDocuments() *block {
	out := *b
	out.docs = slices.Clone(b.docs)
	return &out
}

// withVectors returns the same block with other vectors of the same chunks.
func (b *block) withVectors(v *vector.Block) *block {
	out := *b
	out.vectors = v.Only(b.live)
	return &out
}

// inMemory tells whether a block has no file.
func (b *block) inMemory() bool { return b.row.ID == 0 }

// key tells blocks of different chunks apart, whatever changed since.
func (b *block) key() *byte { return &b.words.Encoded()[0] }

// tier sorts blocks in memory by size; eight of one tier become one of the
// next.
func (b *block) tier() int {
	switch n := b.words.Len(); {
	case n < 64:
		return 0
	case n < 512:
		return 1
	case n < sealFrom:
		return 2
	}
	return sealedTier
}

const (
	sealedTier = 3
	fanIn      = 8
)
