package retrieve

import (
	"context"
	"slices"

	"referent/rag"
	"referent/rag/segment"
)

// droppable are the fields of a guess that may be left away. What says where to
// look (collection, folder, document, label) is scope and stays, whoever set it.
var droppable = []string{"type", "language", "tag", "date"}

func droppableGuess(f rag.Filter) bool {
	return f.Owner == rag.OwnerGuess && slices.Contains(droppable, f.Field)
}

// hints searches once more without the guessed filters and appends what they
// left out, marked, after the hits that match. Same scope, restrictions and
// limits.
func (s *search) hints(ctx context.Context, filtered *segment.Bitmap) error {
	if s.HintExtras <= 0 {
		return nil
	}
	var kept, guesses []rag.Filter
	for _, f := range s.Filters {
		if droppableGuess(f) {
			guesses = append(guesses, f)
		} else {
			kept = append(kept, f)
		}
	}
	if len(guesses) == 0 {
		return nil
	}
	allow, err := s.snap.Allowed(s.Scope, kept, s.collections)
	if err != nil {
		return err
	}
	leftOut := s.snap.LeftOut(allow, filtered)
	if leftOut == nil {
		return nil
	}
	found, err := s.pass(ctx, allow)
	if err != nil {
		return err
	}
	matched, contents := map[int64]bool{}, map[string]bool{"": false}
	for _, h := range s.result.Hits {
		matched[h.Chunk] = true
		contents[h.ContentHash] = h.ContentHash != ""
	}
	extras := slices.DeleteFunc(found.kept, func(c candidate) bool {
		return matched[c.chunk] || contents[c.hit.ContentHash] || !leftOut[c.hit.Document]
	})
	if len(extras) > 0 {
		s.accept(extras[:min(len(extras), s.HintExtras)], rag.OwnerHintExtra)
		s.result.DroppedFilters = guesses
	}
	return nil
}
