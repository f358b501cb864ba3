package segment

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"referent/rag/vector"
	"referent/storage/index"
)

// Index follows the library and publishes snapshots. Changes may come from any
// goroutine; they are made one after the other.
type Index struct {
	mu      sync.Mutex // held by the one who changes
	model   string
	depth   int // of sketches; 0: every code is read
	current atomic.Pointer[Snapshot]
	files   *keeper // nil: all of it is in memory
}

// Snapshot returns the newest state. It never waits.
func (x *Index) Snapshot() *Snapshot { return x.current.Load() }

// Addition is one document of a batch.
type Addition struct {
	Columns index.DocumentColumns
	Chunks  []index.Chunk
}

// Add makes a document searchable by words, in place of what was there of it.
// Chunks that keep their id keep their vector, since an id stands for one
// content. A restricted document is taken out instead. The columns are not
// newer than the chunks.
func (x *Index) Add(cols index.DocumentColumns, chunks []index.Chunk) {
	x.AddAll([]Addition{{cols, chunks}})
}

// AddAll adds several documents in one step, which is cheaper than one by one.
func (x *Index) AddAll(batch []Addition) {
	before := x.current.Load()
	x.insert(before, batch, build(batch))
}

// build analyses a batch, the long part, outside the lock.
func build(batch []Addition) []*block {
	var fresh []addition
	for _, a := range batch {
		if d := newDocument(a.Columns); !d.restricted() && len(a.Chunks) > 0 {
			fresh = append(fresh, addition{d, distinct(a.Chunks)})
		}
	}
	var built []*block
	for _, group := range portions(fresh) {
		built = append(built, newBlock(group))
	}
	return built
}

// insert puts built blocks in place of what was there of the batch. A document
// that became restricted since before, while it was analysed, stays out, and so
// does one of which a newer revision came in.
func (x *Index) insert(before *Snapshot, batch []Addition, built []*block) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.alter(func() { x.put(before, batch, built) })
}

func (x *Index) put(before *Snapshot, batch []Addition, built []*block) {
	s := x.current.Load()
	drop, erase, late := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	restricted := s.restricted
	for _, a := range batch {
		id, d := a.Columns.ID, newDocument(a.Columns)
		if s.isRestricted(id) && !before.isRestricted(id) || !d.restricted() && s.revision(id) > d.Revision {
			late[id] = true
			continue
		}
		if d.restricted() {
			erase[id] = true
		} else {
			drop[id] = true
		}
		restricted = withRestricted(restricted, d)
	}
	if len(erase) > 0 && x.files != nil && !x.files.checked.Load() {
		x.drop(false) // a rewritten copy of a damaged segment would not show it any more
		s = x.current.Load()
	}
	built, _ = without(built, nil, late) // no files yet
	fresh := make([]*block, len(built))
	for i, b := range built {
		fresh[i] = b.keepVectors(s.blocks)
	}
	x.replace(s, drop, erase, fresh, restricted)
}

// Remove takes documents out at once. Words and vectors of a large block stay
// in its file until it is merged.
func (x *Index) Remove(documents ...int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	drop := make(map[int64]bool, len(documents))
	for _, id := range documents {
		drop[id] = true
	}
	x.alter(func() {
		s := x.current.Load()
		restricted := slices.DeleteFunc(slices.Clone(s.restricted), func(d document) bool { return drop[d.ID] })
		x.replace(s, drop, nil, nil, restricted)
	})
}

// replace publishes the blocks of a snapshot without some documents and with
// new blocks. Called with mu held.
func (x *Index) replace(s *Snapshot, drop, erase map[int64]bool, built []*block, restricted []document) {
	kept, files := without(s.blocks, drop, erase)
	x.publish(append(kept, built...), restricted)
	if len(files) > 0 && x.files != nil {
		x.files.discard(files)
	}
}

// Mask hides documents at once and keeps what is known of them: their file is
// away, perhaps for a moment.
func (x *Index) Mask(documents ...int64) { x.mask(true, documents) }

// Unmask shows them again. A document that was already away when the index was
// opened may not be in it and has to be added.
func (x *Index) Unmask(documents ...int64) { x.mask(false, documents) }

func (x *Index) mask(hidden bool, documents []int64) {
	x.change(documents, func(d *document) {
		d.masked = hidden
		if !hidden {
			d.Searchable = true
		}
	})
}

// SetColumns brings the columns of documents up to date. The label restricted
// takes postings and vectors out, from files too; such a document has to be added
// again after a change back.
func (x *Index) SetColumns(all ...index.DocumentColumns) {
	var restricted []Addition
	ids, fresh := make([]int64, 0, len(all)), make(map[int64]document, len(all))
	for _, cols := range all {
		if d := newDocument(cols); d.restricted() {
			restricted = append(restricted, Addition{Columns: cols})
		} else {
			ids, fresh[cols.ID] = append(ids, cols.ID), d
		}
	}
	if len(restricted) > 0 {
		x.AddAll(restricted)
	}
	if len(ids) == 0 {
		return
	}
	x.change(ids, func(old *document) {
		revision := old.Revision // of the words that are here
		*old = fresh[old.ID]
		old.Revision = revision
	})
}

// change alters documents and publishes. Documents that are not here are left
// alone, except that they stop counting as restricted.
func (x *Index) change(documents []int64, change func(*document)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.current.Load()
	blocks, own := slices.Clone(s.blocks), make([]bool, len(s.blocks))
	restricted := s.restricted
	for _, id := range documents {
		probe := document{DocumentColumns: index.DocumentColumns{ID: id}}
		change(&probe)
		if probe.Label != "" {
			restricted = withRestricted(restricted, probe)
		}
		for i, b := range blocks {
			k, ok := b.find(id)
			if !ok {
				continue
			}
			if !own[i] {
				blocks[i], own[i] = b.withOwnDocuments(), true
			}
			change(&blocks[i].docs[k])
		}
	}
	x.publish(blocks, restricted)
}

// SetVectors makes chunks searchable by meaning. Vectors of another model than
// the index was opened for are ignored: that model's index is not this one. A
// chunk keeps the vector that it has. The error counts vectors that cannot be
// used (of a chunk that is not here, of another length, zero or not finite);
// the others are in.
func (x *Index) SetVectors(model string, vectors []ChunkVector) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if model != x.model {
		return nil
	}
	var refused int
	x.alter(func() {
		s := x.current.Load()
		var blocks []*block
		blocks, refused = addVectors(s.blocks, s.dense.Dimensions(), vectors)
		x.publish(blocks, s.restricted)
	})
	if refused > 0 {
		return fmt.Errorf("%d of %d vectors could not be used", refused, len(vectors))
	}
	return nil
}

// addVectors returns blocks that also hold vectors. dims 0: the first vector
// decides.
func addVectors(blocks []*block, dims int, vectors []ChunkVector) ([]*block, int) {
	blocks = slices.Clone(blocks)
	rows := make([][]vector.Row, len(blocks))
	refused := 0
	for _, v := range vectors {
		if dims == 0 {
			dims = len(v.V)
		}
		i := slices.IndexFunc(blocks, func(b *block) bool { _, ok := b.documentOf(v.Chunk); return ok })
		if i < 0 || len(v.V) != dims {
			refused++
			continue
		}
		if !blocks[i].vectors.Has(v.Chunk) {
			rows[i] = append(rows[i], vector.Row{Chunk: v.Chunk, V: v.V})
		}
	}
	for i, r := range rows {
		if len(r) == 0 {
			continue
		}
		b := blocks[i]
		old := b.vectors
		if old.Dimensions() == 0 {
			old = vector.NewBlock(b.words.Chunks(), dims)
		}
		v, bad := old.With(r)
		refused += bad
		blocks[i] = b.withVectors(v)
	}
	return blocks, refused
}

// publish joins small blocks and makes the result the newest snapshot. Called
// with mu held.
func (x *Index) publish(blocks []*block, restricted []document) {
	for tier := 0; tier < sealedTier; tier++ {
		var same, rest []*block
		for _, b := range blocks {
			if b.inMemory() && !b.old && b.tier() == tier {
				same = append(same, b)
			} else {
				rest = append(rest, b)
			}
		}
		if len(same) >= fanIn {
			if joined := join(same); joined != nil {
				rest = append(rest, joined)
			}
			blocks = rest
		}
	}
	x.show(blocks, restricted)
}

// show makes blocks the newest snapshot. Called with mu held.
func (x *Index) show(blocks []*block, restricted []document) {
	s := newSnapshot(blocks, restricted, x.model, x.depth)
	if x.files != nil {
		s.damaged, s.intact = func() { x.dropDamaged() }, x.files.intact
	}
	x.current.Store(s)
	if x.files != nil {
		x.files.wake()
	}
}
