package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"referent/rag"
)

// Depths are the ranks at which recall is judged.
var Depths = []int{1, 3, 5}

// Search is one question to the product, with nothing stored.
type Search struct {
	Question  string
	History   []rag.Message
	Engine    string
	Retriever string
	K         int
}

// System is the product as the lab sees it.
type System interface {
	// Search prepares the query and returns the best hits, ranked.
	Search(ctx context.Context, s Search) (rag.Prepared, []rag.Hit, error)
}

// Item is the record of one turn under one engine and retriever.
type Item struct {
	Suite        string       `json:"suite"`
	Set          string       `json:"set"`
	Query        string       `json:"query"` // conversation and number of the turn
	Engine       string       `json:"engine"`
	Retriever    string       `json:"retriever"`
	Kind         Kind         `json:"slice"`
	Prepared     rag.Prepared `json:"prepared"`
	Hits         []int64      `json:"hits"`
	Ranks        []int        `json:"ranks"` // best rank of each reference; 0: not among the hits
	Milliseconds float64      `json:"ms"`
}

// Run asks every turn of every conversation under one engine and retriever.
// progress gets each item as it is done and may be nil.
func Run(ctx context.Context, system System, set string, conversations []Conversation, engine, retriever string, progress func(Item)) ([]Item, error) {
	deepest := slices.Max(Depths)
	var items []Item
	for _, c := range conversations {
		var history []rag.Message
		for i, t := range c.Turns {
			began := time.Now()
			prepared, hits, err := system.Search(ctx, Search{Question: t.Question, History: history, Engine: engine, Retriever: retriever, K: deepest})
			if err != nil {
				return items, fmt.Errorf("%s, turn %d, engine %s, retriever %s: %w", c.Name, i+1, engine, retriever, err)
			}
			item := Item{Suite: "S0", Set: set, Query: fmt.Sprintf("%s/%d", c.Name, i+1), Engine: engine, Retriever: retriever, Kind: t.Kind, Prepared: prepared,
				Milliseconds: float64(time.Since(began).Microseconds()) / 1000}
			for _, h := range hits {
				item.Hits = append(item.Hits, h.Chunk)
			}
			for _, r := range t.References {
				item.Ranks = append(item.Ranks, rankOf(r, hits))
			}
			items = append(items, item)
			if progress != nil {
				progress(item)
			}
			history = append(history, rag.Message{Role: "user", Text: t.Question}, rag.Message{Role: "assistant", Text: t.Reply})
		}
	}
	return items, nil
}

// rankOf returns the rank of the first hit of the source that holds the fact.
func rankOf(r Reference, hits []rag.Hit) int {
	fact := fold(r.Fact)
	for i, h := range hits {
		path := strings.ReplaceAll(h.Path, `\`, "/")
		if strings.HasSuffix(path, "/"+r.Source) && strings.Contains(fold(h.Text), fact) && onPage(h.Locator, r.Page) {
			return i + 1
		}
	}
	return 0
}

func onPage(l rag.Locator, page int) bool {
	return page == 0 || l.Page == page || l.Page < page && page <= l.PageTo
}

// fold makes texts comparable: case and white space do not count.
func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
