package segment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"referent/rag/lexical"
	"referent/rag/segment/disk"
	"referent/rag/vector"
	"referent/storage/index"
)

const (
	// verifyPortion is how many chunks are analysed at a time.
	verifyPortion = 32 << 10
	// sameVector is the least cosine of a vector and itself, after rounding to
	// half precision twice.
	sameVector = 0.999
)

// Verify reads every file of the index, makes its words and vectors once more
// from the truth, and compares. It returns what is wrong in sentences for
// people; none when all is well. Documents that change meanwhile are passed
// over. A segment whose file was cut short is taken out of the index and built
// again. The error is the source's or the context's.
func (x *Index) Verify(ctx context.Context, src StoredSource) ([]string, error) {
	s := x.Snapshot()
	columns, _, err := readColumns(ctx, src)
	if err != nil {
		return nil, err
	}
	var found []string
	covered := map[int64]int{}
	for _, b := range s.blocks {
		found = append(found, x.verifyFiles(b)...)
		var wrong []string
		err := disk.Guard(s.broken, func() (err error) {
			wrong, err = verifyBlock(ctx, src, b, columns, s.model)
			return err
		})
		if errors.Is(err, disk.ErrDamaged) {
			x.dropDamaged()
			continue
		}
		if err != nil {
			return found, err
		}
		found = append(found, wrong...)
		b.eachRun(func(doc, from, to int) {
			if d := b.docs[doc]; !d.gone {
				covered[d.ID] += to - from
			}
		})
	}
	absent := 0
	for _, d := range columns {
		if d.Searchable && covered[d.ID] != d.Chunks && (s.revision(d.ID) == d.Revision || s.revision(d.ID) == 0) {
			absent++
		}
	}
	if absent > 0 {
		found = append(found, fmt.Sprintf("%d documents are not in the search index.", absent))
	}
	return found, nil
}

func (x *Index) verifyFiles(b *block) (found []string) {
	if b.inMemory() || x.files == nil {
		return nil
	}
	check := func(id int64, kind string, size int64, sum uint32) {
		name := disk.Name(id, kind)
		if err := x.files.folder.Check(name, size, sum); err != nil && x.listed(b) {
			found = append(found, fmt.Sprintf("The file %s: %s.", name, err))
		}
	}
	check(b.row.ID, wordsKind, b.row.WordsSize, b.row.WordsSum)
	if b.row.Vectors > 0 {
		check(b.row.VectorsFile, vectorsKind, b.row.VectorsSize, b.row.VectorsSum)
	}
	return found
}

// listed tells whether a segment still is a part of the index: the files of one
// that a merge replaced meanwhile may go.
func (x *Index) listed(b *block) bool {
	return slices.ContainsFunc(x.Snapshot().blocks, func(o *block) bool { return o.row.ID == b.row.ID && o.row.VectorsFile == b.row.VectorsFile })
}

// verifyBlock compares the documents of a block with the truth, a portion at a
// time. Words of an older analyzer differ and are being replaced.
func verifyBlock(ctx context.Context, src StoredSource, b *block, columns columnList, model string) (found []string, err error) {
	if b.words.Check() != nil {
		return []string{"A part of the word index contradicts itself."}, nil
	}
	var entries []lexical.Entry
	wrongVectors := 0
	flush := func() {
		slices.SortFunc(entries, func(a, b lexical.Entry) int { return int(a.Chunk - b.Chunk) })
		want := lexical.Build(entries)
		chosen := want.Chunks()
		have := lexical.Merge([]*lexical.Block{b.words}, func(chunk int64) bool { _, ok := slices.BinarySearch(chosen, chunk); return !ok })
		if !bytes.Equal(have.Encoded(), want.Encoded()) {
			found = append(found, fmt.Sprintf("The words of %d passages are not those of their documents.", len(entries)))
		}
		entries = nil
	}
	for _, d := range b.docs {
		if at, ok := columns.find(d.ID); d.gone || !ok || !columns[at].Searchable || columns[at].Revision != d.Revision {
			continue
		}
		chunks, err := src.DocumentChunks(ctx, d.ID)
		if err != nil {
			return found, err
		}
		for _, c := range chunks {
			if id, ok := b.documentOf(c.ID); ok && id == d.ID && !b.old {
				entries = append(entries, entryOf(c))
			}
		}
		wrong, err := wrongVectorsOf(ctx, src, b, d.DocumentColumns, model)
		if err != nil {
			return found, err
		}
		if wrongVectors += wrong; len(entries) >= verifyPortion {
			flush()
		}
	}
	if len(entries) > 0 {
		flush()
	}
	if wrongVectors > 0 {
		found = append(found, fmt.Sprintf("%d vectors are not those that are stored.", wrongVectors))
	}
	return found, ctx.Err()
}

func wrongVectorsOf(ctx context.Context, src StoredSource, b *block, d index.DocumentColumns, model string) (wrong int, err error) {
	if model == "" {
		return 0, nil
	}
	one := vector.NewIndex([]*vector.Block{b.vectors})
	err = src.DocumentVectors(ctx, model, d.ID, func(chunk int64, v []float32) error {
		if id, ok := b.documentOf(chunk); !ok || id != d.ID {
			return ctx.Err()
		}
		have, ok := one.Vector(chunk)
		want, direction := vector.Unit(v)
		if direction && (!ok || vector.Cosine(have, want) < sameVector) {
			wrong++
		}
		return ctx.Err()
	})
	return wrong, err
}

// Rebuild makes the index anew from the truth while the old one serves, and
// returns when it is on the disk. It is always safe.
func (x *Index) Rebuild(ctx context.Context, src StoredSource) error {
	if err := src.UnpackColumns(ctx); err != nil {
		return err
	}
	columns, _, err := readColumns(ctx, src)
	if err != nil {
		return err
	}
	var ids []int64
	for _, d := range columns {
		if d.Searchable {
			ids = append(ids, d.ID)
		}
	}
	if x.files != nil {
		x.files.packed.Store(false)
	}
	if err := x.readAgain(ctx, src, ids); err != nil {
		return err
	}
	return x.Settle(ctx)
}
