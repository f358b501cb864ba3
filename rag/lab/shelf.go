package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"referent/inference"
	"referent/rag"
	"referent/rag/library"
	"referent/rag/segment"
	"referent/storage/index"
)

// Shelf is a set's passages in memory, searched by the code of the product. It
// is the truth that package segment and package retrieve ask for.
type Shelf struct {
	chunks  []index.Chunk // the chunk with id n is at n-1
	columns []index.DocumentColumns
	index   *segment.Index
	model   string              // whose vectors are here; empty: none
	vectors map[int64][]float32 // by chunk
}

// NewShelf puts rows up for a search by words. The chunk of a row carries the
// row's id as its content hash, so that equal passages stay apart.
func NewShelf(ctx context.Context, rows []Row) (*Shelf, error) {
	s := &Shelf{}
	documents := map[string]int64{}
	for i, r := range rows {
		name := r.Document
		if name == "" {
			name = fmt.Sprintf("passages/%d", i+1)
		}
		id, known := documents[name]
		if !known {
			id = int64(len(s.columns) + 1)
			documents[name] = id
			s.columns = append(s.columns, index.DocumentColumns{ID: id, Path: "/" + name, Kind: cmp.Or(r.Kind, "text"), Language: r.Language, Class: string(cmp.Or(r.Class, rag.ClassUnknown)), Label: string(rag.LabelPublic), Searchable: true})
		}
		columns := &s.columns[id-1]
		s.chunks = append(s.chunks, index.Chunk{ID: int64(i + 1), Document: id, Ordinal: columns.Chunks, ContentHash: r.ID, Header: r.Header, Text: r.Text, Heading: r.Heading,
			Locator: r.Locator.String(), Class: columns.Class, Language: r.Language, Length: len([]rune(r.Text)), Path: columns.Path, Title: r.Title, Kind: columns.Kind})
		columns.Chunks++
	}
	var err error
	if s.index, err = segment.Open(ctx, s, ""); err != nil {
		return nil, err
	}
	return s, nil
}

// EachChunk implements segment.Source.
func (s *Shelf) EachChunk(_ context.Context, after int64, fn func(index.Chunk) error) error {
	for _, c := range s.chunks {
		if c.ID > after {
			if err := fn(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// EachDocumentColumns implements segment.Source.
func (s *Shelf) EachDocumentColumns(_ context.Context, fn func(index.DocumentColumns) error) error {
	for _, c := range s.columns {
		if err := fn(c); err != nil {
			return err
		}
	}
	return nil
}

// EachVector implements segment.Source.
func (s *Shelf) EachVector(_ context.Context, model string, fn func(chunk int64, v []float32) error) error {
	for _, c := range s.chunks {
		if v := s.vectors[c.ID]; v != nil && model == s.model {
			if err := fn(c.ID, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Chunks implements retrieve.ChunkReader.
func (s *Shelf) Chunks(_ context.Context, ids []int64) ([]index.Chunk, error) {
	var out []index.Chunk
	for _, id := range ids {
		if id > 0 && id <= int64(len(s.chunks)) {
			out = append(out, s.chunks[id-1])
		}
	}
	return out, nil
}

// embedBatch is how many passages are embedded between two reports.
const embedBatch = 16

// Embed makes the shelf searchable by meaning. Passages whose vector the cache
// has cost nothing. progress hears how many are done and may be nil.
func (s *Shelf) Embed(ctx context.Context, model inference.Embedder, folder string, progress func(done, total int)) (err error) {
	key := library.VectorKey(model.Info())
	if key == s.model {
		return nil
	}
	cache, err := openVectors(folder, key, model.Info().Dimensions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, cache.Close()) }()
	var missing []index.Chunk // one of each content, since equal texts have one vector
	asked := map[string]bool{}
	for _, c := range s.chunks {
		content := contentOf(c)
		if _, ok := cache.Get(content); !ok && !asked[content] {
			asked[content] = true
			missing = append(missing, c)
		}
	}
	for i := 0; i < len(missing); i += embedBatch {
		batch := missing[i:min(i+embedBatch, len(missing))]
		texts := make([]string, len(batch))
		for j, c := range batch {
			texts[j] = library.EmbedText(c)
		}
		made, err := model.Embed(ctx, inference.KindPassage, texts, inference.PriorityIndexing)
		if err != nil {
			return err
		}
		if len(made) != len(batch) {
			return fmt.Errorf("lab: %d vectors for %d passages", len(made), len(batch))
		}
		for j, c := range batch {
			if err := cache.Put(contentOf(c), made[j]); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(i+len(batch), len(missing))
		}
	}
	s.model, s.vectors = key, map[int64][]float32{}
	for _, c := range s.chunks {
		s.vectors[c.ID], _ = cache.Get(contentOf(c))
	}
	return s.index.UseModel(ctx, s, key)
}

// contentOf is what the vector of a chunk depends on.
func contentOf(c index.Chunk) string { return hashOf(library.EmbedText(c)) }
