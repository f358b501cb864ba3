package retrieve

import (
	"context"
	"slices"
	"testing"

	"referent/rag"
	"referent/storage/index"
)

// guesses is a library in which a guess of the kind leaves good hits out.
func guesses(t *testing.T) *world {
	w := newWorld(t)
	pdf := func(c *index.DocumentColumns) { c.Kind = "pdf"; c.Collections = []int64{1} }
	text := func(c *index.DocumentColumns) { c.Collections = []int64{1} }
	w.add(1, "/h/1.pdf", pdf, "pump warranty one")
	w.add(2, "/h/2.pdf", pdf, "pump prices two")
	w.add(3, "/h/3.txt", text, "pump warranty pump warranty three")
	w.add(4, "/h/4.txt", text, "pump warranty four more words")
	w.add(5, "/t/5.txt", func(c *index.DocumentColumns) { c.Collections = []int64{2} }, "pump warranty five")
	return w
}

func owners(hits []rag.Hit) (out []rag.HitOwner) {
	for _, h := range hits {
		out = append(out, h.Owner)
	}
	return out
}

func TestP39_AUsersFilterIsHardAndAGuessIsAHint(t *testing.T) {
	w := guesses(t)
	for _, owner := range []rag.FilterOwner{rag.OwnerUser, rag.OwnerRestriction} {
		res := w.search("bm25", Query{Texts: []string{"pump warranty"}, Filters: []rag.Filter{filter(t, owner, "type", "eq", "pdf")}, HintExtras: 3})
		w.expect(string(owner), documentsOf(res.Hits), []int64{1, 2})
	}
	guess := filter(t, rag.OwnerGuess, "type", "eq", "pdf")
	res := w.search("bm25", Query{Texts: []string{"pump warranty"}, Filters: []rag.Filter{guess}, HintExtras: 3})
	w.expect("guess", documentsOf(res.Hits)[:2], []int64{1, 2})
	if want := []rag.HitOwner{rag.OwnerMatch, rag.OwnerMatch, rag.OwnerHintExtra, rag.OwnerHintExtra, rag.OwnerHintExtra}; !slices.Equal(owners(res.Hits), want) {
		t.Fatalf("owners %v", owners(res.Hits))
	}
	if len(res.DroppedFilters) != 1 || res.DroppedFilters[0].Field != "type" {
		t.Fatalf("dropped %v", res.DroppedFilters)
	}
}

func TestP39_ScopeIsNeverDroppedWhoeverSetIt(t *testing.T) {
	w := guesses(t)
	for _, f := range []rag.Filter{
		filter(t, rag.OwnerGuess, "collection", "eq", "town"), filter(t, rag.OwnerGuess, "folder", "eq", "/t"),
		filter(t, rag.OwnerGuess, "document", "eq", "5"),
	} {
		res := w.search("hybrid", Query{Texts: []string{"pump warranty"}, Filters: []rag.Filter{f}, HintExtras: 3})
		w.expect(f.Field, documentsOf(res.Hits), []int64{5})
	}
	guess := filter(t, rag.OwnerGuess, "type", "eq", "pdf")
	res := w.search("hybrid", Query{Texts: []string{"pump warranty"}, Scope: rag.Scope{Collections: []string{"house"}}, Filters: []rag.Filter{guess}, HintExtras: 3})
	if slices.Contains(documentsOf(res.Hits), 5) || len(res.Hits) != 4 {
		t.Fatalf("the hint query left its scope: %v", documentsOf(res.Hits))
	}
	hard := filter(t, rag.OwnerUser, "folder", "ne", "/h/3.txt")
	res = w.search("hybrid", Query{Texts: []string{"pump warranty"}, Filters: []rag.Filter{guess, hard}, HintExtras: 3})
	if slices.Contains(documentsOf(res.Hits), 3) {
		t.Fatalf("the hint query dropped a user's filter: %v", documentsOf(res.Hits))
	}
}

func TestP40_NoExtrasWhereNothingWasLeftOut(t *testing.T) {
	w := guesses(t)
	for name, f := range map[string]rag.Filter{
		"the guess holds for all":   filter(t, rag.OwnerGuess, "language", "eq", "en"),
		"no guess":                  filter(t, rag.OwnerUser, "language", "eq", "en"),
		"extras are switched off":   filter(t, rag.OwnerGuess, "type", "eq", "pdf"),
		"nothing else holds a word": filter(t, rag.OwnerGuess, "type", "eq", "pdf"),
	} {
		q := Query{Texts: []string{"pump"}, Filters: []rag.Filter{f}, HintExtras: 3}
		if name == "extras are switched off" {
			q.HintExtras = 0
		}
		if name == "nothing else holds a word" {
			q.Texts = []string{"prices"}
		}
		if res := w.search("bm25", q); slices.Contains(owners(res.Hits), rag.OwnerHintExtra) || res.DroppedFilters != nil {
			t.Errorf("%s: %v", name, owners(res.Hits))
		}
	}
	if w.embedder.calls = 0; w.search("hybrid", Query{Texts: []string{"pump"}, Filters: []rag.Filter{filter(t, rag.OwnerGuess, "type", "eq", "pdf")}, HintExtras: 3}).Retriever != "hybrid" || w.embedder.calls != 1 {
		t.Errorf("the text was embedded %d times for two passes", w.embedder.calls)
	}
}

func TestP41_ExtrasNeverDisplaceOrReorder(t *testing.T) {
	w := guesses(t)
	for _, retriever := range []string{"bm25", "dense", "hybrid"} {
		guess := filter(t, rag.OwnerGuess, "type", "eq", "pdf")
		hard := guess
		hard.Owner = rag.OwnerUser
		want := w.search(retriever, Query{Texts: []string{"pump warranty"}, Filters: []rag.Filter{hard}})
		got := w.search(retriever, Query{Texts: []string{"pump warranty"}, Filters: []rag.Filter{guess}, HintExtras: 2})
		w.expect(retriever, chunksOf(got.Hits)[:len(want.Hits)], chunksOf(want.Hits))
		if n := len(got.Hits) - len(want.Hits); n != 2 {
			t.Errorf("%s: %d extras, want 2", retriever, n)
		}
	}
}

func TestP42_HardFiltersKeepTheOrder(t *testing.T) {
	w := guesses(t)
	all := w.search("dense", w.ask("pump warranty"))
	some := w.search("dense", Query{Texts: []string{"pump warranty"}, Filters: []rag.Filter{filter(t, rag.OwnerUser, "type", "eq", "text")}})
	var want []int64
	for _, h := range all.Hits {
		if h.Document >= 3 {
			want = append(want, h.Chunk)
		}
	}
	w.expect("order", chunksOf(some.Hits), want)
}

// restrictedIn returns the restricted documents that a retriever lets through:
// in hits, in duplicates, or as text. It is the check of the next two tests.
func restrictedIn(w *world, r Retriever, q Query) (leaked []int64) {
	res, err := r.Retrieve(context.Background(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, h := range append(slices.Clone(res.Hits), res.Considered...) {
		if w.columns[h.Document].Label == "restricted" {
			leaked = append(leaked, h.Document)
		}
	}
	return leaked
}

// secrets is a library with a restricted document that answers best.
func secrets(t *testing.T) (*world, []Query) {
	w := newWorld(t)
	w.reranker = &wordCounter{}
	w.add(1, "/a/1.txt", nil, "the falcon project is public knowledge")
	w.add(2, "/a/2.txt", func(c *index.DocumentColumns) { c.Label = "restricted"; c.Kind = "pdf" }, "the secret falcon budget is nine million")
	w.add(3, "/a/3.pdf", func(c *index.DocumentColumns) { c.Kind = "pdf" }, "falcons are birds")
	return w, []Query{
		{Texts: []string{"secret falcon budget"}},
		{Texts: []string{"secret falcon budget", "falcon project"}},
		{Texts: []string{`"secret falcon"`}},
		{Texts: []string{"secret falcon budget"}, Filters: []rag.Filter{filter(t, rag.OwnerGuess, "type", "eq", "text")}, HintExtras: 3},
		{Texts: []string{"falcon"}, Scope: rag.Scope{Documents: []int64{1, 2}}},
		// what a conversation about it would search for, and its vector
		{Texts: []string{"how big is it, the secret falcon budget of nine million"}, Vector: bag("the secret falcon budget is nine million")},
	}
}

func TestP68_RestrictedContentIsNeverACandidate(t *testing.T) {
	for _, leaks := range []bool{false, true} { // a store that leaks changes nothing
		w, queries := secrets(t)
		w.leaks = leaks
		for _, name := range w.set().Names() {
			r, err := w.set().Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range queries {
				if leaked := restrictedIn(w, r, q); len(leaked) > 0 {
					t.Errorf("%s let documents %v through for %v", name, leaked, q.Texts)
				}
			}
		}
		for _, p := range w.reranker.shown {
			if p == "the secret falcon budget is nine million" {
				t.Error("the reranker was shown restricted text")
			}
		}
		if res := w.search("hybrid", queries[0]); res.RestrictedCount != 1 {
			t.Errorf("restricted count %d, want 1", res.RestrictedCount)
		}
	}
}

// leaking is a retriever that returns the restricted document.
type leaking struct{ Retriever }

func (l leaking) Retrieve(ctx context.Context, q Query) (Result, error) {
	res, err := l.Retriever.Retrieve(ctx, q)
	res.Hits = append(res.Hits, rag.Hit{Document: 2, Text: "the secret falcon budget is nine million"})
	return res, err
}

// The reverse proof: the check above is worth something, since it sees a leak.
func TestP68_TheCheckSeesALeakingRetriever(t *testing.T) {
	w, queries := secrets(t)
	r, err := w.set().Lookup("hybrid")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		if len(restrictedIn(w, leaking{r}, q)) == 0 {
			t.Errorf("a leak went unseen for %v", q.Texts)
		}
	}
}
