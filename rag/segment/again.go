package segment

import (
	"context"
	"reflect"

	"referent/storage/index"
)

// restore adds documents that the files lost, while the rest is served.
func (x *Index) restore(ctx context.Context, ids []int64) {
	if err := x.readAgain(ctx, x.files.source, ids); err != nil && ctx.Err() == nil {
		x.files.say("A part of the search index could not be built again: " + sentence(err) + " The next start tries once more.")
	}
}

// readAgain adds documents as the source has them now.
func (x *Index) readAgain(ctx context.Context, src StoredSource, ids []int64) error {
	for len(ids) > 0 {
		var batch []Addition
		size, n := 0, 0
		for n < len(ids) && size < portion {
			cols, ok, err := src.Columns(ctx, ids[n])
			if err != nil {
				return err
			}
			n++
			if !ok || !cols.Searchable {
				continue
			}
			chunks, err := src.DocumentChunks(ctx, cols.ID)
			if err != nil {
				return err
			}
			batch = append(batch, Addition{cols, chunks})
			size += len(chunks)
		}
		x.AddAll(batch)
		if err := x.followUp(ctx, src, batch); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// followUp undoes additions that the library changed while they were read, and
// gives the others their vectors.
func (x *Index) followUp(ctx context.Context, src StoredSource, batch []Addition) error {
	model := x.Snapshot().model
	var vectors []ChunkVector
	for _, a := range batch {
		there, err := x.settleColumns(ctx, src, a.Columns.ID)
		if err != nil {
			return err
		}
		if !there || model == "" {
			continue
		}
		if err := src.DocumentVectors(ctx, model, a.Columns.ID, func(chunk int64, v []float32) error {
			vectors = append(vectors, ChunkVector{chunk, v})
			return ctx.Err()
		}); err != nil {
			return err
		}
	}
	_ = x.SetVectors(model, vectors) // those of chunks that went away meanwhile cannot be used
	return nil
}

// settleColumns brings the columns of a document up to date, or takes it out when
// it is gone. Whoever changes the library shows the change afterwards; what is set
// here may be older and come later, so it is read once more until it was the
// newest when it was set.
func (x *Index) settleColumns(ctx context.Context, src StoredSource, id int64) (there bool, err error) {
	var set *index.DocumentColumns
	for {
		now, ok, err := src.Columns(ctx, id)
		if err != nil {
			return false, err
		}
		if !ok {
			x.Remove(id)
			return false, nil
		}
		if set != nil && reflect.DeepEqual(*set, now) {
			return true, nil
		}
		x.SetColumns(now)
		set = &now
	}
}
