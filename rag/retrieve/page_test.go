package retrieve

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"referent/rag"
	"referent/storage/index"
)

// Pages are cut from one ranking, also of the second query of a guess.
func TestP40_APageOfAGuessHasExtrasOfTheSamePage(t *testing.T) {
	w := newWorld(t)
	for i := range 12 {
		kind := []string{"pdf", "text"}[i%2]
		w.add(int64(i+1), fmt.Sprintf("/h/%02d.txt", i), func(c *index.DocumentColumns) { c.Kind = kind }, fmt.Sprintf("pump %d warranty", i))
	}
	guess := filter(t, rag.OwnerGuess, "type", "eq", "pdf")
	all := w.search(BM25, Query{Texts: []string{"pump warranty"}, K: 12})
	page := w.search(BM25, Query{Texts: []string{"pump warranty"}, K: 5, Offset: 5})
	if !slices.Equal(chunksOf(page.Hits), chunksOf(all.Hits)[5:10]) {
		t.Errorf("%v is not the second page of %v", chunksOf(page.Hits), chunksOf(all.Hits))
	}
	res := w.search(BM25, Query{Texts: []string{"pump warranty"}, K: 2, Offset: 2, Filters: []rag.Filter{guess}, HintExtras: 3})
	hard := guess
	hard.Owner = rag.OwnerUser
	matches := w.search(BM25, Query{Texts: []string{"pump warranty"}, K: 4, Filters: []rag.Filter{hard}})
	if len(res.Hits) != 3 || !slices.Equal(chunksOf(res.Hits)[:2], chunksOf(matches.Hits)[2:4]) {
		t.Fatalf("%v is not the second page of %v with an extra", chunksOf(res.Hits), chunksOf(matches.Hits))
	}
	if extra := res.Hits[2]; extra.Owner != rag.OwnerHintExtra || !slices.Contains(chunksOf(all.Hits)[2:4], extra.Chunk) {
		t.Errorf("the extra %+v is not of the second page %v", extra, chunksOf(all.Hits)[2:4])
	}
	if past := w.search(BM25, Query{Texts: []string{"pump warranty"}, K: 5, Offset: 50}); len(past.Hits) != 0 {
		t.Errorf("%d hits behind the last page", len(past.Hits))
	}
}

func TestP39_TheListKeepsScopeAndCountsWhatAGuessLeftOut(t *testing.T) {
	w := newWorld(t)
	w.add(1, "/h/b.pdf", func(c *index.DocumentColumns) { c.Kind = "pdf" }, "one", "two")
	w.add(2, "/h/a.txt", nil, "three")
	w.add(3, "/other/c.txt", nil, "four")
	w.add(4, "/h/secret.pdf", func(c *index.DocumentColumns) { c.Kind, c.Label, c.Searchable = "pdf", "restricted", false }, "five")
	list := func(filters ...rag.Filter) string {
		l, err := w.set().List(context.Background(), rag.Scope{PathUnder: "/h"}, filters)
		if err != nil {
			t.Fatal(err)
		}
		out := ""
		for _, d := range l.Documents {
			out += d.Path + " "
		}
		return fmt.Sprintf("%s+%d", out, l.Others)
	}
	for _, c := range []struct{ got, want string }{
		{list(), "/h/a.txt /h/b.pdf +0"},
		{list(filter(t, rag.OwnerGuess, "type", "eq", "pdf")), "/h/b.pdf +1"},
		{list(filter(t, rag.OwnerUser, "type", "eq", "pdf")), "/h/b.pdf +0"},
		{list(filter(t, rag.OwnerGuess, "document", "eq", "2")), "/h/a.txt +0"}, // where to look is scope
		{list(filter(t, rag.OwnerUser, "type", "eq", "pdf"), filter(t, rag.OwnerGuess, "language", "eq", "it")), "+1"},
	} {
		if c.got != c.want {
			t.Errorf("listed %q, want %q", c.got, c.want)
		}
	}
	if _, err := w.set().List(context.Background(), rag.Scope{Collections: []string{"nowhere"}}, nil); err == nil {
		t.Error("an unknown collection is listed")
	}
}
