package turn

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"referent/rag"
	"referent/rag/engine"
	"referent/rag/retrieve"
)

// listed is the most documents that one list names.
const listed = 20

// shelves is what a research loop may look at: the retriever of the turn, under
// the scope and the filters of the person. It keeps what every search found,
// which is the evidence of the turn. A new one is made for each turn.
type shelves struct {
	t     *turn
	texts []string
	found []retrieve.Result
}

var _ engine.Library = (*shelves)(nil)

// Search implements engine.Library.
func (s *shelves) Search(ctx context.Context, q engine.Search) (engine.Found, error) {
	query := s.t.query()
	query.Texts, query.RerankText, query.Offset = []string{q.Text}, q.Text, q.Offset
	query.Filters = append(slices.Clone(s.t.req.Filters), q.Guesses...)
	if q.Limit > 0 {
		query.K = q.Limit
	}
	found, err := s.t.finder.Retrieve(ctx, query)
	if err != nil {
		return engine.Found{}, err
	}
	s.texts, s.found = append(s.texts, q.Text), append(s.found, found)
	page := query.K
	if page <= 0 {
		page = retrieve.DefaultK
	}
	matches := 0
	for _, h := range found.Hits {
		if h.Owner != rag.OwnerHintExtra {
			matches++
		}
	}
	return engine.Found{Hits: found.Hits, Dropped: found.DroppedFilters, More: matches >= page}, nil
}

// Open implements engine.Library: the section around a passage that was found.
func (s *shelves) Open(ctx context.Context, chunk int64) (string, error) {
	for _, r := range s.found {
		for _, h := range r.Hits {
			if h.Chunk != chunk {
				continue
			}
			if h.Parent == 0 || s.t.r.deps.Parents == nil {
				return h.Text, nil
			}
			parents, err := s.t.r.deps.Parents(ctx, []int64{h.Parent})
			if err != nil {
				return "", err
			}
			if p, ok := parents[h.Parent]; ok {
				return p.Text, nil
			}
			return h.Text, nil
		}
	}
	return "", nil
}

// List implements engine.Library.
func (s *shelves) List(ctx context.Context, guesses []rag.Filter) (engine.Listing, error) {
	if s.t.r.deps.List == nil {
		return engine.Listing{}, nil
	}
	all, err := s.t.r.deps.List(ctx, s.t.req.Scope, append(slices.Clone(s.t.req.Filters), guesses...))
	if err != nil {
		return engine.Listing{}, err
	}
	out := engine.Listing{Total: len(all.Documents), Others: all.Others}
	for _, d := range all.Documents[:min(listed, len(all.Documents))] {
		doc := engine.Listed{ID: d.ID, Name: filepath.Base(d.Path), Type: d.Kind, Language: d.Language}
		if !d.ModTime.IsZero() {
			doc.Date = d.ModTime.Local().Format("2006-01-02")
		}
		out.Documents = append(out.Documents, doc)
	}
	return out, nil
}

// covers tells whether all texts have been searched already.
func (s *shelves) covers(texts []string) bool {
	if s == nil || len(s.texts) == 0 {
		return false
	}
	return !slices.ContainsFunc(texts, func(text string) bool { return !slices.Contains(s.texts, text) })
}

// asks returns the question that the loop puts to the person. One that states
// what neither the question nor the evidence says would be an answer without a
// check: it is dropped, and the turn goes on.
func (t *turn) asks() string {
	q := t.out.Prepared.AskUser
	if q != "" {
		if _, withheld := t.checking().Withhold(q); withheld == 0 && !t.checking().Invents(q) {
			return q
		}
	}
	t.out.Prepared = unasked(t.out.Prepared)
	return ""
}

// unasked is the result of a loop without the words of its question to the
// person. Events hold it so: the question is judged later, and then it is the
// answer, or nowhere.
func unasked(p rag.Prepared) rag.Prepared {
	p.AskUser = ""
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i] = wordless(p.Steps[i])
	}
	return p
}

// wordless is a step without what it asks the person.
func wordless(s rag.Step) rag.Step {
	if s.Tool == engine.AskName {
		s.Arguments = json.RawMessage("{}")
	}
	return s
}
