package turn

import (
	"slices"

	"referent/rag"
	"referent/rag/retrieve"
)

// union is what several searches found together: the matches of all of them,
// one of each in turn so that every search is heard, then their extras. A
// passage found more than once stands at its first place, as the search saw it
// that let it pass the floor.
func union(results []retrieve.Result) retrieve.Result {
	u := gathering{at: map[int64]int{}, content: map[string]int64{}}
	u.out.Hits = []rag.Hit{}
	for _, r := range results {
		u.meta(r)
	}
	for _, extra := range []bool{false, true} {
		u.interleave(results, extra)
	}
	for _, r := range results {
		for _, h := range r.Considered {
			if _, kept := u.at[h.DuplicateOf]; kept {
				u.repeat(h, h.DuplicateOf)
			}
		}
	}
	for i := range u.out.Hits {
		u.out.Hits[i].Rank = i + 1
	}
	for i := range u.out.Considered {
		u.out.Considered[i].Rank = i + 1
	}
	return u.out
}

// gathering is a union in the making.
type gathering struct {
	out     retrieve.Result
	at      map[int64]int    // places of chunks in out.Hits
	content map[string]int64 // the chunk that holds a content
}

func (u *gathering) meta(r retrieve.Result) {
	u.out.Retriever = r.Retriever
	u.out.RestrictedCount = max(u.out.RestrictedCount, r.RestrictedCount)
	u.out.Floor = max(u.out.Floor, r.Floor)
	for _, n := range r.Notes {
		if !slices.Contains(u.out.Notes, n) {
			u.out.Notes = append(u.out.Notes, n)
		}
	}
}

func (u *gathering) interleave(results []retrieve.Result, extra bool) {
	var lists [][]rag.Hit
	longest := 0
	for _, r := range results {
		var list []rag.Hit
		for _, h := range r.Hits {
			if (h.Owner == rag.OwnerHintExtra) == extra {
				list = append(list, h)
			}
		}
		lists, longest = append(lists, list), max(longest, len(list))
	}
	for i := range longest {
		for _, list := range lists {
			if i < len(list) {
				u.add(list[i])
			}
		}
	}
}

func (u *gathering) add(h rag.Hit) {
	if i, ok := u.at[h.Chunk]; ok {
		if have := u.out.Hits[i]; h.PassedFloor && !have.PassedFloor {
			if have.Owner != rag.OwnerHintExtra {
				h.Owner = have.Owner
			}
			u.out.Hits[i] = h
		}
		return
	}
	if of := u.content[h.ContentHash]; h.ContentHash != "" && of != 0 {
		u.repeat(h, of)
		return
	}
	u.at[h.Chunk], u.content[h.ContentHash] = len(u.out.Hits), h.Chunk
	u.out.Hits = append(u.out.Hits, h)
}

// repeat keeps a passage that says what a hit says, once.
func (u *gathering) repeat(h rag.Hit, of int64) {
	if _, kept := u.at[h.Chunk]; kept || slices.ContainsFunc(u.out.Considered, func(c rag.Hit) bool { return c.Chunk == h.Chunk }) {
		return
	}
	h.Packing, h.DuplicateOf = rag.PackedDuplicateOf, of
	u.out.Considered = append(u.out.Considered, h)
}
