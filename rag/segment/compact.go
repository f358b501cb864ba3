package segment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/lexical/analyze"
	"referent/rag/segment/disk"
	"referent/rag/vector"
	"referent/storage"
	"referent/storage/index"
)

// errStale: a block changed in a way that its new file does not show.
var errStale = errors.New("segment: the block was replaced meanwhile")

// restorePortion is how many documents are read again between two looks at what
// has to be written.
const restorePortion = 64

// step does one piece of upkeep and tells whether there may be more. What can
// wait is left while the power is spared, unless somebody waits for it.
func (x *Index) step(ctx context.Context, waited bool) (more bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	k := x.files
	if n := len(k.unread); n > 0 {
		id := k.unread[n-1]
		k.unread = k.unread[:n-1]
		if row, ok := x.segment(id); ok && !k.intact(row) {
			if _, ok := x.segment(id); ok { // it was not replaced meanwhile
				x.dropDamaged()
			}
		}
		return true, nil
	}
	k.checked.Store(true)
	ids := k.take(&k.lost, restorePortion)
	if len(ids) == 0 && k.owes(&k.old) && (waited || !k.waits()) {
		ids = k.take(&k.old, restorePortion)
	}
	if len(ids) > 0 {
		x.restore(ctx, ids)
	}
	err = disk.Guard(x.broken, func() (err error) {
		more, err = x.tidy(ctx, waited)
		return err
	})
	if errors.Is(err, disk.ErrDamaged) && x.dropDamaged() {
		return true, nil
	}
	more = more || len(ids) > 0
	if err == nil && !more && k.packed.CompareAndSwap(false, true) {
		if k.source.PackColumns(ctx) != nil {
			k.packed.Store(false) // the next start reads longer, and that is all
		}
	}
	return more && err == nil, err
}

// segment returns the row of a segment that is a part of the index.
func (x *Index) segment(id int64) (index.Segment, bool) {
	for _, b := range x.Snapshot().blocks {
		if !b.inMemory() && b.row.ID == id {
			return b.row, true
		}
	}
	return index.Segment{}, false
}

func (x *Index) tidy(ctx context.Context, waited bool) (bool, error) {
	s := x.current.Load()
	if sources := toSeal(s.blocks, x.files.sealFrom); len(sources) > 0 {
		return x.tried(x.compact(ctx, sources, s.model))
	}
	if b := toVectorise(s.blocks); b != nil {
		return x.tried(x.writeVectors(ctx, b, s.model))
	}
	sources := toMerge(s.blocks, x.files.sealFrom)
	if (len(sources) > 0 || x.uncalibrated(s)) && !waited && x.files.waits() {
		return false, nil
	}
	if len(sources) > 0 {
		return x.tried(x.compact(ctx, sources, s.model))
	}
	return false, x.calibrate(ctx, s)
}

// tried: a stale result is no failure; the next look decides anew.
func (x *Index) tried(err error) (bool, error) {
	if errors.Is(err, errStale) {
		err = nil
	}
	return err == nil, err
}

// toSeal chooses blocks in memory that should become one segment, once it is
// enough.
func toSeal(blocks []*block, sealFrom int) []*block {
	var memory []*block
	size := 0
	for _, b := range blocks {
		if n := b.words.Len() - b.gone; b.inMemory() && !b.old && size+n <= lexical.MaxBlock {
			memory, size = append(memory, b), size+n
		}
	}
	if size < sealFrom {
		return nil
	}
	return memory
}

// toMerge chooses a segment of which much is gone, or several of about one size.
// One of an older analyzer goes when all of it is gone.
func toMerge(blocks []*block, sealFrom int) []*block {
	tiers := map[int][]*block{}
	for _, b := range blocks {
		n := b.words.Len() - b.gone
		switch {
		case b.inMemory():
			continue
		case n == 0, !b.old && b.gone*4 > b.words.Len():
			return []*block{b}
		case b.old:
			continue
		}
		tier := 0
		for limit := sealFrom * fanIn; n >= limit; limit *= fanIn {
			tier++
		}
		tiers[tier] = append(tiers[tier], b)
	}
	for tier := range 8 {
		same := tiers[tier]
		slices.SortStableFunc(same, func(a, b *block) int { return a.words.Len() - b.words.Len() })
		total, n := 0, 0
		for n < len(same) && n < fanIn && total+same[n].words.Len() <= lexical.MaxBlock {
			total += same[n].words.Len()
			n++
		}
		if n == fanIn || n >= fanIn/2 && n < len(same) { // eight, or as many as fit into one
			return same[:n]
		}
	}
	return nil
}

// toVectorise chooses a segment whose vectors are complete, or of which an
// eighth came since its file was written.
func toVectorise(blocks []*block) *block {
	for _, b := range blocks {
		if have := b.vectors.Count(); !b.inMemory() && have > b.row.Vectors && worthWriting(have, b.row.Vectors, b.words.Len()) {
			return b
		}
	}
	return nil
}

func worthWriting(have, written, chunks int) bool {
	return have >= chunks || have-written >= max(1, chunks/8)
}

// compact writes blocks as one segment and puts it in their place.
func (x *Index) compact(ctx context.Context, sources []*block, model string) (err error) {
	fresh := joinWords(sources)
	if fresh == nil {
		_, err := x.install(ctx, sources, nil)
		return err
	}
	k := x.files
	id, err := k.manifest.NextSegment(ctx)
	if err != nil {
		return err
	}
	listed := false
	defer func() { // runs after a fault too
		if !listed {
			k.folder.Remove(disk.Name(id, wordsKind), disk.Name(id, vectorsKind))
		}
	}()
	row := index.Segment{ID: id, Analyzer: analyze.Version, Chunks: fresh.words.Len()}
	name := disk.Name(id, wordsKind)
	if row.WordsSize, row.WordsSum, err = k.folder.Write(name, fresh.wordsFile()...); err != nil {
		return err
	}
	m, err := k.folder.Map(name, row.WordsSize, row.WordsSum)
	if err != nil {
		return err
	}
	docs := fresh.docs
	if fresh, err = parseWords(m); err != nil {
		return err
	}
	fresh.docs, fresh.row = docs, row
	have := 0
	for _, b := range sources {
		have += b.vectors.Count()
	}
	if dims := dimensions(sources); dims > 0 && worthWriting(have, 0, fresh.words.Len()) {
		if err := x.encodeVectors(fresh, id, model, dims, vectorsOf(sources)); err != nil {
			return err
		}
	}
	listed, err = x.install(ctx, sources, fresh)
	return err
}

// encodeVectors writes the vectors of a segment to the file of a number and
// makes the block read them from there.
func (x *Index) encodeVectors(b *block, number int64, model string, dims int, from []*vector.Block) (err error) {
	name := disk.Name(number, vectorsKind)
	row := &b.row
	if row.VectorsSize, row.VectorsSum, err = x.files.folder.Write(name, header(vectorsMagic, 0, 0), vector.Encode(b.words.Chunks(), dims, from)); err != nil {
		return err
	}
	m, err := x.files.folder.Map(name, row.VectorsSize, row.VectorsSum)
	if err != nil {
		return err
	}
	v, err := b.parseVectors(m)
	if err != nil {
		return err
	}
	row.Model, row.Vectors, row.VectorsFile = model, v.Count(), number
	b.vectors = v.Only(b.live)
	return nil
}

// writeVectors writes the vectors of a segment to a new file.
func (x *Index) writeVectors(ctx context.Context, b *block, model string) (err error) {
	k := x.files
	number, err := k.manifest.NextSegment(ctx)
	if err != nil {
		return err
	}
	listed := false
	defer func() { // runs after a fault too
		if !listed {
			k.folder.Remove(disk.Name(number, vectorsKind))
		}
	}()
	fresh := *b
	if err := x.encodeVectors(&fresh, number, model, b.vectors.Dimensions(), []*vector.Block{b.vectors.Only(nil)}); err != nil {
		return err
	}
	listed, err = x.install(ctx, []*block{b}, &fresh)
	return err
}

// install puts a segment whose files are complete in the place of blocks (nil:
// nothing is left of them): list, snapshot, then the old files. What changed of
// their documents and vectors meanwhile is carried over. listed tells whether
// the list names the new files.
func (x *Index) install(ctx context.Context, sources []*block, fresh *block) (listed bool, err error) {
	old, err := x.exchange(ctx, sources, fresh)
	if err != nil {
		return false, err
	}
	x.files.folder.Remove(old...)
	return true, nil
}

// exchange returns the files that are off the list.
func (x *Index) exchange(ctx context.Context, sources []*block, fresh *block) (old []string, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.current.Load()
	var rest, now []*block
	for _, b := range s.blocks {
		if slices.ContainsFunc(sources, func(o *block) bool { return o.key() == b.key() }) {
			now = append(now, b)
		} else {
			rest = append(rest, b)
		}
	}
	if len(now) != len(sources) || fresh != nil && fresh.row.Model != "" && fresh.row.Model != x.model {
		return nil, errStale
	}
	var remove []int64
	var put []index.Segment
	for _, b := range now {
		switch {
		case b.inMemory():
		case fresh == nil || b.row.ID != fresh.row.ID:
			remove = append(remove, b.row.ID)
			old = append(old, fileNames(b.row)...)
		case b.row.VectorsFile > 0: // the words stay
			old = append(old, disk.Name(b.row.VectorsFile, vectorsKind))
		}
	}
	if fresh != nil {
		fresh = fresh.adopt(now)
		put = append(put, fresh.row)
		rest = append(rest, fresh)
	}
	if err := x.files.manifest.CommitSegments(ctx, put, remove); err != nil {
		return nil, err
	}
	x.show(rest, s.restricted)
	return old, nil
}

// adopt brings a new segment up to date with the blocks that it replaces.
func (b *block) adopt(now []*block) *block {
	out := *b
	out.docs = slices.Clone(b.docs)
	lost := map[int64]bool{}
	for i := range out.docs {
		d := &out.docs[i]
		if d.gone {
			continue
		}
		lost[d.ID] = true
		for _, n := range now {
			if k, ok := n.find(d.ID); ok {
				*d = n.docs[k]
				lost[d.ID] = false
			}
		}
	}
	if dims := dimensions(now); dims > 0 {
		out.vectors = out.vectors.Fill(dims, vectorsOf(now))
	}
	return out.hide(func(d document) bool { return lost[d.ID] })
}

// metaSketch keeps what the calibration found: model, vectors, depth.
const metaSketch = "sketch"

// uncalibrated tells whether the sketches of a large index were not measured
// yet, or not since it grew by half.
func (x *Index) uncalibrated(s *Snapshot) bool {
	n := s.dense.Count()
	return n >= vector.SketchFrom && (s.model != x.files.measuredModel || 2*n >= 3*x.files.measured)
}

// calibrate measures the sketches where they have to be.
func (x *Index) calibrate(ctx context.Context, s *Snapshot) error {
	if !x.uncalibrated(s) {
		return nil
	}
	n := s.dense.Count()
	depth, err := s.dense.Calibrate(ctx)
	s.dense.Forget()
	if err != nil {
		return err
	}
	x.files.measured, x.files.measuredModel = n, s.model
	x.mu.Lock()
	if s.model == x.model && depth != x.depth {
		x.depth = depth
		now := x.current.Load()
		x.show(now.blocks, now.restricted)
	}
	x.mu.Unlock()
	return x.files.manifest.SetMeta(ctx, metaSketch, fmt.Sprintf("%d %d %s", n, depth, s.model))
}

// calibrated reads what an earlier run measured.
func (x *Index) calibrated(ctx context.Context) error {
	value, err := x.files.manifest.Meta(ctx, metaSketch)
	if err != nil || value == "" {
		return err
	}
	var n, depth int
	var model string
	if _, err := fmt.Sscanf(value, "%d %d %s", &n, &depth, &model); err == nil && model == x.model && depth >= 0 {
		x.files.measured, x.files.measuredModel, x.depth = n, model, depth
	}
	return nil
}

// sentence is what people are told of an error.
func sentence(err error) string {
	var known *rag.Error
	var stored *storage.Error
	switch err := storage.Explain(err); {
	case errors.As(err, &known):
		return known.Message
	case errors.As(err, &stored):
		return stored.Message
	default:
		return strconv.Quote(err.Error()) + "."
	}
}
