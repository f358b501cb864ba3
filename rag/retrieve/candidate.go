package retrieve

import (
	"context"

	"referent/rag"
	"referent/rag/vector"
	"referent/storage/index"
)

// candidate is a chunk on its way to becoming a hit.
type candidate struct {
	chunk   int64
	trace   rag.Trace
	score   float64 // what it is ranked by
	cosine  float64 // the best of the texts; −1 where there is no vector
	share   float64 // the best of the texts
	beyond  float64 // the share over what its text needs, the best of the texts; 0 or more passes
	phrase  bool    // holds every quoted phrase
	lowRank bool
	ordinal int
	hit     rag.Hit
}

// loadDepth is how many candidates are read from storage: enough for 50 after
// duplicates. With a quoted phrase all are read, since any may hold it.
const loadDepth = 60

// load reads the text of the best candidates, judges what needs the text, and
// drops what may not be seen: the store leaves out restricted chunks, and a
// chunk that the snapshot does not hold is not trusted.
func (s *search) load(ctx context.Context, t *text, list []candidate) ([]candidate, error) {
	if len(t.phrases) == 0 {
		list = list[:min(len(list), loadDepth)]
	}
	if len(list) == 0 {
		return nil, ctx.Err()
	}
	ids := make([]int64, len(list))
	for i, c := range list {
		ids[i] = c.chunk
	}
	rows, err := s.deps.Store.Chunks(ctx, ids)
	if err != nil {
		return nil, err
	}
	stored := make(map[int64]index.Chunk, len(rows))
	for _, row := range rows {
		if s.snap.Holds(row.ID, row.Document) {
			stored[row.ID] = row
		}
	}
	explained := s.snap.Lexical().Explain(t.query, ids...)
	var out []candidate
	for i, c := range list {
		row, ok := stored[c.chunk]
		if !ok {
			continue
		}
		c.hit, c.lowRank, c.ordinal = newHit(row), row.LowRank, row.Ordinal
		c.hit.Score = c.score
		c.share = explained[i].Share
		c.beyond = c.share - neededShare(explained[i].Words)
		c.cosine = s.cosine(t, c)
		c.phrase = holdsPhrases(row, t.phrases)
		out = append(out, c)
	}
	settle(out)
	return out, nil
}

// cosine is the meaning of a candidate against the text, also where the dense
// leg did not reach it.
func (s *search) cosine(t *text, c candidate) float64 {
	if c.trace.Dense != nil {
		return c.trace.Dense.Score
	}
	if v, ok := s.snap.Dense().Vector(c.chunk); ok && t.unit != nil {
		return vector.Cosine(t.unit, v)
	}
	return -1
}

func newHit(c index.Chunk) rag.Hit {
	return rag.Hit{
		Chunk: c.ID, ContentHash: c.ContentHash, Document: c.Document, Path: c.Path, Title: c.Title, Heading: c.Heading,
		Locator: rag.ParseLocator(c.Locator), Text: c.Text, Class: rag.Class(c.Class), Pinned: c.Pinned,
		Parent: c.Parent, Header: c.Header, Language: c.Language, Offset: c.Offset, Length: c.Length,
	}
}
