package retrieve

import (
	"context"
	"slices"
	"time"

	"referent/rag"
	"referent/rag/segment"
)

// search is one query on its way.
type search struct {
	*retriever
	Query
	snap        *segment.Snapshot
	collections map[string]int64
	texts       []text
	floor       floor
	result      Result
}

// Retrieve runs the query: both legs, fusion, duplicates, the reranker, the
// limits, the floor, and once more without guessed filters.
func (r *retriever) Retrieve(ctx context.Context, q Query) (Result, error) {
	start := time.Now()
	s := &search{retriever: r, Query: q.withDefaults(), snap: r.deps.Snapshot()}
	s.result = Result{Retriever: r.name, Hits: []rag.Hit{}}
	if s.snap == nil {
		return s.result, &rag.Error{Code: rag.CodeLibraryBusy, Message: "The library is still being opened.", Hint: "Ask again in a moment."}
	}
	if r.deps.Collections != nil {
		var err error
		if s.collections, err = r.deps.Collections(ctx); err != nil {
			return s.result, failure(err)
		}
	}
	s.result.RestrictedCount = s.snap.Restricted(q.Scope, s.collections)
	if len(s.Texts) == 0 {
		return s.result, nil
	}
	if err := s.run(ctx); err != nil {
		return Result{Retriever: r.name, Hits: []rag.Hit{}, RestrictedCount: s.result.RestrictedCount}, failure(err)
	}
	s.result.SearchMS = milliseconds(time.Since(start)) - s.result.EmbedMS - s.result.RerankMS
	return s.result, nil
}

func (s *search) run(ctx context.Context) error {
	allow, err := s.snap.Allowed(s.Scope, s.Filters, s.collections)
	if err != nil {
		return err
	}
	if err := s.prepare(ctx, allow); err != nil {
		return err
	}
	if !slices.ContainsFunc(s.texts, func(t text) bool { return t.unit != nil }) {
		s.floor.cosine = 0 // nothing was searched by meaning
	}
	s.result.Floor = s.floor.cosine
	found, err := s.pass(ctx, allow)
	if err != nil {
		return err
	}
	s.result.Considered = found.dropped
	s.accept(found.kept, rag.OwnerMatch)
	s.result.Adjacent = adjacent(found.kept)
	return s.hints(ctx, allow)
}

// found is what one pass over the corpus gives.
type found struct {
	kept    []candidate
	dropped []rag.Hit
}

// pass searches every text among the allowed chunks and brings the lists
// together.
func (s *search) pass(ctx context.Context, allow *segment.Bitmap) (found, error) {
	lists := make([][]candidate, len(s.texts))
	var out found
	for i := range s.texts {
		list, dropped, err := s.ranked(ctx, &s.texts[i], allow)
		if err != nil {
			return found{}, err
		}
		lists[i], out.dropped = list, append(out.dropped, dropped...)
	}
	merged := lists[0]
	if len(lists) > 1 {
		var again []rag.Hit
		merged, again = s.distinct(interleave(lists), s.filling(allow))
		out.dropped = append(out.dropped, again...)
	}
	out.kept = s.limited(merged, allow)
	out.dropped = repeatsOf(out.dropped, out.kept)
	return out, nil
}

// ranked returns one text's candidates in their final order.
func (s *search) ranked(ctx context.Context, t *text, allow *segment.Bitmap) ([]candidate, []rag.Hit, error) {
	list, err := s.candidates(ctx, t, allow)
	if err != nil {
		return nil, nil, err
	}
	if list, err = s.load(ctx, t, list); err != nil {
		return nil, nil, err
	}
	var full func(candidate) bool // what comes behind the last hit needs no look, where the order stays
	if !s.judged && len(s.texts) == 1 {
		full = s.filling(allow)
	}
	list, dropped := s.distinct(list, full)
	if s.judged {
		list, err = s.rerank(ctx, list)
	}
	return list, dropped, err
}

// limited applies the limits of a document, counted from the first page on, and
// of the whole.
func (s *search) limited(list []candidate, allow *segment.Bitmap) []candidate {
	limit := s.documentLimit(allow)
	var out []candidate
	of := map[int64]int{}
	passed := 0
	for _, c := range list {
		if len(out) == s.K {
			break
		}
		if of[c.hit.Document] >= limit {
			continue
		}
		of[c.hit.Document]++
		if passed++; passed > s.Offset {
			out = append(out, c)
		}
	}
	return out
}

// filling tells, candidate by candidate, when limited has all that it takes.
func (s *search) filling(allow *segment.Bitmap) func(candidate) bool {
	limit := s.documentLimit(allow)
	of := map[int64]int{}
	passed := 0
	return func(c candidate) bool {
		if of[c.hit.Document] < limit {
			of[c.hit.Document]++
			passed++
		}
		return passed == s.Offset+s.K
	}
}

func (s *search) documentLimit(allow *segment.Bitmap) int {
	if s.snap.OneDocument(allow) {
		return s.Offset + s.K
	}
	return s.PerDocument
}

// accept appends candidates to the hits of the result.
func (s *search) accept(list []candidate, owner rag.HitOwner) {
	for _, c := range list {
		c.hit.Rank = len(s.result.Hits) + 1
		c.hit.Owner = owner
		c.hit.Trace = c.trace
		c.hit.TermShare = c.share
		c.hit.PassedFloor = s.floor.passes(c)
		s.result.Hits = append(s.result.Hits, c.hit)
	}
}

// note adds a sentence once.
func (s *search) note(sentence string) {
	for _, n := range s.result.Notes {
		if n == sentence {
			return
		}
	}
	s.result.Notes = append(s.result.Notes, sentence)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
