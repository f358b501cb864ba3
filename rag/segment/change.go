package segment

import (
	"cmp"
	"slices"

	"referent/rag/vector"
	"referent/storage/index"
)

// without takes documents out of blocks. Small blocks are rewritten, in large
// ones the documents are hidden. erase rewrites in any case, so that no word
// and no vector stays: files that held them are returned and must go.
func without(blocks []*block, drop, erase map[int64]bool) (out []*block, files []index.Segment) {
	for _, b := range blocks {
		erased := slices.ContainsFunc(b.docs, func(d document) bool { return erase[d.ID] })
		hidden := b.hide(func(d document) bool { return drop[d.ID] || erase[d.ID] })
		if hidden == b && !erased {
			out = append(out, b)
			continue
		}
		if erased || b.inMemory() && b.words.Len() < sealFrom {
			if !b.inMemory() {
				files = append(files, b.row)
			}
			hidden = join([]*block{hidden})
		}
		if hidden != nil {
			out = append(out, hidden)
		}
	}
	return out, files
}

// keepVectors gives a new block the vectors of chunks that were here before.
func (b *block) keepVectors(old []*block) *block {
	var holders []*vector.Block
	dims := 0
	for _, o := range old {
		if o.vectors.Count() > 0 && slices.ContainsFunc(b.docs, func(d document) bool { _, ok := o.find(d.ID); return ok }) {
			holders = append(holders, o.vectors)
			dims = o.vectors.Dimensions()
		}
	}
	if len(holders) == 0 {
		return b
	}
	return b.withVectors(vector.Regroup(b.words.Chunks(), dims, holders))
}

// withRestricted notes or forgets a document in the list of restricted ones.
func withRestricted(list []document, d document) []document {
	i, found := slices.BinarySearchFunc(list, d.ID, func(r document, id int64) int { return cmp.Compare(r.ID, id) })
	switch {
	case d.restricted() && found:
		list = slices.Clone(list)
		list[i] = d
	case d.restricted():
		list = slices.Insert(slices.Clone(list), i, d)
	case found:
		list = slices.Delete(slices.Clone(list), i, i+1)
	}
	return list
}

// portion is how many chunks are analysed as one block: enough to keep blocks
// few, few enough to feed all cores at start.
const portion = sealFrom

// portions splits documents into groups of at most portion chunks; a document
// beyond that is split itself.
func portions(in []addition) [][]addition {
	var out [][]addition
	var group []addition
	size := 0
	for _, a := range in {
		for len(a.chunks) > 0 {
			n := min(len(a.chunks), portion-size)
			group = append(group, addition{a.doc, a.chunks[:n]})
			a.chunks = a.chunks[n:]
			if size += n; size == portion {
				out, group, size = append(out, group), nil, 0
			}
		}
	}
	if size > 0 {
		out = append(out, group)
	}
	return out
}

// distinct drops a chunk that is named twice; the later one counts.
func distinct(chunks []index.Chunk) []index.Chunk {
	at := make(map[int64]int, len(chunks))
	out := make([]index.Chunk, 0, len(chunks))
	for _, c := range chunks {
		if i, ok := at[c.ID]; ok {
			out[i] = c
			continue
		}
		at[c.ID] = len(out)
		out = append(out, c)
	}
	return out
}

// emptyVectors is a block's place for vectors, with none in it.
func emptyVectors(b *block) *vector.Block { return vector.NewBlock(b.words.Chunks(), 0).Only(b.live) }
