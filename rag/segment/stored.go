package segment

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"referent/rag/lexical/analyze"
	"referent/rag/segment/disk"
	"referent/storage"
	"referent/storage/index"
)

// StoredSource is a Source that can also be asked for single documents;
// *index.Store is one.
type StoredSource interface {
	Source
	Columns(ctx context.Context, document int64) (index.DocumentColumns, bool, error)
	DocumentChunks(ctx context.Context, document int64) ([]index.Chunk, error)
	DocumentVectors(ctx context.Context, model string, document int64, fn func(chunk int64, v []float32) error) error
	// PackColumns makes the next EachDocumentColumns quick, UnpackColumns makes it
	// read nothing that PackColumns left.
	PackColumns(ctx context.Context) error
	UnpackColumns(ctx context.Context) error
}

// OpenStored opens the index from its files and builds what they lack from the
// truth. A file that is damaged, missing or of another form is served around:
// what it held is built again in the background when there is much of it, and
// the notice says so. Files of an older analyzer serve until their documents are
// analysed anew in the background. Close ends the work in the background. Errors are
// the source's, the manifest's, *storage.Error of the folder, the context's.
func OpenStored(ctx context.Context, src StoredSource, embedModel string, f Files) (*Index, error) {
	keeper, err := newKeeper(src, f)
	if err != nil {
		return nil, storage.Explain(err)
	}
	x := &Index{model: embedModel, files: keeper}
	var blocks []*block
	var lost int
	var loadErr error
	var loading sync.WaitGroup
	loading.Go(func() { blocks, lost, loadErr = x.load(ctx) }) // while the columns are read
	columns, restricted, err := readColumns(ctx, src)
	loading.Wait()
	if err := errors.Join(err, loadErr); err != nil {
		return nil, err
	}
	blocks, broken := keeper.sound(blocks, restricted)
	lost += broken
	blocks, missing := match(blocks, columns)
	all := 0
	for _, d := range columns {
		all += d.Chunks
	}
	blocks, secret := purge(blocks, restricted)
	if len(secret) > 0 {
		keeper.discard(secret)
	}
	later := lost > 0 && len(blocks) > 0 && chunkCount(missing) > keeper.sealFrom
	if !later {
		fresh, err := readDocuments(ctx, src, missing, all)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, fresh...)
	}
	if err := x.calibrated(ctx); err != nil {
		return nil, err
	}
	if blocks, err = x.loadVectors(ctx, src, blocks); err != nil {
		return nil, err
	}
	keeper.old = documentsOfOld(blocks)
	if later {
		keeper.lost = slices.Sorted(maps.Keys(missing))
	}
	x.publish(blocks, restricted)
	if lost > 0 {
		keeper.say(damagedNotice)
	}
	keeper.done.Go(func() { keeper.run(x) })
	return x, nil
}

// documentsOfOld are the documents to be analysed anew, by number.
func documentsOfOld(blocks []*block) []int64 {
	ids := map[int64]bool{}
	for _, b := range blocks {
		for _, d := range b.docs {
			if b.old && !d.gone {
				ids[d.ID] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(ids))
}

// load maps the segments of the list, the newest first, and drops those that
// cannot be used. lost counts what should have been usable.
func (x *Index) load(ctx context.Context) (blocks []*block, lost int, err error) {
	k := x.files
	rows, err := k.manifest.Segments(ctx)
	if err != nil {
		return nil, 0, err
	}
	slices.Reverse(rows)
	keep := map[string]bool{}
	var drop []int64
	var bare []index.Segment // their file of vectors cannot be used
	for _, row := range rows {
		b, err := k.open(row)
		if err != nil {
			if row.Analyzer == analyze.Version { // what another version wrote may have another form
				lost++
			}
			drop = append(drop, row.ID)
			continue
		}
		if row.Model != "" {
			if row.Model == x.model {
				err = k.openVectors(b)
			}
			if err != nil {
				lost++
			}
			if err != nil || row.Model != x.model {
				b.row.Model, b.row.Vectors, b.row.VectorsFile, b.row.VectorsSize, b.row.VectorsSum = "", 0, 0, 0, 0
				bare = append(bare, b.row)
			}
		}
		for _, name := range fileNames(b.row) {
			keep[name] = true
		}
		k.unread = append(k.unread, row.ID)
		blocks = append(blocks, b)
	}
	if len(drop)+len(bare) > 0 {
		if err := k.manifest.CommitSegments(ctx, bare, drop); err != nil {
			return nil, 0, err
		}
	}
	return blocks, lost, k.folder.Sweep(keep)
}

// open leaves the checksum to the background: reading all files would be most of
// a start. What a wrong byte may do until then is a wrong order of hits, or an
// impossible place in a list, which Guard takes for what it is.
func (k *keeper) open(row index.Segment) (*block, error) {
	m, err := k.folder.MapUnread(disk.Name(row.ID, wordsKind), row.WordsSize)
	if err != nil {
		return nil, err
	}
	b, err := parseWords(m)
	if err != nil {
		return nil, err
	}
	b.row, b.old = row, row.Analyzer != analyze.Version
	return b, nil
}

// openVectors leaves the checksum to the background too.
func (k *keeper) openVectors(b *block) error {
	m, err := k.folder.MapUnread(disk.Name(b.row.VectorsFile, vectorsKind), b.row.VectorsSize)
	if err != nil {
		return err
	}
	v, err := b.parseVectors(m)
	if err == nil {
		b.vectors = v
	}
	return err
}

// match keeps of blocks, the newest first, what describes the documents as they
// are, and returns the documents that are not described whole. The blocks are
// its own to change.
func match(blocks []*block, columns columnList) (kept []*block, missing map[int64]document) {
	covered := make([]int, len(columns))
	for i, b := range blocks {
		size := make([]int, len(b.docs))
		b.eachRun(func(doc, from, to int) { size[doc] += to - from })
		stale := map[int64]bool{}
		at := 0 // both lists ascend
		for k := range b.docs {
			d := &b.docs[k]
			for at < len(columns) && columns[at].ID < d.ID {
				at++
			}
			if at == len(columns) || columns[at].ID != d.ID || columns[at].Revision != d.Revision || covered[at]+size[k] > columns[at].Chunks {
				stale[d.ID] = true
				continue
			}
			covered[at] += size[k]
			*d = *columns[at]
		}
		if len(stale) > 0 {
			blocks[i] = b.hide(func(d document) bool { return stale[d.ID] })
		}
	}
	missing = map[int64]document{}
	partial := map[int64]bool{}
	for i, d := range columns {
		if covered[i] == d.Chunks {
			continue
		}
		if covered[i] > 0 {
			partial[d.ID] = true
		}
		if d.Searchable {
			missing[d.ID] = *d
		}
	}
	if len(partial) == 0 {
		return blocks, missing
	}
	for _, b := range blocks {
		kept = append(kept, b.hide(func(d document) bool { return partial[d.ID] }))
	}
	return kept, missing
}

// sound leaves out segments that have to be rewritten for the sake of a restricted
// document and are not what was written: a copy would not show it any more.
func (k *keeper) sound(blocks []*block, restricted []document) (kept []*block, lost int) {
	for _, b := range blocks {
		if slices.ContainsFunc(restricted, func(d document) bool { _, ok := b.place(d.ID); return ok }) && !k.intact(b.row) {
			k.discard([]index.Segment{b.row})
			lost++
			continue
		}
		kept = append(kept, b)
	}
	return kept, lost
}

// purge rewrites segments that hold a document which is restricted now and
// returns the files that must go.
func purge(blocks []*block, restricted []document) (kept []*block, files []index.Segment) {
	erase := make(map[int64]bool, len(restricted))
	for _, d := range restricted {
		erase[d.ID] = true
	}
	return without(blocks, nil, erase)
}

func chunkCount(documents map[int64]document) int {
	n := 0
	for _, d := range documents {
		n += d.Chunks
	}
	return n
}

// readDocuments analyses documents: one by one when they are a small part
// of all chunks, else in one pass.
func readDocuments(ctx context.Context, src StoredSource, documents map[int64]document, chunks int) ([]*block, error) {
	if len(documents) == 0 {
		return nil, ctx.Err()
	}
	if 4*chunkCount(documents) > chunks {
		return readBlocks(ctx, src, documents)
	}
	a := newAnalysis(documents)
	for id := range documents {
		chunks, err := src.DocumentChunks(ctx, id)
		if err != nil {
			return a.finish(), err
		}
		for _, c := range chunks {
			a.take(c)
		}
	}
	return a.finish(), ctx.Err()
}

// loadVectors reads the vectors that blocks lack.
func (x *Index) loadVectors(ctx context.Context, src StoredSource, blocks []*block) ([]*block, error) {
	if x.model == "" {
		return blocks, nil
	}
	lack, lacking, all := map[int64]bool{}, 0, 0
	for _, b := range blocks {
		all += b.words.Len()
		if b.vectors.Count() == b.words.Len() {
			continue
		}
		b.eachRun(func(doc, from, to int) {
			if b.docs[doc].gone {
				return
			}
			for _, chunk := range b.words.Chunks()[from:to] {
				if !b.vectors.Has(chunk) {
					lack[b.docs[doc].ID] = true
					lacking++
				}
			}
		})
	}
	var vectors []ChunkVector
	take := func(chunk int64, v []float32) error {
		vectors = append(vectors, ChunkVector{chunk, v})
		return ctx.Err()
	}
	if 4*lacking > all {
		if err := src.EachVector(ctx, x.model, take); err != nil {
			return nil, err
		}
	} else {
		for id := range lack {
			if err := src.DocumentVectors(ctx, x.model, id, take); err != nil {
				return nil, err
			}
		}
	}
	blocks, _ = addVectors(blocks, dimensions(blocks), vectors) // a vector without its chunk is built later
	return blocks, nil
}
