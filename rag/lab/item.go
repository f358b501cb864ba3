package lab

import (
	"fmt"
	"slices"
	"strings"

	"referent/rag"
)

// Item is the record of one question under one engine and retriever.
type Item struct {
	Suite     string             `json:"suite"`
	Set       string             `json:"set"`
	Query     string             `json:"query"`
	Engine    string             `json:"engine"`
	Retriever string             `json:"retriever"`
	Prepared  rag.Prepared       `json:"prepared"`
	Hits      []string           `json:"hits"`     // ids of passages, best first
	Relevant  []string           `json:"relevant"` // ids, sorted
	Scores    map[string]float64 `json:"scores"`
	MS        map[string]float64 `json:"ms"` // prepare and retrieve, or total
	Slice     string             `json:"slice"`
	Answer    *Answered          `json:"answer,omitempty"` // of a turn that goes to its end
}

// key tells items of one run apart.
func (i Item) key() string { return itemKey(i.Set, i.Query, i.Engine, i.Retriever) }

func itemKey(set, query, engine, retriever string) string {
	return strings.Join([]string{set, query, engine, retriever}, "\x00")
}

// failed tells whether a rewrite was tried and could not be used.
func (i Item) failed() bool { return i.Prepared.Reason != "" }

// tried tells whether a model was asked for a rewrite, or should have been.
func (i Item) tried() bool { return i.failed() || i.Prepared.ModelCalls > 0 }

// The depths at which recall is judged.
var depths = []int{1, 3, 5, 10, 100}

// score judges one question. Only depths that were searched are judged.
func score(s Set, q Question, p rag.Prepared, hits []rag.Hit, k int) map[string]float64 {
	scores := map[string]float64{}
	var ids, kept []string
	for _, h := range hits {
		ids = append(ids, h.ContentHash)
		if h.PassedFloor {
			kept = append(kept, h.ContentHash)
		}
	}
	switch {
	case len(q.Evidence) > 0:
		scoreChunks(scores, s, q, ids)
	case len(q.References) > 0:
		scoreFacts(scores, q.References, hits, k)
	case len(q.Relevant) > 0 && len(s.Rows) > 0:
		for _, d := range depths {
			if d <= k {
				scores[fmt.Sprintf("recall@%d", d)] = RecallAt(d, ids, q.Relevant)
			}
		}
		scores["kept@5"] = RecallAt(5, kept, q.Relevant)
		scores["ndcg@5"], scores["ndcg@10"] = NDCGAt(5, ids, q.Relevant), NDCGAt(10, ids, q.Relevant)
		scores["mrr@10"] = ReciprocalRankAt(10, ids, q.Relevant)
	}
	scoreRewrite(scores, q, p)
	return scores
}

// scoreFacts is recall over facts: each has a rank, that of the first hit which
// holds it.
func scoreFacts(scores map[string]float64, references []Reference, hits []rag.Hit, k int) {
	for _, d := range depths {
		if d > k {
			continue
		}
		found := 0
		for _, r := range references {
			if rank := rankOf(r, hits); rank > 0 && rank <= d {
				found++
			}
		}
		scores[fmt.Sprintf("recall@%d", d)] = float64(found) / float64(len(references))
	}
}

// scoreRewrite judges what is searched, of a question with a history.
func scoreRewrite(scores map[string]float64, q Question, p rag.Prepared) {
	if len(q.History) == 0 {
		return
	}
	scores["unchanged"] = one(unchanged(q.Text, p.SearchQueries))
	scores["rewritten"] = one(p.SearchQuery != "")
	scores["gated"] = one(p.Status == rag.StatusGated)
	if p.Reason != "" || p.ModelCalls > 0 {
		scores["fallback"] = one(p.Reason != "")
	}
	if q.OldTopic != "" {
		scores["old_topic"] = float64(OldTopicWords(q.OldTopic, q.Text, p.SearchQueries))
	}
	searched := strings.Join(p.SearchQueries, " ")
	if q.Reference != "" {
		scores["token_f1"], scores["rouge_l"] = TokenF1(searched, q.Reference), RougeL(searched, q.Reference)
	}
	if kept, asked := Kept(q.Text, searched); asked {
		scores["numbers_kept"] = one(kept)
	}
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
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

// sortedIDs lists the relevant passages.
func sortedIDs(g Grades) []string {
	ids := make([]string, 0, len(g))
	for id := range g {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
