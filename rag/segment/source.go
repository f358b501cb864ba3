package segment

import (
	"context"

	"referent/storage/index"
)

// Source is the truth that an Index is built from; *index.Store is one.
type Source interface {
	// EachChunk hands every chunk that may be found, ascending by id.
	EachChunk(ctx context.Context, after int64, fn func(index.Chunk) error) error
	// EachDocumentColumns hands every document, restricted ones too.
	EachDocumentColumns(ctx context.Context, fn func(index.DocumentColumns) error) error
	// EachVector hands the vectors of a model for chunks that may be found.
	EachVector(ctx context.Context, model string, fn func(chunk int64, v []float32) error) error
}

// ChunkVector is the vector of a chunk, of any length but zero.
type ChunkVector struct {
	Chunk int64
	V     []float32
}
