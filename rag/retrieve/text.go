package retrieve

import (
	"context"
	"time"

	"referent/inference"
	"referent/rag"
	"referent/rag/lexical"
	"referent/rag/segment"
	"referent/rag/vector"
)

// text is one search text with everything that is known of it before a pass.
type text struct {
	query   lexical.Query
	unit    []float32 // its vector at unit length; nil: none
	phrases []string  // quoted, folded
	exact   bool      // identifiers, numbers or quoted phrases: words weigh double
	early   []lexical.Hit
	hasHits bool // early holds the words' hits of the first pass
}

// prepare analyses the texts, and embeds them while the words of the first
// pass are already being searched.
func (s *search) prepare(ctx context.Context, allow *segment.Bitmap) error {
	for _, t := range s.Texts {
		q := lexical.NewQuery(t, s.snap.Languages())
		phrases := quoted(t)
		exact := len(phrases) > 0 || wantsExact(q)
		setMeasuresAside(q, t)
		s.texts = append(s.texts, text{query: q, phrases: phrases, exact: exact})
	}
	wait := s.embed(ctx)
	var err error
	if s.words {
		for i := range s.texts {
			t := &s.texts[i]
			if t.early, err = s.snap.Lexical().Search(ctx, t.query, allow, legDepth); err != nil {
				break
			}
			t.hasHits = true
		}
	}
	if embedErr := wait(); err == nil {
		err = embedErr
	}
	return err
}

// embed begins to embed the texts and returns the function that waits for it.
// Without a model, or without vectors, hybrid goes on by words alone and says so.
func (s *search) embed(ctx context.Context) (wait func() error) {
	none := func(err error) func() error { return func() error { return err } }
	if !s.meaning {
		return none(nil)
	}
	var missing []string
	for i, t := range s.Texts {
		if i > 0 || s.Vector == nil {
			missing = append(missing, t)
		}
	}
	e, err := s.embedder()
	if err == nil {
		s.floor.cosine = e.Info().FloorCosine
	}
	if s.FloorCosine > 0 {
		s.floor.cosine = s.FloorCosine
	}
	switch {
	case s.snap.Dense().Count() == 0:
		if s.snap.Chunks() > 0 {
			s.note("Nothing can be searched by meaning yet. Only words were searched.")
		}
		if err != nil && !s.words {
			return none(err)
		}
		return none(nil)
	case err != nil && len(missing) > 0 && !s.words:
		return none(err)
	case err != nil && len(missing) > 0:
		s.note("No model for search by meaning is loaded. Only words were searched.")
		missing = nil
	}
	if err := s.useVector(); err != nil || len(missing) == 0 {
		return none(err)
	}
	return s.embedTexts(ctx, e, missing)
}

// embedTexts embeds the texts that have no vector of their own.
func (s *search) embedTexts(ctx context.Context, e inference.Embedder, missing []string) (wait func() error) {
	type answer struct {
		vectors [][]float32
		err     error
		took    time.Duration
	}
	done := make(chan answer, 1)
	go func() {
		start := time.Now()
		v, err := e.Embed(ctx, inference.KindQuery, missing, inference.PriorityInteractive)
		done <- answer{v, err, time.Since(start)}
	}()
	return func() error {
		a := <-done
		s.result.EmbedMS = milliseconds(a.took)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if a.err == nil && s.setVectors(a.vectors, len(missing)) {
			return nil
		}
		if !s.words {
			return &rag.Error{Code: rag.CodeModelFailed, Reason: rag.ReasonEmbedError, Message: "The search text could not be embedded.", Hint: "Load the embedding model again.", Cause: a.err}
		}
		s.note("The embedding model did not answer. Only words were searched.")
		return nil
	}
}

// setVectors gives the last n texts their vectors; false where they do not fit
// the stored ones.
func (s *search) setVectors(vectors [][]float32, n int) bool {
	if len(vectors) != n {
		return false
	}
	for i, v := range vectors {
		unit, ok := vector.Unit(v)
		if !ok || len(v) != s.snap.Dense().Dimensions() {
			return false
		}
		s.texts[len(s.texts)-n+i].unit = unit
	}
	return true
}

// useVector takes the query's own vector for the first text.
func (s *search) useVector() error {
	if s.Vector == nil {
		return nil
	}
	unit, ok := vector.Unit(s.Vector)
	if !ok || len(unit) != s.snap.Dense().Dimensions() {
		return &rag.Error{Code: rag.CodeModelFailed, Reason: rag.ReasonDimensionMismatch, Message: "The search vector does not fit the library's vectors.", Hint: "Wait until the library has been embedded with the present model."}
	}
	s.texts[0].unit = unit
	return nil
}
