package segment

import (
	"cmp"
	"slices"

	"referent/rag/vector"
	"referent/storage/index"
)

// without rewrites the blocks that hold a dropped document.
func without(blocks []*block, drop map[int64]bool) []*block {
	out := make([]*block, 0, len(blocks))
	for _, b := range blocks {
		if slices.ContainsFunc(b.docs, func(d document) bool { return drop[d.ID] }) {
			b = join([]*block{b}, drop)
		}
		if b != nil {
			out = append(out, b)
		}
	}
	return out
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
	out := *b
	out.vectors = vector.Regroup(b.words.Chunks(), dims, holders)
	return &out
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

// portions splits documents into groups of at most sealed chunks; a document
// beyond that is split itself.
func portions(in []addition) [][]addition {
	var out [][]addition
	var group []addition
	size := 0
	for _, a := range in {
		for len(a.chunks) > 0 {
			n := min(len(a.chunks), sealed-size)
			group = append(group, addition{a.doc, a.chunks[:n]})
			a.chunks = a.chunks[n:]
			if size += n; size == sealed {
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
func emptyVectors(b *block) *vector.Block { return vector.NewBlock(b.words.Chunks(), 0) }
