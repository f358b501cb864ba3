package turn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"referent/inference"
	"referent/rag"
	"referent/rag/answer"
	"referent/rag/language"
	"referent/rag/pack"
)

const (
	// mostParts bounds how many calls read a document, and so what is read of it.
	mostParts = 4
	// wholePatience is how many times the wished time to the first token a
	// document may take to be read.
	wholePatience = 10
	// noteTokens bounds what is noted about a part.
	noteTokens = 160
)

// Documents is what a question about a whole document stands on. Restricted
// documents are in neither list.
type Documents interface {
	// Names lists the documents that a scope and the person's filters leave.
	Names(ctx context.Context, scope rag.Scope, filters []rag.Filter) ([]answer.Named, error)
	// Whole returns the passages of a document in order, with their parents.
	Whole(ctx context.Context, document int64) ([]rag.Hit, error)
}

// whole is a question about a whole document on its way. Whether a question is
// one is decided by its own words and the scope; the history has no say in it.
type whole struct {
	doc    answer.Named
	kind   answer.Whole
	about  []language.Word
	groups [][]rag.Hit // the parts, of packed hits in order
}

// findWhole decides whether the question is about a whole document. One that
// could be about several is searched, with a note.
func (t *turn) findWhole() error {
	if t.r.deps.Documents == nil || t.req.Given != nil || t.req.OwnWords || strings.TrimSpace(t.req.EditedQuery) != "" {
		return nil
	}
	kind, about, ok := answer.WholeQuestion(t.req.Question)
	if !ok {
		return nil
	}
	named, err := t.r.deps.Documents.Names(t.ctx, t.req.Scope, t.req.Filters)
	if err != nil {
		return err
	}
	s := t.req.Scope
	narrowed := len(s.Documents)+len(s.Collections)+len(s.Types)+len(t.req.Filters) > 0 || s.PathUnder != ""
	doc, ok := answer.FindDocument(t.req.Question, kind, about, named, narrowed)
	if ok {
		t.l = language.For(answer.WholeLanguage(t.req.Question))
		t.whole = &whole{doc: doc, kind: kind, about: doc.Besides(t.req.Question, about)}
	} else if len(about) == 0 && len(named) > 1 {
		t.out.Notes = append(t.out.Notes, "Several documents could be meant. Name one of them, or choose it as the place to search.")
	}
	return nil
}

// preparedWhole searches nothing: the document is read.
func (t *turn) preparedWhole() rag.Prepared {
	q := t.req.Question
	p := rag.Prepared{Engine: t.engine.Name(), OriginalQuery: q, SearchQueries: []string{q}, RerankQuery: q, Status: rag.StatusVerbatimEngine}
	if len(t.req.History) == 0 {
		p.Status = rag.StatusNoHistory
	}
	return p
}

// readWhole takes all passages of the document as found.
func (t *turn) readWhole(s *Span) error {
	hits, err := t.r.deps.Documents.Whole(t.ctx, t.whole.doc.ID)
	if err != nil {
		return err
	}
	for i := range hits {
		hits[i].Rank, hits[i].PassedFloor, hits[i].Owner = i+1, true, rag.OwnerMatch
	}
	t.found.Hits = hits
	t.out.Retriever = t.finder.Name()
	t.out.Notes = append(t.out.Notes, "The document “"+t.whole.doc.Title+"” was read as a whole.")
	s.set("referent.whole_document", string(t.whole.kind))
	s.set("referent.hits", len(hits))
	return nil
}

// packWhole packs as much of the document as may be read, spread evenly over it,
// and cuts it into parts of one budget each.
func (t *turn) packWhole(in pack.Input) (pack.Result, error) {
	t.past = nil // a document is not read in the light of a conversation
	part := in.Setting
	if part <= 0 {
		part = pack.DefaultBudget
	}
	if in.Room > 0 {
		part = min(part, in.Room)
	}
	total := part * mostParts
	if in.PrefillPerSecond > 0 && in.TargetSeconds > 0 {
		total = min(total, max(int(in.PrefillPerSecond*in.TargetSeconds*wholePatience), part/2))
	}
	in.Setting, in.PrefillPerSecond, in.Room, in.Parents, in.Compress = total, 0, 0, nil, false
	all := in.Hits
	in.Hits = even(all, total)
	for {
		r, err := pack.Pack(t.ctx, in)
		if err != nil {
			return r, err
		}
		packed := 0
		for _, h := range r.Hits {
			if h.Packing == rag.Packed {
				packed++
			}
		}
		if packed < len(in.Hits) && len(in.Hits) > 1 && packed > 0 {
			in.Hits = thin(all, packed) // the estimate was too low: fewer, spread anew
			continue
		}
		if left := len(all) - packed; left > 0 {
			t.out.Notes = append(t.out.Notes, fmt.Sprintf("The document is long: %d of its %d passages were read, spread evenly over it.", packed, len(all)))
		}
		r.Hits = slices.DeleteFunc(r.Hits, func(h rag.Hit) bool { return h.Packing == rag.PackedBudget }) // the note has their number
		t.whole.cut(r.Hits, part)
		return r, nil
	}
}

// even keeps as many passages as the tokens may hold, spread evenly.
func even(hits []rag.Hit, tokens int) []rag.Hit {
	sum := 0
	for _, h := range hits {
		n := h.TextTokens
		if n == 0 {
			n = (len(h.Text) + 2) / 3
		}
		sum += n + 16 // its label
	}
	if sum <= tokens {
		return hits
	}
	return thin(hits, max(1, len(hits)*tokens/sum))
}

// thin keeps n passages, spread evenly, the first and the last among them.
func thin(hits []rag.Hit, n int) []rag.Hit {
	if n >= len(hits) {
		return hits
	}
	if n <= 1 {
		return hits[:1]
	}
	out := make([]rag.Hit, 0, n)
	for i := range n {
		out = append(out, hits[i*(len(hits)-1)/(n-1)])
	}
	return out
}

// cut groups packed passages into parts of at most a budget. A parent is not
// divided where it fits.
func (w *whole) cut(hits []rag.Hit, budget int) {
	var section, part []rag.Hit
	used := 0
	flush := func() {
		if len(part) > 0 {
			w.groups = append(w.groups, part)
			part, used = nil, 0
		}
	}
	add := func() {
		cost := tokensOf(section)
		if used+cost > budget {
			flush()
		}
		for _, h := range section {
			if used+h.RenderedTokens > budget {
				flush()
			}
			part, used = append(part, h), used+h.RenderedTokens
		}
		section = nil
	}
	for _, h := range hits {
		if h.Packing != rag.Packed {
			continue
		}
		if len(section) > 0 && (section[0].Parent != h.Parent || h.Parent == 0) {
			add()
		}
		section = append(section, h)
	}
	add()
	flush()
}

func tokensOf(hits []rag.Hit) int {
	sum := 0
	for _, h := range hits {
		sum += h.RenderedTokens
	}
	return sum
}

// generateWhole reads the parts one after the other and writes the answer from
// what was noted about them; a document of one part is answered from at once.
func (t *turn) generateWhole(s *Span) error {
	w, info := t.whole, t.model.Info()
	part := func(i int) answer.Part {
		return answer.Part{Question: t.req.Question, Kind: w.kind, Title: w.doc.Title, Evidence: pack.Evidence(w.groups[i]), N: i + 1, Of: len(w.groups),
			Language: t.l.Code, FewShot: info.FewShot}
	}
	s.set("referent.parts", len(w.groups))
	if len(w.groups) == 1 {
		return t.write(s, part(0).Messages())
	}
	var notes []string
	for i := range w.groups {
		res, err := t.model.Generate(t.ctx, inference.GenerateRequest{Messages: part(i).Messages(), MaxTokens: noteTokens, Seed: t.req.Options.Seed,
			Cache: inference.CacheReuse, Priority: inference.PriorityInteractive}, nil)
		if err != nil {
			return failure(err)
		}
		t.usage.PromptTokens += res.PromptTokens
		t.usage.CachedTokens += res.CachedTokens
		t.usage.CompletionTokens += res.CompletionTokens
		t.emit(rag.Stats{TokensPerSecond: res.DecodePerSecond, PromptTokens: t.usage.PromptTokens, CachedTokens: t.usage.CachedTokens})
		if note, ok := answer.Noted(res.Text); ok && !answer.Refuses(note, t.l.Code) {
			notes = append(notes, note)
		}
	}
	if len(notes) == 0 {
		return nil // nothing was noted: the document speaks for itself
	}
	if w.kind == answer.List {
		t.text = answer.JoinLists(notes)
		return nil
	}
	return t.write(s, answer.Joined{Question: t.req.Question, Title: w.doc.Title, Notes: notes, Language: t.l.Code, FewShot: info.FewShot}.Messages())
}

// overview tells whether the question is about all of a document.
func (t *turn) overview() bool { return t.whole != nil && t.whole.kind == answer.Overview }

// outline answers about the document in its own words.
func (t *turn) outline() string {
	return answer.Quoter{Language: t.l.Code}.Outline(t.whole.kind, t.whole.about, t.out.Retrieval.Hits)
}
