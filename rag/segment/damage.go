package segment

import (
	"context"
	"errors"
	"slices"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment/bitmap"
	"referent/rag/segment/disk"
	"referent/rag/vector"
	"referent/storage/index"
)

const damagedNotice = "A part of the search index was damaged and is being built again. The documents are untouched."

// dropDamaged goes on without the segments whose files are no longer what was
// written, and has their documents read again. It tells whether there were any.
func (x *Index) dropDamaged() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.drop(false)
}

// drop is dropDamaged with mu held. all takes every segment to be damaged.
func (x *Index) drop(all bool) bool {
	k, s := x.files, x.current.Load()
	var kept []*block
	var rows []index.Segment
	for _, b := range s.blocks {
		if b.inMemory() || !all && k.intact(b.row) {
			kept = append(kept, b)
			continue
		}
		rows = append(rows, b.row)
		for _, d := range b.docs {
			if !d.gone {
				k.owe(d.ID)
			}
		}
	}
	if len(rows) == 0 {
		return false
	}
	x.show(kept, s.restricted)
	k.discard(rows)
	k.say(damagedNotice)
	return true
}

// alter makes a change, which may be begun again, without the segments that
// cannot be read for it. Called with mu held.
func (x *Index) alter(change func()) {
	for all := false; disk.Guard(x.broken, func() error { change(); return nil }) != nil; all = true {
		x.drop(all)
	}
}

// intact tells whether the files of a segment are what was written.
func (k *keeper) intact(row index.Segment) bool {
	err := k.folder.Check(disk.Name(row.ID, wordsKind), row.WordsSize, row.WordsSum)
	if err == nil && row.Vectors > 0 {
		err = k.folder.Check(disk.Name(row.VectorsFile, vectorsKind), row.VectorsSize, row.VectorsSum)
	}
	return err == nil
}

// owe notes documents that have to be read again.
func (k *keeper) owe(documents ...int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lost = append(k.lost, documents...)
}

// owes tells whether a list of documents is not done.
func (k *keeper) owes(list *[]int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(*list) > 0
}

// take removes up to n documents from a list.
func (k *keeper) take(list *[]int64, n int) []int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	n = min(n, len(*list))
	taken := slices.Clone((*list)[:n])
	*list = (*list)[n:]
	return taken
}

// broken tells whether a file of the snapshot is not what was written, or gone.
func (s *Snapshot) broken() bool {
	return s.damaged != nil && slices.ContainsFunc(s.blocks, func(b *block) bool { return !b.inMemory() && !s.intact(b.row) })
}

func (x *Index) broken() bool { return x.current.Load().broken() }

// guarded reads the files of a snapshot. After a fault nothing of the answer
// is used, and the next snapshot is without the damaged segment.
func (s *Snapshot) guarded(read func() error) error {
	err := disk.Guard(s.broken, read)
	if !errors.Is(err, disk.ErrDamaged) {
		return err
	}
	s.damaged()
	return &rag.Error{Code: rag.CodeStorageFailed, Message: "A part of the search index was damaged and is being built again.", Hint: "Try again in a moment.", Cause: err}
}

// guardedWords is the search by words over files that may be cut short at any
// time.
type guardedWords struct {
	*lexical.Index
	s *Snapshot
}

func (g guardedWords) Search(ctx context.Context, q lexical.Query, allow *bitmap.Bitmap, k int) (hits []lexical.Hit, err error) {
	err = g.s.guarded(func() (err error) {
		hits, err = g.Index.Search(ctx, q, allow, k)
		return err
	})
	return hits, err
}

// Explain says after a fault that the chunks hold nothing.
func (g guardedWords) Explain(q lexical.Query, chunks ...int64) (out []lexical.Explanation) {
	if g.s.guarded(func() error { out = g.Index.Explain(q, chunks...); return nil }) != nil {
		return make([]lexical.Explanation, len(chunks))
	}
	return out
}

func (g guardedWords) DocumentFrequency(term string) (n int) {
	if g.s.guarded(func() error { n = g.Index.DocumentFrequency(term); return nil }) != nil {
		return 0
	}
	return n
}

// guardedVectors is the same for the search by meaning.
type guardedVectors struct {
	*vector.Index
	s *Snapshot
}

func (g guardedVectors) Search(ctx context.Context, query []float32, allow *bitmap.Bitmap, k int) (hits []vector.Hit, err error) {
	err = g.s.guarded(func() (err error) {
		hits, err = g.Index.Search(ctx, query, allow, k)
		return err
	})
	return hits, err
}

func (g guardedVectors) Vector(chunk int64) (v []float32, ok bool) {
	if g.s.guarded(func() error { v, ok = g.Index.Vector(chunk); return nil }) != nil {
		return nil, false
	}
	return v, ok
}
